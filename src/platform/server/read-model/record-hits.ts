import { formatCount } from '../../../contract/format.ts'
import { KIND_LINES, NAME_COLUMNS, type RecordHit, type RecordKind } from '../../../contract/records.ts'
import type { ReadModel } from './read-model.ts'

// The rows that a hit is built from, with the required columns; they may have more.

interface Addressable {
  readonly _id: string
  readonly slug: string
  readonly version: number
}
interface PersonRow extends Addressable {
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly leftAt: unknown
}
interface SiteRow extends Addressable {
  readonly displayName: string
  readonly city: string | null
  readonly state: string | null
  readonly category: string | null
  readonly finance_id: string | null
  readonly phone: string | null
  readonly status: NonNullable<RecordHit['status']>
}
interface CharterRow extends Addressable {
  readonly name: string
  readonly studentCount: number | null
  readonly charterContactnumber: string | null
  readonly status: NonNullable<RecordHit['status']>
}
type AnyRow = Addressable & Readonly<Record<string, unknown>>

/** The source of the rows. */
export interface HitSource {
  readonly getPerson: (_id: string) => PersonRow | undefined
  readonly getSite: (_id: string) => SiteRow | undefined
  readonly getCharter: (_id: string) => CharterRow | undefined
  /** A record of a kind whose line is made of the columns that its declaration names. */
  readonly getRow: (kind: RecordKind, _id: string) => Addressable | undefined
  readonly getRole: (_id: string) => { readonly name: string; readonly group: string } | undefined
  readonly listPositions: (person: string) => readonly { readonly site: string; readonly role: string }[]
  readonly countSites: (of: 'charter' | 'region', _id: string) => number
  readonly countCharters: (brand: string) => number
}

/** Additional information about a search match. */
export interface HitContext {
  /** The role that matched; without one a person is shown with their first role. */
  readonly role?: string | null
  /** Whether the query matches a site, by the words of its display name and city. */
  readonly isSearchedSite?: (nameAndCity: string) => boolean
}

/** A person with more positions than this is shown with the number of sites only. */
const MAX_POSITIONS_TO_CHOOSE_FROM = 60

const joinDetails = (details: readonly (string | null)[]): string =>
  details.filter((detail) => detail !== null && detail !== '').join(' · ')
/** The first item in the order of several keys. */
const findFirst = <T>(items: readonly T[], getKey: (item: T) => readonly (string | number)[]): T | undefined => {
  const compare = (a: readonly (string | number)[], b: readonly (string | number)[]): number => {
    for (const [at, key] of a.entries()) {
      const other = b[at] ?? ''
      if (key !== other) return key < other ? -1 : 1
    }
    return 0
  }
  let best: { readonly item: T; readonly key: readonly (string | number)[] } | undefined
  for (const item of items) {
    const key = getKey(item)
    if (!best || compare(key, best.key) < 0) best = { item, key }
  }
  return best?.item
}

/** 'Principal · Lodi Resource Center and 2 more' */
const formatPositions = (source: HitSource, person: PersonRow, { role: foundRole, isSearchedSite }: HitContext): string => {
  const positions = source.listPositions(person._id)
  const roles = [...new Set(positions.map(({ role }) => role))].flatMap((_id) => {
    const role = source.getRole(_id)
    return role && (foundRole === null || foundRole === undefined || foundRole === _id) ? [{ _id, ...role }] : []
  })
  const role = findFirst(roles, ({ _id, name, group }) => [group, name === 'Principal' ? 0 : 1, name, _id])
  if (!role) return person.leftAt === null ? 'No role assigned' : 'Left'
  const held = positions.filter((position) => position.role === role._id)
  const sites = held.length > MAX_POSITIONS_TO_CHOOSE_FROM ? [] : held.flatMap(({ site }) => source.getSite(site) ?? [])
  const isSearched = ({ displayName, city }: SiteRow): boolean => isSearchedSite?.(`${displayName} ${city ?? ''}`) === true
  const shown = findFirst(sites, (site) => [isSearched(site) ? 0 : 1, site.status.includes('CLOSED') ? 1 : 0, site.displayName, site._id])
  if (!shown || (held.length > 1 && !isSearched(shown))) return joinDetails([role.name, formatCount(held.length, 'site')])
  return joinDetails([role.name, held.length > 1 ? `${shown.displayName} and ${held.length - 1} more` : shown.displayName])
}

