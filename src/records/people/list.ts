import { NotChecked, matchesNotChecked } from '../../contract/checks.ts'
import { type EditableListColumn, filterText, type FilterValues, type RecordList } from '../../contract/lists.ts'
import { formatPhone } from '../../contract/phones.ts'
import type { Person } from './contract.ts'

export const formatPersonPhone = ({ phone }: Person): string | null => phone && formatPhone(phone)
export const getEmail = ({ email }: Person): string | null => email
const formatCities = ({ sites }: Person): string =>
  [...new Set(sites.map(({ city, state }) => [city, state].filter(Boolean).join(', ')).filter(Boolean))].join('; ')

const columns = [
  { key: 'name', label: 'Name', fields: ['name'], text: ({ name }) => name },
  { key: 'role', label: 'Role', fields: [], text: ({ roles }) => roles.map(({ name }) => name).join(', ') },
  { key: 'site', label: 'Site', fields: [], text: ({ sites }) => sites.map(({ displayName }) => displayName).join('; ') },
  { key: 'phone', label: 'Phone', fields: ['phone'], text: formatPersonPhone },
  { key: 'email', label: 'Email', fields: ['email'], text: getEmail },
  { key: 'city', label: 'City', fields: [], text: formatCities },
  { key: 'fax', label: 'Fax', fields: ['fax'], text: ({ fax }) => fax && formatPhone(fax) },
  { key: 'hr', label: 'HR number', fields: ['sql_person_id'], text: ({ sql_person_id }) => sql_person_id },
] as const satisfies readonly EditableListColumn<Person>[]

/** The list of staff of a group, by name. */
export const STAFF_LIST = {
  columns,
  getSearchTexts: ({ name }) => [name],
  getRank: () => 0,
  getName: ({ name }) => name,
} as const satisfies RecordList<Person>

/** People who work here; of those that are archived, all. */
const isEmployed = ({ leftAt, archived }: Person): boolean => leftAt === null || archived !== undefined
export const listEmployed = (people: readonly Person[]): Person[] => people.filter(isEmployed)

/** The filters of the list; `region` is a slug. */
export const STAFF_FILTERS = { role: filterText, region: filterText, unchecked: NotChecked }

/** Filters people who hold the role at a site in the region; `isInRegion` is null for all regions. */
export const buildStaffFilter =
  ({ role, unchecked }: FilterValues<typeof STAFF_FILTERS>, isInRegion: ((siteId: string) => boolean) | null) =>
  (person: Person): boolean =>
    isEmployed(person) &&
    matchesNotChecked(unchecked, person) &&
    (isInRegion === null
      ? role === undefined || person.roles.some((held) => held.name === role)
      : person.locations.some((location) => (role === undefined || location.role.name === role) && isInRegion(location.site._id)))
