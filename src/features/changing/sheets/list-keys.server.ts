import type { QueryOf } from '../../../contract/call.ts'
import { FILTER_NAMES } from '../../../contract/lists.ts'
import { invalidFields } from '../../../contract/problem.ts'
import { SHEETS, type SheetKind } from '../../../contract/sheets.ts'
import { STATUSES } from '../../../contract/status.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { ListedRow } from '../../../platform/server/record-editor.ts'
import { type downloadSheet } from './contract.ts'
import { readNames } from './record-names.server.ts'

type Filter = QueryOf<typeof downloadSheet>

const findRecord = (model: ReadModel, table: 'region' | 'charter', idOrSlug: string) => {
  const _id = model.findId(table, idOrSlug)
  const row = _id === undefined ? undefined : model.table(table).get(_id)
  if (!row) throw invalidFields([{ path: table, message: 'Nothing with this name was found' }])
  return row
}

const isStatus = (status: string | undefined): boolean => STATUSES.some((one) => one === status)

/** The filters that need no list: a single status, and the charter of any row. */
const matchesRow = (model: ReadModel, { charter, status }: Filter): ((row: ListedRow) => boolean) => {
  const charterId = charter === undefined ? undefined : findRecord(model, 'charter', charter)._id
  return (row) => (charterId === undefined || row.charter === charterId) && (!isStatus(status) || row.status === status)
}

/** The list that the filters refer to, as a download request; undefined if they refer to none. */
const toListRequest = ({ readModel: model, kinds }: AppContext, sheet: SheetKind, filter: Filter): object | undefined => {
  const { list, of, search, sort, group, region, status } = filter
  const { all, others = [] } = kinds[SHEETS[sheet].list].lists ?? {}
  const lists = all === undefined ? others : [all, ...others]
  const own = {
    region: region === undefined ? undefined : findRecord(model, 'region', region).slug,
    status: isStatus(status) ? undefined : status,
  }
  const given = FILTER_NAMES.map((name) => [name, { ...filter, ...own }[name]] as const).filter(([, value]) => value !== undefined)
  if (given.length === 0 && [list, of, search, sort, group].every((one) => one === undefined)) return undefined
  const name = list ?? all
  if (!lists.some((one) => one === name)) throw invalidFields([{ path: 'list', message: `Name the list: ${lists.join(' or ')}` }])
  return {
    list: name,
    ...(of === undefined ? {} : { of }),
    search,
    sort,
    group,
    format: 'xlsx',
    filters: Object.fromEntries(given),
  }
}

/** The keys of the records of a sheet with these ids. */
export const findKeys = async ({ readModel: model, kinds }: AppContext, sheet: SheetKind, ids: readonly string[]): Promise<string[]> => {
  await model.ready()
  return [...new Set(ids.map((one) => kinds[SHEETS[sheet].kind].findKey(model, one)))]
}

/** The keys of the records in a sheet: in the order of the requested list, otherwise by name. */
export const listKeys = async (context: AppContext, sheet: SheetKind, filter: Filter): Promise<string[]> => {
  if (filter.ids !== undefined) return findKeys(context, sheet, filter.ids.split(',').filter(Boolean))
  const { readModel: model, kinds } = context
  await model.ready()
  const kind = kinds[SHEETS[sheet].kind]
  const request = toListRequest(context, sheet, filter)
  const indexes = request && new Map((await context.listRecordIds(context, request)).map((_id, index) => [_id, index]))
  const getIndex = ({ owner }: ListedRow): number => indexes?.get(owner) ?? 0
  const nameOf = await readNames(context, kind)
  const matches = matchesRow(model, filter)
  return (await kind.listRows(context.db, model))
    .filter((row) => matches(row) && (indexes === undefined || indexes.has(row.owner)))
    .map((row) => ({ _id: row._id, index: getIndex(row), name: nameOf(row._id) ?? '' }))
    .toSorted((a, b) => a.index - b.index || a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1))
    .map(({ _id }) => _id)
}
