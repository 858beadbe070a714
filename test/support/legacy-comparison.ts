import type { LegacyResponses } from './legacy-answers.ts'

type Named = Readonly<Record<string, unknown>>
interface ReportedValue {
  readonly recordId: string
  readonly value: string
}
export interface LegacyComparison {
  readonly records: number
  readonly ids: number
  readonly slugs: number
  readonly fields: number
  /** Values that are told of in the report and not stored as they were. */
  readonly reported: number
  /** Values that are neither stored nor told of. */
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

const LISTS = ['brand', 'charters_pop', 'sites_pop', 'people', 'regions_pop', 'roles', 'programtypes', 'app_permissions'] as const
/** Records of their own that others list: here it matters that they are listed. */
const LISTED = new Set(['sites', 'charters', 'roles', 'charter_affair_info', 'programTypes'])
/** Records of their own that others show. */
const SHOWN = new Set(['charter', 'region', 'site', 'person', 'role_match'])
/** Pictures that a charter shows of its brand: the report tells of the brand. */
const OF_ITS_BRAND = new Set(['brandPhoto', 'brandIcon'])
const FLAT = new Set([
  'address_1',
  'address_2',
  'city',
  'state',
  'zip',
  'phone',
  'fax',
  'start_day',
  'end_day',
  'start_time',
  'end_time',
  'description',
  'closures',
])

/** Compares every value of an old folder with what our API answers, and what is not the same with the report. It uses no code of the import. */
export const compareWithFolder = (old: LegacyResponses, now: LegacyResponses, report: readonly ReportedValue[]): LegacyComparison => {
  const byRecord = new Map<string, string[]>()
  for (const { recordId, value } of report) byRecord.set(recordId, [...(byRecord.get(recordId) ?? []), value])
  const lost: string[] = []
  const brands = idsIn(recordsOf(old, 'brand.json'))
  let [records, ids, slugs, fields, reported] = [0, 0, 0, 0, 0]

  const same = (value: unknown, own: unknown, about: readonly unknown[], at: string): void => {
    if (value === null || value === undefined || value === '') return
    fields++
    // A number or a truth may be told as a word: it says the same.
    if (value === own || (own !== null && typeof own !== 'object' && cell(value) === cell(own))) return
    if (byRecord.has(cell(value))) reported++
    else if (about.some((record) => byRecord.get(cell(record))?.some((one) => one === cell(value) || one.includes(cell(value))))) reported++
    else lost.push(`${at}: ${cell(value)} is ${cell(own ?? null)}`)
  }
  const walk = (value: unknown, own: unknown, about: readonly unknown[], at: string, key: string): void => {
    if (LISTED.has(key))
      for (const id of idsIn(value))
        same(
          id,
          idsIn(own).find((one) => one === id),
          about,
          at,
        )
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

  for (const name of LISTS) {
    const mine = new Map(recordsOf(now, `${name}.json`).map((record) => [record['_id'], record]))
    for (const record of recordsOf(old, `${name}.json`)) {
      records++
      const own = mine.get(record['_id'])
      if (own) ids++
      if (own && typeof record['slug'] === 'string' && record['slug'] === own['slug']) slugs++
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
  return { records, ids, slugs, fields, reported, lost }
}

/** Where our answers have a field of the same name: an address may stand at the site's own level, too. */
const ownOf = (own: Named, name: string): unknown => (FLAT.has(name) && isNamed(own['address']) ? own['address'][name] : own[name])
