import { IconUsers } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'

import { formatCount } from '../../../contract/format.ts'
import type { FilterValues } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { getRoleNames } from '../../../contract/roles.ts'
import { FilterChoice } from '../../../platform/web/list/Filters.tsx'
import type { ListFilter } from '../../../platform/web/list/list-filter.ts'
import type { LoadingQuery } from '../../../platform/web/list/LoadedList.tsx'
import { useNotCheckedFilter } from '../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { type ListedKind, useRecordList } from '../../pages/web/public/use-record-list.ts'
import { useRegionFilter } from '../../regions/web/public/region-filter.tsx'
import type { Person, Role } from '../contract.ts'
import { buildStaffFilter, getEmail, type STAFF_FILTERS, STAFF_LIST } from '../list.ts'
import { formatRoles, formatSites, PERSON_CALL_LIST, PERSON_COLUMNS, PERSON_COPIES } from './person-columns.tsx'
import { PersonCard } from './PersonCard.tsx'

const STAFF: ListedKind<Person> = {
  kind: 'person',
  list: STAFF_LIST,
  getPath: ({ slug }) => getRecordPath({ kind: 'person', slug }),
  formatSummary: (people) => formatCount(people.length, RECORD_NOUNS.person),
  searchLabel: 'Search by name',
  card: {
    minWidthRem: 19,
    gap: [16, 10],
    getHeight: (_width, rem, narrow) => (narrow ? 5.5 * rem : 8.5 * rem + 4),
    renderCard: (person) => <PersonCard person={person} />,
  },
  table: {
    columns: PERSON_COLUMNS,
    copies: PERSON_COPIES,
    orderLabel: 'By name',
    callList: PERSON_CALL_LIST,
    getLines: (person) => [person.name, formatRoles(person), formatSites(person)],
    getEmail,
  },
  icon: IconUsers,
  emptyTitle: 'No people to display',
}

/** The filter by a role (`?role=Principal`). */
const useRoleFilter = (roles: readonly Role[]): ListFilter => {
  const [{ role }, change] = useSearchParams()
  const value = role || undefined
  const phrases = useMemo(() => roles.map(({ name }) => ({ filter: 'role', value: name, synonyms: getRoleNames(name) })), [roles])
  return {
    value,
    control: (
      <FilterChoice
        label="Role"
        all="All roles"
        choices={roles.map(({ name }) => name)}
        chosen={value}
        onChoose={(chosen) => change({ role: chosen })}
        remove={`Remove role ${value}`}
      />
    ),
    phrases,
    condition: value && `with the role ${value}`,
  }
}

interface StaffListProps {
  readonly title: string
  /** Its name in downloads. */
  readonly name: 'staff' | 'leadership' | 'support'
  readonly query: LoadingQuery<readonly Person[]>
  readonly roles: readonly Role[]
}

/** A list of staff, with a role and a region filter. */
export const StaffList = ({ title, name, query, roles }: StaffListProps) => {
  const region = useRegionFilter()
  const { includesSite, pendingQuery } = region
  const list = useRecordList(STAFF, {
    query,
    pendingQuery,
    name: 'people',
    hasArchived: true,
    selectionName: `people.${name}`,
    filters: { role: useRoleFilter(roles), region, unchecked: useNotCheckedFilter('person') },
    buildFilter: useCallback((values: FilterValues<typeof STAFF_FILTERS>) => buildStaffFilter(values, includesSite), [includesSite]),
    toRequest: (filters) => ({ list: name, filters }),
  })
  return <RecordListView list={list} title={title} />
}
