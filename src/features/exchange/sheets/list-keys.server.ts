import type { QueryOf } from '../../../contract/call.ts'
import { invalidFields, toFieldErrors } from '../../../contract/problem.ts'
import { STATUSES } from '../../../contract/status.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'
import { ListRequest } from '../../../records/list-download/contract.ts'
import { listRecordIds } from '../exports/queries.server.ts'
import { SHEETS } from './columns.server.ts'
import { type downloadSheet, FILTER_NAMES, type SheetKind } from './contract.ts'
import { readNames } from './record-names.server.ts'
import { SHEETS_OF_LISTS } from './rules.ts'

type Filter = QueryOf<typeof downloadSheet>
interface FilteredRow {
  readonly _id: string
  /** The record of the list that the row belongs to. */
  readonly owner: string
  readonly region?: string | null
  readonly charter?: string | null
  readonly status?: string | null
}

/** The lists of each kind of record, starting with the list of all records; each list of people contains only some of them. */
const LISTS: Readonly<Record<(typeof SHEETS_OF_LISTS)[SheetKind]['list'], readonly ListRequest['list'][]>> = {
  site: ['sites', 'region_sites', 'charter_sites'],
  charter: ['charters', 'brand_charters'],
  brand: ['brands'],
  person: ['leadership', 'support'],
}

/** The rows that a sheet of a kind may have, with the properties that filters use. */
const listRows = async ({ readModel: model, db }: AppContext, kind: EditableRecordKind): Promise<FilteredRow[]> => {
  const own = (rows: Iterable<Omit<FilteredRow, 'owner'>>) => [...rows].map((row) => ({ ...row, owner: row._id }))
  if (kind.listRows) return (await kind.listRows(db, model)).map((row) => ({ ...row, owner: row.charter ?? row._id }))
  switch (kind.kind) {
    case 'site':
      return own(model.table('site').all())
    case 'sis_site':
      return [...model.table('sis_site').all()].map(({ _id, site }) => ({ ...model.table('site').get(site), _id, owner: site }))
    case 'person':
      return own([...model.table('person').all()].filter(({ leftAt }) => leftAt === null))
    case 'brand':
      return own(model.table('brand').all())
    case 'charter':
    case 'charter_affair':
    case 'authorizer_board_member':
    case 'center_district':
      return own([...model.table('charter').all()].map(({ _id, status }) => ({ _id, status, charter: _id })))
  }
}

const findRecord = (model: ReadModel, table: 'region' | 'charter', idOrSlug: string) => {
  const _id = model.findId(table, idOrSlug)
  const row = _id === undefined ? undefined : model.table(table).get(_id)
  if (!row) throw invalidFields([{ path: table, message: 'Nothing with this name was found' }])
  return row
}

const isStatus = (status: string | undefined): boolean => STATUSES.some((one) => one === status)

/** The filters that need no list: a single status, and the charter of any row. */
const matchesRow = (model: ReadModel, { charter, status }: Filter): ((row: FilteredRow) => boolean) => {
  const charterId = charter === undefined ? undefined : findRecord(model, 'charter', charter)._id
  return (row) => (charterId === undefined || row.charter === charterId) && (!isStatus(status) || row.status === status)
}

/** The list that the filters refer to, as a download request; undefined if they refer to none. */
const toListRequest = (model: ReadModel, sheet: SheetKind, filter: Filter): ListRequest | undefined => {
  const { list, of, search, sort, region, status } = filter
  const lists = LISTS[SHEETS_OF_LISTS[sheet].list]
  const own = {
    region: region === undefined ? undefined : findRecord(model, 'region', region).slug,
    status: isStatus(status) ? undefined : status,
  }
  const given = FILTER_NAMES.map((name) => [name, { ...filter, ...own }[name]] as const).filter(([, value]) => value !== undefined)
  if (given.length === 0 && [list, of, search, sort].every((one) => one === undefined)) return undefined
  const name = list ?? (SHEETS_OF_LISTS[sheet].list === 'person' ? undefined : lists[0])
  if (!lists.some((one) => one === name)) throw invalidFields([{ path: 'list', message: `Name the list: ${lists.join(' or ')}` }])
  const checked = ListRequest.safeParse({
    list: name,
    ...(of === undefined ? {} : { of }),
    search,
    sort,
    format: 'xlsx',
    filters: Object.fromEntries(given),
  })
  if (checked.success) return checked.data
  throw invalidFields(toFieldErrors(checked.error).map(({ path, message }) => ({ path: path.replace(/^filters\./, ''), message })))
}

/** The keys of the records of a sheet with these ids. */
export const findKeys = async (
  { readModel: model, db, kinds }: AppContext,
  sheet: SheetKind,
  ids: readonly string[],
): Promise<string[]> => {
  await model.ready()
  return [...new Set(await Promise.all(ids.map((one) => kinds[SHEETS[sheet].kind].findKey(db, model, one))))]
}

/** The keys of the records in a sheet: in the order of the requested list, otherwise by name. */
export const listKeys = async (context: AppContext, sheet: SheetKind, filter: Filter): Promise<string[]> => {
  if (filter.ids !== undefined) return findKeys(context, sheet, filter.ids.split(',').filter(Boolean))
  const { readModel: model, kinds } = context
  await model.ready()
  const kind = kinds[SHEETS[sheet].kind]
  const request = toListRequest(model, sheet, filter)
  const indexes = request && new Map((await listRecordIds(context, request)).map((_id, index) => [_id, index]))
  const getIndex = ({ owner }: FilteredRow): number => indexes?.get(owner) ?? 0
  const nameOf = await readNames(context, kind)
  const matches = matchesRow(model, filter)
  return (await listRows(context, kind))
    .filter((row) => matches(row) && (indexes === undefined || indexes.has(row.owner)))
    .map((row) => ({ _id: row._id, index: getIndex(row), name: nameOf(row._id) ?? '' }))
    .toSorted((a, b) => a.index - b.index || a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1))
    .map(({ _id }) => _id)
}
