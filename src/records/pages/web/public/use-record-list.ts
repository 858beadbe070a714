import type { Icon } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import type { Call } from '../../../../contract/call.ts'
import { listOrderingColumns } from '../../../../contract/column-filters.ts'
import type { Noun } from '../../../../contract/format.ts'
import { needsDetails, type RecordList, sortByDefault } from '../../../../contract/lists.ts'
import { EDITABLE_KINDS, RECORD_NOUNS, type RecordKind } from '../../../../contract/records.ts'
import { useCan, useHasLevelFor } from '../../../../platform/web/caller.ts'
import { sendUntyped } from '../../../../platform/web/client.ts'
import type { CardSizes } from '../../../../platform/web/list/CardGrid.tsx'
import { toColumnsFilter } from '../../../../platform/web/list/column-filter-chips.tsx'
import type { Column } from '../../../../platform/web/list/columns.ts'
import type { CopyOption } from '../../../../platform/web/list/CopyMenu.tsx'
import type { EditableList } from '../../../../platform/web/list/edit-in-excel.ts'
import type { ListFilter } from '../../../../platform/web/list/list-filter.ts'
import type { LoadingQuery } from '../../../../platform/web/list/LoadedList.tsx'
import type { PrintedColumn } from '../../../../platform/web/list/PrintedTable.tsx'
import { useListSearch, useMatchingRecords } from '../../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../../platform/web/list/use-plain-words.ts'
import { useSameValues } from '../../../../platform/web/list/use-same-values.ts'
import { useSelection } from '../../../../platform/web/list/use-selection.ts'
import { useTable } from '../../../../platform/web/list/use-table.ts'
import { useIsNarrow } from '../../../../platform/web/narrow.ts'
import { getQueryKey } from '../../../../platform/web/queries.ts'
import { type ListedRequest, useListDownload } from '../../../list-download/web/queries.ts'
import { useArchivedFilter } from '../archived-filter.tsx'

/** A record of a list. */
export interface ListedRecord {
  readonly _id: string
}
export const getRecordKey = ({ _id }: ListedRecord): string => _id

/** How the cards of a list look. */
interface CardDisplay<T> extends CardSizes {
  readonly renderCard: (record: T) => ReactNode
  /** A photo above the text. */
  readonly hasPhoto?: boolean
}

/** The table of a list, whose records can also be copied and selected. */
interface TableDisplay<T> {
  readonly columns: readonly Column<T>[]
  /** What can be copied besides the table itself. */
  readonly copies: readonly CopyOption<T>[]
  /** The label of the default order: 'Active sites first'. */
  readonly orderLabel: string
  /** The table is shown first to everyone, and otherwise to administrators; never on phones, where numbers in columns do not fit. */
  readonly isFirst?: boolean
  /** What is printed to call the people of the list. */
  readonly callList?: readonly PrintedColumn<T>[]
  /** A selectable card: the name, then one or two lines. */
  readonly getLines: (record: T) => readonly [name: string, ...lines: (string | null)[]]
  /** The address that is copied for a selected record. */
  readonly getEmail?: (record: T) => string | null
}

/** How records of one kind are listed. */
export interface ListedKind<T extends ListedRecord> {
  readonly kind: RecordKind
  readonly list: RecordList<T>
  /** The call that lists whole records, for columns that show details. */
  readonly details?: Call
  readonly getPath: (record: T) => string
  /** One line of counts below the title. */
  readonly formatSummary?: (records: readonly T[]) => string
  readonly searchLabel: string
  readonly card: CardDisplay<T>
  /** Undefined if the records are only shown as cards. */
  readonly table?: TableDisplay<T>
  /** Of an empty list. */
  readonly icon: Icon
  /** The title of an empty list: 'No locations to display'. */
  readonly emptyTitle: string
}

type FilterText = Readonly<Record<string, string | undefined>>
type FiltersOf<Values> = { readonly [Name in keyof Values]-?: ListFilter<NonNullable<Values[Name]> & string> }

interface ListOptions<T extends ListedRecord, Values> {
  readonly query: LoadingQuery<readonly T[]>
  /** A query that the filters wait for. */
  readonly pendingQuery?: LoadingQuery<unknown> | null
  /** The key for the user's view and columns on this device. */
  readonly name: string
  /** The key for the selected records in this tab, if it is another one. */
  readonly selectionName?: string
  /** Whether there is a filter for archived records: the query is then one of `useListed`. */
  readonly hasArchived?: boolean
  /** Whether these are all records of the kind. */
  readonly isWhole?: boolean
  /** In the order of their controls. */
  readonly filters: FiltersOf<NoInfer<Values>>
  /** Must be stable between renders. */
  readonly buildFilter: (values: Values) => (record: T) => boolean
  readonly toRequest: (values: NoInfer<Values>) => ListedRequest
}

