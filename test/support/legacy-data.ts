import { createHash } from 'node:crypto'

import type { LegacyResponses } from './legacy-responses.ts'

type Named = Record<string, unknown>
const worded = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
const hex = (words: string): string => createHash('sha256').update(words).digest('hex').slice(0, 24)
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The number of each oddity in the folder, which the report must list. */
type Oddities = Record<'unknown' | 'danglingPlaces' | 'otherApplication' | 'brokenFiles' | 'badDates', number>

const without = (record: Named, ...names: string[]): Named =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
const only = (record: Named, ...names: string[]): Named => Object.fromEntries(names.map((name) => [name, record[name]]))
/** Fields that Mongoose adds to every document. */
const stored = (record: Named): Named => ({ ...without(record, 'version', 'updatedBy'), __v: 0, createdAt: '2019-08-01T15:04:05.000Z' })
const usDay = (day: unknown): unknown => (typeof day === 'string' ? day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1') : day)
const isoMoment = (day: unknown): unknown => (typeof day === 'string' ? `${day}T00:00:00.000Z` : day)

/**
 * A network's responses in the format of the old program: MongoDB ids, records nested in others, whole or by id, and the oddities of years of use:
 * dates as typed text, booleans as words, unformatted phone numbers, obsolete fields, dangling references.
 */
export const toLegacyFolder = (answers: LegacyResponses): { files: LegacyResponses; oddities: Readonly<Oddities> } => {
  const oddities: Oddities = { unknown: 0, danglingPlaces: 0, otherApplication: 0, brokenFiles: 1, badDates: 0 }
  const text = JSON.stringify([...answers])
    .replaceAll(UUID, hex)
    .replaceAll('/api/pictures/', 'https://files.example.org/photos/')
  const from = new Map(JSON.parse(text) as [string, unknown][])
  const list = (name: string): Named[] => from.get(`${name}.json`) as Named[]
  const files: LegacyResponses = new Map()

  const brands = list('brand').map((brand) => ({
    ...without(stored(brand), 'slug'),
    charters: (brand['charters'] as Named[]).map((one) => only(one, '_id', 'name', 'status')),
  }))
  files.set('brand.json', brands)
  files.set(
    'charters_pop.json',
    list('charters_pop').map((charter, n) => ({
      ...without(stored(charter), 'brand', 'charter_number', 'charter_grade_levels', 'directory_id', 'studentCountUpdatedAt'),
      charterContactnumber:
        n % 4 === 0 && typeof charter['charterContactnumber'] === 'string'
          ? charter['charterContactnumber'].replace(/^(\d{3})-/, '($1) ')
          : charter['charterContactnumber'],
      studentCount: n % 3 === 0 ? worded(charter['studentCount']) : charter['studentCount'],
      sites: (charter['sites'] as Named[]).map((one) => (n % 2 === 0 ? only(one, '_id', 'status') : one['_id'])),
      charter_affair_info: (charter['charter_affair_info'] as Named[]).map((one) => (n % 2 === 0 ? one['_id'] : one)),
    })),
  )
  const sites = list('sites_pop').map((site, n) => oldSite(site, n, oddities))
  files.set('sites_pop.json', sites)
  const people = list('people')
  const unlisted = new Set(people.filter((person) => (person['roles'] as Named[]).length > 0).slice(0, 3))
  const ids = (value: unknown): unknown => (value as Named[]).map(({ _id }) => _id)
  files.set('people.json', {
    success: true,
    data: people
      .filter((person) => !unlisted.has(person))
      .map((person) => ({ ...without(stored(person), 'locations', 'leftAt'), sites: ids(person['sites']), roles: ids(person['roles']) })),
  })
  files.set('regions_pop.json', {
    data: list('regions_pop').map((region) => ({
      ...stored(region),
      sites: (region['sites'] as Named[]).map((one) => only(one, '_id', 'status')),
    })),
  })
  files.set('roles.json', `\uFEFF${JSON.stringify(list('roles').map((role) => without(role, 'group')))}`)
  files.set('programtypes', JSON.stringify(list('programtypes').map((one) => ({ ...one, __v: 0 }))))
  for (const [name, answer] of from) {
    if (!name.startsWith('charter_affair/')) continue
    const charter = answer as Named
    const [affair] = charter['charter_affair_info'] as Named[]
    if (affair) files.set(name, { ...only(charter, '_id', 'name', 'slug', 'brandName'), charter_affair_info: [oldAffair(affair)] })
  }
  files.set('charter_affair/broken.json', '<html><body>502 Bad Gateway</body></html>')
  const granted = list('app_permissions').map((one) => ({
    ...without(stored(one), 'grantedAt', 'grantedBy'),
    personID: only(one['personID'] as Named, 'name', 'azureID'),
  }))
  const other = granted.slice(0, 2).map((one, n) => ({ ...one, _id: hex(`other ${n}`), applicationID: hex('another application') }))
  oddities.otherApplication = other.length
  files.set('app_permissions.json', [...granted, ...other])
  return { files, oddities }
}

const oldSite = (site: Named, n: number, oddities: Oddities): Named => {
  const facility = { ...stored(site['facility_info'] as Named), _id: hex(`facility ${worded(site['_id'])}`) } as Named
  const enrollment = { ...stored(site['enrollment_info'] as Named), _id: hex(`enrollment ${worded(site['_id'])}`) } as Named
  if (n % 2 === 0)
    Object.assign(facility, {
      lease_start: usDay(facility['lease_start']),
      lease_end: isoMoment(facility['lease_end']),
      partnership: worded(facility['partnership']),
    })
  if (n % 10 === 3) {
    Object.assign(facility, { lease_start: 'when the roof is done' })
    oddities.badDates++
  }
  const address = { ...(site['address'] as Named) }
  if (n % 3 === 0 && typeof address['phone'] === 'string') address['phone'] = address['phone'].replaceAll('-', '.')
  const people: Named[] = (site['people'] as Named[]).map((one, at) => ({
    _id: one['_id'],
    // Nested whole, so that even people in no list are found.
    person: only(one['person'] as Named, '_id', 'name', 'slug', 'phone', 'email'),
    role_match: at % 3 === 0 ? one['role_match'] : (one['role_match'] as Named)['_id'],
  }))
  const old: Named = {
    ...without(stored(site), 'principal', 'latitude', 'longitude', 'directory_id', 'address'),
    charter: site['charter'] && only(site['charter'] as Named, '_id', 'name', 'brandName'),
    region:
      n % 5 === 0 ? ((site['region'] as Named | null)?.['_id'] ?? null) : site['region'] && only(site['region'] as Named, '_id', 'name'),
    people,
    facility_info: n % 4 === 0 ? [facility] : facility,
    enrollment_info: {
      ...enrollment,
      programTypes: ((enrollment['programTypes'] as Named[]) ?? []).map(({ _id, name }) =>
        n % 2 === 0 ? { id: _id, name } : { _id, name },
      ),
    },
    sis_sites: (site['sis_sites'] as Named[]).map((one) => ({
      ...stored(one),
      site: site['_id'],
      status: n % 2 === 0 ? worded(one['status']) : one['status'],
    })),
  }
  if (n % 3 === 1) Object.assign(old, address)
  else old['address'] = n % 3 === 2 ? [address] : address
  if (n % 7 === 0) {
    old['legacyCode'] = `LC-${n}`
    oddities.unknown++
  }
  if (n % 6 === 1) old['status'] = worded(site['status']).toLowerCase()
  if (n % 9 === 4) {
    people.push({ _id: hex(`nobody ${n}`), person: hex(`no person ${n}`), role_match: people[0]?.['role_match'] ?? hex('no role') })
    oddities.danglingPlaces++
  }
  return old
}

const oldAffair = (affair: Named): Named => {
  const parts = (name: string): Named[] => (affair[name] as Named[]).map((one) => without(one, 'version', 'updatedAt', 'updatedBy'))
  return { ...stored(affair), authorizer_board_member: parts('authorizer_board_member'), center_district: parts('center_district') }
}
