import { Fragment, useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import { RECORD_NOUNS } from '../../../../contract/records.ts'
import { CardGrid } from '../../../../platform/web/list/CardGrid.tsx'
import type { EditedTable } from '../../../../platform/web/list/cells.ts'
import { ChoosingList } from '../../../../platform/web/list/ChoosingList.tsx'
import { Chips, Filters, MatchCount, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { CardSkeleton, RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { DownloadLine, ListTools } from '../../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../../platform/web/list/NothingMatches.tsx'
import { RecordTable } from '../../../../platform/web/list/RecordTable.tsx'
import { isNarrow } from '../../../../platform/web/narrow.ts'
import { BulkActions, Cells, ViewMenu } from '../../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { getRecordKey, type ListedRecord, type ListState } from './use-record-list.ts'

interface RecordListViewProps<T extends ListedRecord> {
  readonly list: ListState<T>
  /** The title of its page. */
  readonly title: string
  /** Its accessible name, if that is not the title. */
  readonly label?: string
  /** Replaces the head of a page. */
  readonly head?: ReactNode
  /** In the head, at the right. */
  readonly aside?: ReactNode
  /** False if there is nothing to search, filter or download. */
  readonly hasTools?: boolean
  /** The filters are in one row, which scrolls sideways on phones. */
  readonly isOneRow?: boolean
  /** After the filters. */
  readonly tools?: ReactNode
  /** Replaces the number of matches. */
  readonly count?: ReactNode
  /** Surrounds the records: with a map. */
  readonly renderAround?: (records: ReactNode, skeleton: ReactNode) => ReactNode
}

/** The records of a list as cards or as a table, or why there are none. */
const Records = <T extends ListedRecord>({ list, label }: { list: ListState<T>; label: string }) => {
  const { declaration, filters, records, typed, table, found, shown, selection, editable } = list
  const { kind, getPath, icon, emptyTitle, card } = declaration
  const [, change] = useSearchParams()
  // Not on phones. A window that becomes narrow keeps what is being edited.
  const [isPhone] = useState(isNarrow)
  const editableKind = isPhone ? undefined : editable?.kind
  const renderEditing = useCallback((edited: EditedTable) => editableKind && <Cells kind={editableKind} {...edited} />, [editableKind])
  if (shown.length > 0 && table.view === 'table' && declaration.table)
    return (
      <RecordTable
        label={label}
        table={table}
        records={shown}
        getKey={getRecordKey}
        selection={selection}
        renderEditing={editableKind && renderEditing}
      />
    )
  const { renderCard, minWidthRem, gap, getHeight } = card
  if (shown.length > 0)
    return (
      <CardGrid label={label} records={shown} getKey={getRecordKey} minWidthRem={minWidthRem} gap={gap} getHeight={getHeight}>
        {renderCard}
      </CardGrid>
    )
  const all = Object.fromEntries(Object.entries(filters).map(([name, { allValue }]) => [name, allValue]))
  const shownFilters = Object.values(filters)
  return (
    <NothingMatches
      icon={icon}
      title={emptyTitle}
      noun={RECORD_NOUNS[kind]}
      all={records.length}
      typed={typed.deferredText.trim()}
      kind={shownFilters.find(({ adjective }) => adjective)?.adjective}
      filters={shownFilters.map(({ condition }) => condition)}
      hidden={found.map((record) => ({ name: declaration.list.getName(record), to: getPath(record) }))}
      onClearSearch={() => change({ ...all, q: undefined })}
      onClearFilter={() => change(all)}
    />
  )
}

/** A list: its head, search field, filters, tools, and the records; or its cards to select from. */
export const RecordListView = <T extends ListedRecord>(props: RecordListViewProps<T>) => {
  const {
    list,
    title,
    label = title,
    head,
    aside,
    hasTools = true,
    isOneRow = false,
    tools,
    count,
    renderAround = (records) => records,
  } = props
  const { declaration, query, pendingQuery, filters, records, typed, table, shown, onDownload, selection, editable } = list
  const { kind, card, formatSummary, searchLabel, table: display } = declaration
  const summary = useMemo(() => query.data && formatSummary?.(query.data), [query.data, formatSummary])
  const bulk =
    editable && display ? (
      <BulkActions
        kind={editable.kind}
        noun={editable.noun}
        selection={selection}
        columns={table.shownColumns}
        getEmail={display.getEmail}
      />
    ) : null
  if (selection?.isChoosing && display)
    return (
      <>
        <ChoosingList
          title={`Select ${RECORD_NOUNS[kind][1]}`}
          shown={shown}
          all={records.length}
          selection={selection}
          getKey={getRecordKey}
          getLines={display.getLines}
        />
        {bulk}
      </>
    )
  const skeleton = display?.isFirst ? <RowSkeleton /> : <CardSkeleton photo={card.hasPhoto} least={card.minWidthRem} />
  const controls = Object.entries(filters).map(([name, { control }]) => <Fragment key={name}>{control}</Fragment>)
  const matches = count ?? <MatchCount matching={query.data && !pendingQuery ? shown.length : undefined} all={query.data?.length} />
  return (
    <>
      {head ?? (
        <ListHead
          title={title}
          summary={summary}
          failed={Boolean(query.error)}
          aside={
            <>
              {aside}
              <ViewMenu />
            </>
          }
        />
      )}
      {hasTools ? (
        <>
          <Filters>
            <SearchField label={searchLabel} typed={typed} />
            {isOneRow ? <Chips label="Filters">{controls}</Chips> : controls}
            {tools}
          </Filters>
          {display ? (
            <ListTools
              table={table}
              shown={shown}
              defaultOrderLabel={display.orderLabel}
              onDownload={onDownload}
              copies={display.copies}
              selection={selection}
              editable={editable}
            >
              {matches}
            </ListTools>
          ) : (
            <DownloadLine isEmpty={shown.length === 0} onDownload={onDownload} editable={editable}>
              {matches}
            </DownloadLine>
          )}
        </>
      ) : null}
      <LoadedList query={pendingQuery ?? query} skeleton={skeleton}>
        {() => renderAround(<Records list={list} label={label} />, skeleton)}
      </LoadedList>
      {bulk}
    </>
  )
}