const NO_RECORDS: readonly never[] = []

/** The state of a list: its records filtered, searched and sorted as the URL says, and what can be done with them. */
export const useRecordList = <T extends ListedRecord, Values extends FilterText>(
  declaration: ListedKind<T>,
  options: ListOptions<T, Values>,
) => {
  const { kind, list, table: display, details: detailsCall } = declaration
  const { query, pendingQuery = null, name, selectionName = name, isWhole = false, hasArchived = false, buildFilter, toRequest } = options
  const archivedFilter = useArchivedFilter(options.filters)
  const isArchived = hasArchived && archivedFilter.value !== undefined
  const archived = isArchived ? ({ archived: '1' } as const) : {}
  const { getSearchTexts } = list
  const narrow = useIsNarrow()
  const isManager = useHasLevelFor('manage the network')
  const mayManage = useCan('manage the network') && !isArchived
  const [hasDetails, setHasDetails] = useState(false)
  const details = useQuery({
    queryKey: detailsCall ? getQueryKey(detailsCall, isArchived ? { params: undefined, query: archived } : undefined) : ['no details'],
    meta: { shows: detailsCall?.shows },
    queryFn:
      detailsCall && hasDetails
        ? ({ signal }) => sendUntyped(detailsCall, { signal, query: archived }) as Promise<unknown> as Promise<readonly T[]>
        : skipToken,
  })
  const records = useMemo(() => {
    const whole = new Map(details.data?.map((record) => [record._id, record]))
    return sortByDefault(list, query.data ?? NO_RECORDS).map((record) => whole.get(record._id) ?? record)
  }, [list, query.data, details.data])
  const phrases = Object.values<ListFilter>(options.filters).flatMap((filter) => filter.phrases ?? [])
  const typed = useListSearch(usePlainWords(phrases, records, getSearchTexts))
  const table = useTable(
    {
      name,
      columns: display?.columns ?? NO_RECORDS,
      defaultView: display && (display.isFirst || isManager) && !narrow ? 'table' : 'cards',
    },
    records,
  )
  const filters: Readonly<Record<string, ListFilter>> = { ...options.filters, where: toColumnsFilter(table) }
  const values = useSameValues(Object.fromEntries(Object.entries(filters).map(([of, { value }]) => [of, value])) as Values)
  const order = { sort: table.sort, group: table.group?.key }
  const columns = table.columns.filter(({ key, detailOf }) => detailOf === undefined || table.shownColumns?.includes(key))
  const hasNeed = needsDetails([...columns, ...listOrderingColumns({ ...order, where: filters['where']?.value }, table.columns)])
  if (hasNeed !== hasDetails) setHasDetails(hasNeed)
  const searched = useMatchingRecords(table.sortedRecords, getSearchTexts, typed.deferredText)
  const found = useMemo(() => searched.filter(table.matchesColumns), [searched, table.matchesColumns])
  const shown = useMemo(() => found.filter(buildFilter(values)), [found, buildFilter, values])
  const request = { ...toRequest(values), search: typed.deferredText, ...order, ...archived }
  const editableKind = EDITABLE_KINDS.find((one) => one === kind)
  const total = isWhole ? query.data?.length : undefined
  const editable: EditableList | null =
    mayManage && editableKind
      ? { kind: editableKind, noun: RECORD_NOUNS[kind], shown, total, request: { ...request, filters: values } }
      : null
  return {
    declaration,
    query,
    pendingQuery: hasNeed && detailsCall && !details.data ? details : pendingQuery,
    filters: hasArchived ? { ...filters, archived: archivedFilter } : filters,
    /** What its records are called: one and many. */
    noun: isArchived ? (RECORD_NOUNS[kind].map((noun) => `archived ${noun}`) as unknown as Noun) : RECORD_NOUNS[kind],
    values,
    records,
    typed,
    table,
    /** The records that match the search and the filters by columns. */
    found,
    /** Those that match the other filters too. */
    shown,
    /** Those that match everything but the filters by columns. */
    listCandidates: useCallback(() => searched.filter(buildFilter(values)), [searched, buildFilter, values]),
    onDownload: useListDownload(needsDetails(columns) ? { ...request, columns: columns.map(({ key }) => key) } : request),
    selection: useSelection(selectionName, shown, getRecordKey, mayManage && display !== undefined),
    editable,
  }
}
export type ListState<T extends ListedRecord> = Omit<ReturnType<typeof useRecordList<T, FilterText>>, 'values'>
