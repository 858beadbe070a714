import { formatCount } from '../../../contract/format.ts'
import { KIND_LINES, NAME_COLUMNS, RECORD_NOUNS, type RecordHit, type RecordKind } from '../../../contract/records.ts'
import type { ReadModel } from './read-model.ts'

type Row = Readonly<Record<string, unknown>>
/** What a person's line says of a site. */
interface SiteRow {
  readonly _id: string
  readonly displayName: string
  readonly city: string | null
  readonly status: string
}

/** The source of the rows. */
export interface HitSource {
  readonly getRow: (kind: RecordKind, _id: string) => object | undefined
  readonly getRole: (_id: string) => { readonly name: string; readonly group: string } | undefined
  readonly listPositions: (person: string) => readonly { readonly site: string; readonly role: string }[]
  /** How many records of a kind refer to a record. */
  readonly count: (counted: 'charter' | 'site', kind: RecordKind, _id: string) => number
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
const formatPositions = (source: HitSource, person: Row, { role: foundRole, isSearchedSite }: HitContext): string => {
  const positions = source.listPositions(String(person['_id']))
  const roles = [...new Set(positions.map(({ role }) => role))].flatMap((_id) => {
    const role = source.getRole(_id)
    return role && (foundRole === null || foundRole === undefined || foundRole === _id) ? [{ _id, ...role }] : []
  })
  const role = findFirst(roles, ({ _id, name, group }) => [group, name === 'Principal' ? 0 : 1, name, _id])
  if (!role) return person['leftAt'] === null ? 'No role assigned' : 'Left'
  const held = positions.filter((position) => position.role === role._id)
  const sites =
    held.length > MAX_POSITIONS_TO_CHOOSE_FROM ? [] : held.flatMap(({ site }) => (source.getRow('site', site) as SiteRow | undefined) ?? [])
  const isSearched = ({ displayName, city }: SiteRow): boolean => isSearchedSite?.(`${displayName} ${city ?? ''}`) === true
  const shown = findFirst(sites, (site) => [isSearched(site) ? 0 : 1, site.status.includes('CLOSED') ? 1 : 0, site.displayName, site._id])
  if (!shown || (held.length > 1 && !isSearched(shown))) return joinDetails([role.name, formatCount(held.length, 'site')])
  return joinDetails([role.name, held.length > 1 ? `${shown.displayName} and ${held.length - 1} more` : shown.displayName])
}

type Detail = (typeof KIND_LINES)[RecordKind]['details'][number]

const readText = (row: Row, column: string | undefined): string | null => {
  const value = column === undefined ? null : row[column]
  return typeof value === 'string' ? value : null
}

const formatDetail = (source: HitSource, kind: RecordKind, row: Row, _id: string, detail: Detail, context: HitContext): string | null => {
  if (typeof detail === 'string') return readText(row, detail)
  if ('positions' in detail) return formatPositions(source, row, context)
  if ('counts' in detail) return formatCount(source.count(detail.counts, kind, _id), RECORD_NOUNS[detail.counts])
  if (!('column' in detail)) return detail.flatMap((column) => readText(row, column) ?? []).join(', ')
  const value = row[detail.column]
  if ('noun' in detail) return typeof value === 'number' ? formatCount(value, detail.noun) : null
  return typeof value === 'string' ? `${detail.label} ${value}` : null
}

/** A record in one line; undefined if it does not exist. */
export const toRecordHit = (source: HitSource, kind: RecordKind, _id: string, context: HitContext = {}): RecordHit | undefined => {
  const row = source.getRow(kind, _id) as Row | undefined
  if (!row) return undefined
  const { details, phone, email, status } = KIND_LINES[kind]
  return {
    kind,
    _id,
    slug: String(row['slug']),
    name: String(row[NAME_COLUMNS[kind]]),
    detail: joinDetails(details.map((detail) => formatDetail(source, kind, row, _id, detail, context))),
    phone: readText(row, phone),
    email: readText(row, email),
    status: readText(row, status) as RecordHit['status'],
    version: Number(row['version']),
  }
}

/** The rows of a model. */
export const createHitSource = (model: ReadModel): HitSource => ({
  getRow: (kind, _id) => model.table(kind).get(_id),
  getRole: (_id) => model.table('role').get(_id),
  listPositions: (person) => model.table('site_person').where('person', person),
  count: (counted, kind, _id) => model.table(counted).countWhere(kind, _id),
})

/** A record as one line; undefined if it does not exist. */
export const getRecordHit = (model: ReadModel, kind: RecordKind, _id: string, context?: HitContext): RecordHit | undefined =>
  toRecordHit(createHitSource(model), kind, _id, context)

/** Records of any kind in the given order, one line each; missing and archived records are skipped. */
export const listRecordHits = async (
  model: ReadModel,
  records: readonly { readonly kind: RecordKind; readonly record: string }[],
): Promise<RecordHit[]> => {
  await model.ready()
  return records.flatMap(({ kind, record }) => (model.table(kind).getListed(record) ? (getRecordHit(model, kind, record) ?? []) : []))
}
