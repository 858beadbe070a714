import { buildColumnFilter, getColumnValue, parseColumnFilters, parseGroup } from '../../contract/column-filters.ts'
import {
  type CellText,
  compareSortKeys,
  compareSortPositions,
  getSortKey,
  type ListColumn,
  type SortPosition,
  getSortPosition,
  parseSort,
  type RecordList,
  buildSearchText,
} from '../../contract/lists.ts'
import { createTextMatcher } from '../../contract/text-match.ts'
import { sortInChunks } from '../../platform/server/chunked-sort.ts'
import { nextTurn } from '../../platform/server/time-slices.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'

const BATCH_SIZE = 200

/** The rows and the filter of a list. */
export interface ExportListSource<T> {
  readonly title: string
  readonly list: RecordList<T>
  readonly rows: Iterable<T>
  readonly matches: (record: T) => boolean
}

export interface FileColumn {
  readonly label: string
  readonly kind: 'text' | 'day' | 'number'
}

export interface ListRows {
  readonly columns: readonly FileColumn[]
  readonly rows: readonly (readonly string[])[]
}

interface MatchingRow<Picked> {
  readonly position: SortPosition
  readonly key: CellText
  readonly group: CellText
  readonly picked: Picked
}

const getCellKind = <T>({ day, isNumber }: ListColumn<T>): FileColumn['kind'] => (day ? 'day' : isNumber ? 'number' : 'text')

/** Maps each record shown by a page, in its order. Only the results and the sort keys of matching records stay in memory. */
export const pickListed = async <T, Picked>(
  { list, rows, matches: passes }: ExportListSource<T>,
  { search, sort, group, filters }: Pick<ListRequest, 'search' | 'sort' | 'group' | 'filters'>,
  timeZone: string,
  pick: (record: T) => Picked,
): Promise<Picked[]> => {
  const isFound = createTextMatcher(search)
  const sorted = parseSort(sort, list.columns)
  const grouped = parseGroup(group, sort, list.columns)
  const passesColumns = buildColumnFilter(parseColumnFilters(filters.where, list.columns), list.columns, timeZone)
  const kept: MatchingRow<Picked>[] = []
  let count = 0
  for (const record of rows) {
    if (++count % BATCH_SIZE === 0) await nextTurn()
    if (!passes(record) || !passesColumns(record) || !isFound(buildSearchText(record, list.getSearchTexts))) continue
    kept.push({
      position: getSortPosition(list, record),
      group: grouped ? getSortKey(grouped.column, record, timeZone) : null,
      key: sorted ? getSortKey(sorted.column, record, timeZone) : null,
      picked: pick(record),
    })
  }
  const inOrder = await sortInChunks(
    kept,
    (a, b) =>
      (grouped ? compareSortKeys(a.group, b.group, grouped.isDescending) : 0) ||
      (sorted ? compareSortKeys(a.key, b.key, sorted.isDescending) : 0) ||
      compareSortPositions(a.position, b.position),
  )
  return inOrder.map(({ picked }) => picked)
}

/** Reads the rows shown by a page, in its order. */
export const readListRows = async <T>(
  source: ExportListSource<T>,
  { columns: named, ...order }: Pick<ListRequest, 'search' | 'sort' | 'group' | 'filters' | 'columns'>,
  timeZone: string,
): Promise<ListRows> => {
  const { columns: all } = source.list
  const columns = named
    ? named.flatMap((key) => all.filter((column) => column.key === key))
    : all.filter(({ detailOf }) => detailOf === undefined)
  return {
    columns: columns.map((column) => ({ label: column.label, kind: getCellKind(column) })),
    rows: await pickListed(source, order, timeZone, (record) =>
      columns.map((column) => getColumnValue({ text: column.day ?? column.text }, record, timeZone)),
    ),
  }
}