type ToHit = (source: HitSource, _id: string, context: HitContext) => RecordHit | undefined

const toPersonHit: ToHit = (source, _id, context) => {
  const person = source.getPerson(_id)
  if (!person) return undefined
  const { slug, name, phone, email, version } = person
  return { kind: 'person', _id, slug, name, detail: formatPositions(source, person, context), phone, email, status: null, version }
}

const toSiteHit: ToHit = (source, _id) => {
  const site = source.getSite(_id)
  if (!site) return undefined
  const { slug, displayName: name, city, state, category, finance_id: number, phone, status, version } = site
  const cityAndState = [city, state].filter((part) => part !== null).join(', ')
  const detail = joinDetails([cityAndState, category, number === null ? null : `Finance no. ${number}`])
  return { kind: 'site', _id, slug, name, detail, phone, email: null, status, version }
}

const toCharterHit: ToHit = (source, _id) => {
  const charter = source.getCharter(_id)
  if (!charter) return undefined
  const { slug, name, studentCount, charterContactnumber: phone, status, version } = charter
  const students = studentCount === null ? null : formatCount(studentCount, 'student')
  const detail = joinDetails([students, formatCount(source.countSites('charter', _id), 'site')])
  return { kind: 'charter', _id, slug, name, detail, phone, email: null, status, version }
}

/** Kinds whose line says more than the columns that the declaration names. */
const TO_HIT: Readonly<Partial<Record<RecordKind, ToHit>>> = { person: toPersonHit, site: toSiteHit, charter: toCharterHit }

/** What a line shows of records that contain others. */
const COUNTS: Readonly<Partial<Record<RecordKind, (source: HitSource, _id: string) => string>>> = {
  brand: (source, _id) => formatCount(source.countCharters(_id), 'charter'),
  region: (source, _id) => formatCount(source.countSites('region', _id), 'site'),
}

const toDeclaredHit = (source: HitSource, kind: RecordKind, _id: string): RecordHit | undefined => {
  const row = source.getRow(kind, _id) as AnyRow | undefined
  if (!row) return undefined
  const { slug, version } = row
  const columns = KIND_LINES[kind]
  const read = (column: string | undefined): string | null => (column === undefined ? null : ((row[column] ?? null) as string | null))
  return {
    kind,
    _id,
    slug,
    name: String(row[NAME_COLUMNS[kind]]),
    detail: COUNTS[kind]?.(source, _id) ?? read(columns.detail) ?? '',
    phone: read(columns.phone),
    email: null,
    status: read(columns.status) as RecordHit['status'],
    version,
  }
}

/** A record in one line; undefined if it does not exist. */
export const toRecordHit = (source: HitSource, kind: RecordKind, _id: string, context: HitContext = {}): RecordHit | undefined =>
  TO_HIT[kind] ? TO_HIT[kind](source, _id, context) : toDeclaredHit(source, kind, _id)

const createHitSource = (model: ReadModel): HitSource => ({
  getPerson: (_id) => model.table('person').get(_id),
  getSite: (_id) => model.table('site').get(_id),
  getCharter: (_id) => model.table('charter').get(_id),
  getRow: (kind, _id) => model.table(kind).get(_id),
  getRole: (_id) => model.table('role').get(_id),
  listPositions: (person) => model.table('site_person').where('person', person),
  countSites: (of, _id) => model.table('site').where(of, _id).length,
  countCharters: (brand) => model.table('charter').where('brand', brand).length,
})

/** A record as one line; undefined if it does not exist. */
export const getRecordHit = (model: ReadModel, kind: RecordKind, _id: string, context?: HitContext): RecordHit | undefined =>
  toRecordHit(createHitSource(model), kind, _id, context)

/** Records of any kind in the given order, one line each; missing records are skipped. */
export const listRecordHits = async (
  model: ReadModel,
  records: readonly { readonly kind: RecordKind; readonly record: string }[],
): Promise<RecordHit[]> => {
  await model.ready()
  return records.flatMap(({ kind, record }) => getRecordHit(model, kind, record) ?? [])
}
