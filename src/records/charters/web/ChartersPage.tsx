import { IconSchool } from '@tabler/icons-react'
import { useMemo } from 'react'

import { formatMomentDay } from '../../../contract/dates.ts'
import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { isClosed } from '../../../contract/status.ts'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { BulkActions } from '../../../features/record-tools/changesets/web/public/BulkActions.tsx'
import { formatNotChecked } from '../../../features/record-tools/checks/rules.ts'
import { NotCheckedFilter } from '../../../features/record-tools/checks/web/public/NotCheckedFilter.tsx'
import { useNotCheckedFilter } from '../../../features/record-tools/checks/web/queries.ts'
import { ViewMenu } from '../../../features/record-tools/saved-views/web/public/ViewMenu.tsx'
import { configuration } from '../../../platform/web/configuration.ts'
import { ChoosingList } from '../../../platform/web/list/ChoosingList.tsx'
import { Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { GroupToggles } from '../../../platform/web/list/GroupToggles.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { ListTools } from '../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { GROUP_PHRASES } from '../../../platform/web/list/plain-words.ts'
import { RecordTable } from '../../../platform/web/list/RecordTable.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../platform/web/list/use-plain-words.ts'
import { useSelection } from '../../../platform/web/list/use-selection.ts'
import { useStatusGroup } from '../../../platform/web/list/use-status-group.ts'
import { useTable } from '../../../platform/web/list/use-table.ts'
import { useIsNarrow } from '../../../platform/web/narrow.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import type { Charter } from '../contract.ts'
import { buildCharterFilter, CHARTER_LIST } from '../list.ts'
import { CHARTER_COLUMNS, CHARTER_COPIES } from './charter-columns.tsx'
import { CharterCards } from './CharterCards.tsx'
import { useCharters, useStudentTotal } from './queries.ts'

import classes from './ChartersPage.module.css'

const NO_CHARTERS: readonly Charter[] = []
const getLines = ({ name, abbreviation, brandName, sites }: Charter) =>
  [name, [abbreviation, brandName].filter(Boolean).join(' · '), `${sites.length} ${sites.length === 1 ? 'site' : 'sites'}`] as const
const getKey = ({ _id }: Charter): string => _id
const { getSearchTexts } = CHARTER_LIST

const formatCharterCounts = (charters: readonly Charter[]): string => {
  const closed = charters.filter((charter) => isClosed(charter.status)).length
  const show = (n: number) => n.toLocaleString('en-US')
  return `${show(charters.length)} ${charters.length === 1 ? 'charter' : 'charters'}: ${show(charters.length - closed)} active, ${show(closed)} closed`
}

/** The number of students in all open charters, with its date. */
const StudentTotal = () => {
  const { data } = useStudentTotal()
  if (!data) return null
  return (
    <p className={classes.total}>
      <strong>{data.total.toLocaleString('en-US')}</strong>
      <span>students{data.updatedAt ? <>, as of {formatMomentDay(data.updatedAt, configuration.timeZone)}</> : null}</span>
    </p>
  )
}

/** `/charters`: the list of charters, active ones by default. */
export const ChartersPage = () => {
  const query = useCharters()
  const narrow = useIsNarrow()
  const [, change] = useSearchParams()
  const [group, setGroup] = useStatusGroup()
  const check = useNotCheckedFilter('charter')

  const charters = useMemo(() => sortByDefault(CHARTER_LIST, query.data ?? NO_CHARTERS), [query.data])
  const typed = useListSearch(usePlainWords(GROUP_PHRASES, charters, getSearchTexts))
  // The numbers of a table do not fit on a phone.
  const table = useTable({ name: 'charters', columns: CHARTER_COLUMNS, defaultView: narrow ? 'cards' : 'table' }, charters)
  const found = useMatchingRecords(table.sortedRecords, getSearchTexts, typed.deferredText)
  const filters = useMemo(() => ({ status: group, unchecked: check.value }), [group, check.value])
  const shown = useMemo(() => found.filter(buildCharterFilter(filters)), [found, filters])
  const downloadQuery = { list: 'charters', filters, search: typed.deferredText, sort: table.sort } as const
  const download = useListDownload(downloadQuery)

  const selection = useSelection('charters', shown, getKey, useCan('manage the network'))
  const bulk = <BulkActions kind="charter" noun={RECORD_NOUNS.charter} selection={selection} columns={table.shownColumns} />
  if (selection?.isChoosing)
    return (
      <>
        <ChoosingList
          title="Select charters"
          shown={shown}
          all={charters.length}
          selection={selection}
          getKey={getKey}
          getLines={getLines}
        />
        {bulk}
      </>
    )
  return (
    <>
      <ListHead
        title="Charters"
        summary={query.data && formatCharterCounts(query.data)}
        failed={query.isError}
        aside={
          <>
            <StudentTotal />
            <ViewMenu />
          </>
        }
      />
      <Filters>
        <SearchField label="Name or abbreviation" typed={typed} />
        <GroupToggles active="Active" closed="Closed" group={group} onChange={setGroup} />
        <NotCheckedFilter filter={check} />
      </Filters>
      <ListTools
        table={table}
        shown={shown}
        defaultOrderLabel="Active charters first"
        onDownload={download}
        copies={CHARTER_COPIES}
        selection={selection}
        editable={selection && { kind: 'charter', noun: RECORD_NOUNS.charter, shown, total: query.data?.length, request: downloadQuery }}
      >
        <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      </ListTools>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() =>
          shown.length === 0 ? (
            <NothingMatches
              icon={IconSchool}
              title="No charters to display"
              noun={RECORD_NOUNS.charter}
              all={charters.length}
              typed={typed.deferredText.trim()}
              kind={group === 'all' ? null : group}
              filters={[check.value && formatNotChecked(check.value).toLowerCase()]}
              hidden={found.map(({ name, slug }) => ({ name, to: getRecordPath({ kind: 'charter', slug }) }))}
              onClearSearch={() => change({ q: undefined, status: 'all', unchecked: undefined })}
              onClearFilter={() => change({ status: 'all', unchecked: undefined })}
            />
          ) : table.view === 'cards' ? (
            <CharterCards charters={shown} />
          ) : (
            <RecordTable label="Charters" table={table} records={shown} getKey={getKey} selection={selection} />
          )
        }
      </LoadedList>
      {bulk}
    </>
  )
}
