import { setImmediate as nextTurn } from 'node:timers/promises'

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
  normalizeSearch,
} from '../../../contract/lists.ts'
import { sortInChunks } from '../../../platform/server/chunked-sort.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'

const BATCH_SIZE = 200

/** The rows and the filter of a list. */
export interface ListSource<T> {
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

interface MatchingRow {
  readonly place: SortPosition
  readonly key: CellText
  readonly cells: readonly string[]
}

/** Formats a cell as one line. */
const toCell = (text: CellText): string => (text === null ? '' : String(text).replace(/\s+/g, ' ').trim())

const getCellKind = <T>({ day, isNumber }: ListColumn<T>): FileColumn['kind'] => (day ? 'day' : isNumber ? 'number' : 'text')

/** Reads the rows a page shows, in its order. Only the cells and the sort keys of matching records stay in memory. */
export const readListRows = async <T>(
  { list, rows, matches: passes }: ListSource<T>,
  { search, sort, columns: named }: Pick<ListRequest, 'search' | 'sort' | 'columns'>,
  timeZone: string,
): Promise<ListRows> => {
  const columns = named ? named.flatMap((key) => list.columns.filter((column) => column.key === key)) : list.columns
  const words = normalizeSearch(search)
  const sorted = parseSort(sort, list.columns)
  const kept: MatchingRow[] = []
  let count = 0
  for (const record of rows) {
    if (++count % BATCH_SIZE === 0) await nextTurn()
    if (!passes(record) || !buildSearchText(record, list.getSearchTexts).includes(words)) continue
    kept.push({
      place: getSortPosition(list, record),
      key: sorted ? getSortKey(sorted.column, record, timeZone) : null,
      cells: columns.map((column) => toCell((column.day ?? column.text)(record, timeZone))),
    })
  }
  const inOrder = await sortInChunks(
    kept,
    (a, b) => (sorted ? compareSortKeys(a.key, b.key, sorted.isDescending) : 0) || compareSortPositions(a.place, b.place),
  )
  return {
    columns: columns.map((column) => ({ label: column.label, kind: getCellKind(column) })),
    rows: inOrder.map(({ cells }) => cells),
  }
}
