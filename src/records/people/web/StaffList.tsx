import { IconUsers } from '@tabler/icons-react'
import { useMemo } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { BulkActions } from '../../../features/record-tools/changesets/web/public/BulkActions.tsx'
import { formatNotChecked } from '../../../features/record-tools/checks/rules.ts'
import { NotCheckedFilter } from '../../../features/record-tools/checks/web/public/NotCheckedFilter.tsx'
import { useNotCheckedFilter } from '../../../features/record-tools/checks/web/queries.ts'
import { ViewMenu } from '../../../features/record-tools/saved-views/web/public/ViewMenu.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'
import { ChoosingList } from '../../../platform/web/list/ChoosingList.tsx'
import { Chips, FilterChoice, Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { ListTools } from '../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { RecordTable } from '../../../platform/web/list/RecordTable.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../platform/web/list/use-plain-words.ts'
import { useSelection } from '../../../platform/web/list/use-selection.ts'
import { useTable } from '../../../platform/web/list/use-table.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import { RegionFilter } from '../../regions/web/public/RegionFilter.tsx'
import { useRegionFilter } from '../../regions/web/queries.ts'
import type { Person, Role, RoleGroup } from '../contract.ts'
import { STAFF_LIST, buildStaffFilter, getEmail } from '../list.ts'
import { getRoleNames } from '../rules.ts'
import { PERSON_COLUMNS, PERSON_COPIES } from './person-columns.tsx'
import { PersonCard } from './PersonCard.tsx'
import { usePeopleOfGroup, useRolesOfGroup } from './queries.ts'

const NO_PEOPLE: readonly Person[] = []
const NO_ROLES: readonly Role[] = []
const { getSearchTexts } = STAFF_LIST
const getLines = ({ name, roles, sites: [first, ...others] }: Person) =>
  [
    name,
    roles.map((role) => role.name).join(', '),
    first ? `${first.displayName}${others.length > 0 ? ` and ${others.length} more` : ''}` : 'No site',
  ] as const
const getKey = ({ _id }: Person): string => _id
const GAP = [16, 10] as const
const renderCard = (person: Person) => <PersonCard person={person} />
const TABLE_OPTIONS = { name: 'people', columns: PERSON_COLUMNS, defaultView: 'cards' } as const
const getCardHeight = (_width: number, rem: number, narrow: boolean) => (narrow ? 5.5 * rem : 8.5 * rem + 4)

/** The list of staff of a group, with a role and a region filter. */
export const StaffList = ({ title, group }: { title: string; group: RoleGroup }) => {
  const query = usePeopleOfGroup(group)
  const { data: roles = NO_ROLES } = useRolesOfGroup(group)
  const [{ role: inAddress }, change] = useSearchParams()
  const role = inAddress || undefined
  const region = useRegionFilter()
  const check = useNotCheckedFilter('person')

  const people = useMemo(() => sortByDefault(STAFF_LIST, query.data ?? NO_PEOPLE), [query.data])
  const phrases = useMemo(
    () => [...roles.map(({ name }) => ({ filter: 'role', value: name, synonyms: getRoleNames(name) })), ...region.phrases],
    [roles, region.phrases],
  )
  const typed = useListSearch(usePlainWords(phrases, people, getSearchTexts))
  const table = useTable(TABLE_OPTIONS, people)
  const found = useMatchingRecords(table.sortedRecords, getSearchTexts, typed.deferredText)
  const filters = useMemo(() => ({ role, region: region.slug, unchecked: check.value }), [role, region.slug, check.value])
  const shown = useMemo(() => found.filter(buildStaffFilter(filters, region.includesSite)), [found, filters, region.includesSite])
  const downloadQuery = {
    list: group === 'LEADERSHIP' ? 'leadership' : 'support',
    filters,
    search: typed.deferredText,
    sort: table.sort,
  } as const
  const download = useListDownload(downloadQuery)

  const selection = useSelection(`people.${group}`, shown, getKey, useCan('manage the network'))
  const bulk = (
    <BulkActions kind="person" noun={RECORD_NOUNS.person} selection={selection} columns={table.shownColumns} getEmail={getEmail} />
  )
  if (selection?.isChoosing)
    return (
      <>
        <ChoosingList title="Select people" shown={shown} all={people.length} selection={selection} getKey={getKey} getLines={getLines} />
        {bulk}
      </>
    )
  return (
    <>
      <ListHead
        title={title}
        summary={query.data && formatCount(people.length, RECORD_NOUNS.person)}
        failed={query.isError}
        aside={<ViewMenu />}
      />
      <Filters>
        <SearchField label="Search by name" typed={typed} />
        <Chips label="Filters">
          <FilterChoice
            label="Role"
            all="All roles"
            choices={roles.map((one) => one.name)}
            chosen={role}
            onChoose={(chosen) => change({ role: chosen })}
            remove={`Remove role ${role}`}
          />
          <RegionFilter region={region} />
          <NotCheckedFilter filter={check} />
        </Chips>
      </Filters>
      <ListTools
        table={table}
        shown={shown}
        defaultOrderLabel="By name"
        onDownload={download}
        copies={PERSON_COPIES}
        selection={selection}
        editable={selection && { kind: 'person', noun: RECORD_NOUNS.person, shown, total: undefined, request: downloadQuery }}
      >
        <MatchCount matching={query.data && !region.pendingQuery ? shown.length : undefined} all={query.data?.length} />
      </ListTools>
      <LoadedList query={region.pendingQuery ?? query} skeleton={<CardSkeleton least={19} />}>
        {() =>
          shown.length > 0 ? (
            table.view === 'table' ? (
              <RecordTable label={title} table={table} records={shown} getKey={getKey} selection={selection} />
            ) : (
              <CardGrid label={title} records={shown} getKey={getKey} minWidthRem={19} gap={GAP} getHeight={getCardHeight}>
                {renderCard}
              </CardGrid>
            )
          ) : (
            <NothingMatches
              icon={IconUsers}
              title="No people to display"
              noun={RECORD_NOUNS.person}
              all={people.length}
              typed={typed.deferredText.trim()}
              filters={[
                role && `with the role ${role}`,
                region.name && `in ${region.name}`,
                check.value && formatNotChecked(check.value).toLowerCase(),
              ]}
              hidden={found.map(({ name, slug }) => ({ name, to: getRecordPath({ kind: 'person', slug }) }))}
              onClearSearch={() => change({ q: undefined, role: undefined, region: undefined, unchecked: undefined })}
              onClearFilter={() => change({ role: undefined, region: undefined, unchecked: undefined })}
            />
          )
        }
      </LoadedList>
      {bulk}
    </>
  )
}
