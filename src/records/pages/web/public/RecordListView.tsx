import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { Fragment, useCallback, useId, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import { formatNumber, getNoun } from '../../../../contract/format.ts'
import { RECORD_NOUNS } from '../../../../contract/records.ts'
import { AsOfAction } from '../../../../platform/web/kit/AsOfAction.tsx'
import { EmptyKind } from '../../../../platform/web/kit/EmptyLinks.tsx'
import { CardGrid } from '../../../../platform/web/list/CardGrid.tsx'
import type { EditedTable } from '../../../../platform/web/list/cells.ts'
import { ChoosingList } from '../../../../platform/web/list/ChoosingList.tsx'
import { Chips, Filters, MatchCount, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { LIST_GROUP } from '../../../../platform/web/list/list-keys.ts'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { CardSkeleton, RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { DownloadLine, ListTools } from '../../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { describeRecords, NothingMatches } from '../../../../platform/web/list/NothingMatches.tsx'
import { RecordTable } from '../../../../platform/web/list/RecordTable.tsx'
import { ToolButton } from '../../../../platform/web/list/ToolButton.tsx'
import { isNarrow, useIsNarrow } from '../../../../platform/web/narrow.ts'
import { BulkActions, Cells, ViewMenu } from '../../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'
import { CallListButton } from '../CallListButton.tsx'
import { getRecordKey, type ListedRecord, type ListState } from './use-record-list.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

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
  /** After the filters. */
  readonly tools?: ReactNode
  /** After the number of matches, including its comma. */
  readonly more?: string
  /** Whether the number of matches is not known yet. */
  readonly isCounting?: boolean
  /** Surrounds the records: with a map. */
  readonly renderAround?: (records: ReactNode, skeleton: ReactNode) => ReactNode
}

const getFilterLabels = (filters: ListState<ListedRecord>['filters']) => ({
  kind: Object.values(filters).find(({ adjective }) => adjective)?.adjective,
  filters: Object.values(filters).map(({ condition }) => condition),
})

/** Which records a list shows: '26 people with the role Principal and in Ohio'. */
const describeList = <T extends ListedRecord>({ noun, filters, shown, typed }: ListState<T>): string => {
  const records = describeRecords(formatNumber(shown.length), getNoun(shown.length, noun), getFilterLabels(filters))
  const text = typed.deferredText.trim()
  return text === '' ? records : `${records}, matching “${text}”`
}

/** The records of a list as cards or as a table, or why there are none. */
const Records = <T extends ListedRecord>({ list, label }: { list: ListState<T>; label: string }) => {
  const { declaration, filters, records, typed, table, found, shown, listCandidates, selection, editable } = list
  const { getPath, icon, emptyTitle, card } = declaration
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
        listCandidates={listCandidates}
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
  return (
    <NothingMatches
      icon={icon}
      title={emptyTitle}
      noun={list.noun}
      all={records.length}
      typed={typed.deferredText.trim()}
      {...getFilterLabels(filters)}
      beginning={<EmptyKind kind={declaration.kind} />}
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
    tools,
    more = '',
    isCounting = false,
    renderAround = (records) => records,
  } = props
  const { declaration, query, pendingQuery, filters, records, typed, table, shown, onDownload, selection, editable } = list
  const { kind, card, formatSummary, searchLabel, table: display } = declaration
  const id = useId()
  const narrow = useIsNarrow()
  const [showsTools, setShowsTools] = useState(false)
  useListedShortcuts(LIST_GROUP)
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
  const skeleton = display && table.view === 'table' ? <RowSkeleton /> : <CardSkeleton photo={card.hasPhoto} least={card.minWidthRem} />
  const controls = Object.entries(filters).map(([name, { control }]) => <Fragment key={name}>{control}</Fragment>)
  const isInHead = narrow && !head
  const count = (
    <MatchCount
      matching={query.data && !pendingQuery && !isCounting ? shown.length : undefined}
      all={query.data?.length}
      whole={isInHead && more === '' ? summary : undefined}
      more={more}
    />
  )
  const callList = display?.callList ? (
    <CallListButton title={title} about={describeList(list)} columns={display.callList} records={shown} isAlways={table.view === 'cards'} />
  ) : null
  const isInMenu = narrow && hasTools
  const inMenu = (
    <>
      {isInMenu ? callList : null}
      <ViewMenu />
      {isInMenu ? <AsOfAction /> : null}
    </>
  )
  return (
    <>
      {head ?? (
        <ListHead
          title={title}
          summary={summary}
          count={isInHead && !query.error ? count : undefined}
          failed={Boolean(query.error)}
          aside={
            <>
              {aside}
              {isInMenu ? null : callList}
            </>
          }
          hasAsOf={!isInMenu}
        />
      )}
      {hasTools ? (
        <>
          <Filters>
            <SearchField label={searchLabel} typed={typed} />
            {narrow ? (
              <ToolButton
                icon={IconAdjustmentsHorizontal}
                aria-expanded={showsTools}
                aria-controls={id}
                onClick={() => setShowsTools(!showsTools)}
              >
                Tools
              </ToolButton>
            ) : null}
            <Chips label="Filters">
              {controls}
              {tools}
            </Chips>
          </Filters>
          <div id={id} className={layoutClasses.topMargin8}>
            {narrow && !showsTools ? null : display ? (
              <ListTools
                table={table}
                shown={shown}
                defaultOrderLabel={display.orderLabel}
                onDownload={onDownload}
                copies={display.copies}
                selection={selection}
                editable={editable}
                count={narrow ? null : count}
              >
                {inMenu}
              </ListTools>
            ) : (
              <DownloadLine isEmpty={shown.length === 0} onDownload={onDownload} editable={editable} count={narrow ? null : count}>
                {inMenu}
              </DownloadLine>
            )}
          </div>
          {narrow && !isInHead ? count : null}
        </>
      ) : null}
      <LoadedList query={pendingQuery ?? query} skeleton={skeleton}>
        {() => renderAround(<Records list={list} label={label} />, skeleton)}
      </LoadedList>
      {bulk}
    </>
  )
}
