import { type LegacyResponses, LISTS } from './legacy-responses.ts'

type Named = Readonly<Record<string, unknown>>
interface ReportedValue {
  readonly recordId: string
  readonly value: string
}
interface LegacyComparison {
  readonly records: number
  readonly ids: number
  readonly fields: number
  /** Values that are listed in the report and not stored unchanged. */
  readonly reported: number
  /** Values that are neither stored nor reported. */
  readonly lost: readonly string[]
}

const isNamed = (value: unknown): value is Named => typeof value === 'object' && value !== null && !Array.isArray(value)
const cell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
const recordsOf = (answers: LegacyResponses, name: string): Named[] => {
  const given = answers.get(name) ?? answers.get(name.replace('.json', ''))
  const read: unknown = typeof given === 'string' ? JSON.parse(given.replace(/^\uFEFF/, '')) : given
  return (isNamed(read) ? read['data'] : read) as Named[]
}
const idIn = (value: unknown): unknown => (isNamed(value) ? (value['_id'] ?? value['id']) : value)
const idsIn = (value: unknown): unknown[] => (Array.isArray(value) ? value.map(idIn) : [])

/** Separate records that others list: only whether they are listed matters here. */
const LISTED = new Set(['sites', 'charters', 'roles', 'charter_affair_info', 'programTypes'])
/** Separate records that others contain. */
const SHOWN = new Set(['charter', 'region', 'site', 'person', 'role_match'])
/** Pictures of its brand that a charter contains: the report mentions them for the brand. */
const OF_ITS_BRAND = new Set(['brandPhoto', 'brandIcon'])

/** Compares every value in an old folder with our API's responses, and the differences with the report. Uses no code of the import. */
export const compareWithFolder = (old: LegacyResponses, now: LegacyResponses, report: readonly ReportedValue[]): LegacyComparison => {
  const byRecord = new Map<string, string[]>()
  for (const { recordId, value } of report) byRecord.set(recordId, [...(byRecord.get(recordId) ?? []), value])
  const lost: string[] = []
  const brands = idsIn(recordsOf(old, 'brand.json'))
  let [records, ids, fields, reported] = [0, 0, 0, 0]

  const same = (value: unknown, own: unknown, about: readonly unknown[], at: string): void => {
    if (value === null || value === undefined || value === '') return
    fields++
    // A number or boolean may be reported as a word with the same meaning.
    if (value === own || (own !== null && typeof own !== 'object' && cell(value) === cell(own))) return
    if (byRecord.has(cell(value))) reported++
    else if (about.some((record) => byRecord.get(cell(record))?.some((one) => one === cell(value) || one.includes(cell(value))))) reported++
    else lost.push(`${at}: ${cell(value)} is ${cell(own ?? null)}`)
  }
  const walk = (value: unknown, own: unknown, about: readonly unknown[], at: string, key: string): void => {
    if (LISTED.has(key)) for (const id of idsIn(value)) same(id, idsIn(own).includes(id) ? id : undefined, about, at)
    else if (SHOWN.has(key)) same(idIn(value), idIn(own), about, at)
    else if (OF_ITS_BRAND.has(key)) same(value, own, [...about, ...brands], at)
    else if (Array.isArray(value) && Array.isArray(own)) {
      for (const [n, one] of value.entries()) {
        const id = isNamed(one) ? one['_id'] : undefined
        const its = id === undefined ? own[n] : own.find((other) => isNamed(other) && other['_id'] === id)
        walk(one, its, id === undefined ? about : [...about, id], `${at}.${n}`, '')
      }
    } else if (Array.isArray(value) && value.length === 1 && isNamed(own)) walk(value[0], own, about, at, '')
    else if (isNamed(value))
      for (const [name, one] of Object.entries(value)) walk(one, isNamed(own) ? ownOf(own, name) : undefined, about, `${at}.${name}`, name)
    else same(value, own, about, at)
  }

  for (const name of [...LISTS, 'app_permissions']) {
    const mine = new Map(recordsOf(now, `${name}.json`).map((record) => [record['_id'], record]))
    for (const record of recordsOf(old, `${name}.json`)) {
      records++
      const own = mine.get(record['_id'])
      if (own) ids++
      walk(record, own, [record['_id']], `${name} ${cell(record['_id'])}`, '')
    }
  }
  for (const [name, answer] of old) {
    if (!name.startsWith('charter_affair/') || !isNamed(answer)) continue
    const [affair] = answer['charter_affair_info'] as Named[]
    const [own] = (now.get(name) as Named)['charter_affair_info'] as Named[]
    records++
    if (affair && own && affair['_id'] === own['_id']) ids++
    walk(affair, own, [affair?.['_id']], name, '')
  }
  return { records, ids, fields, reported, lost }
}

/** The field of the same name in our responses; address fields may be at the site's top level. */
const ownOf = (own: Named, name: string): unknown => (!(name in own) && isNamed(own['address']) ? own['address'][name] : own[name])
