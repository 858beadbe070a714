import { z } from 'zod'

import { NotChecked, matchesNotChecked } from '../../contract/checks.ts'
import { nestFields } from '../../contract/field-definitions.ts'
import { type EditableListColumn, filterText, type FilterValues, type RecordList, toDetailColumns } from '../../contract/lists.ts'
import { formatPhone } from '../../contract/phones.ts'
import type { SiteSummary } from '../../contract/references.ts'
import { isInStatusGroup, STATUS_GROUPS, STATUS_LABELS } from '../../contract/status.ts'
import { ENROLLMENT_FIELDS, ORIENTATION_FIELDS } from '../enrollment/fields.ts'
import { FACILITY_FIELDS } from '../facility/fields.ts'
import { MapArea } from '../map/contract.ts'
import type { Site } from './contract.ts'
import { ADDRESS_FIELDS } from './fields.ts'
import { matchesStatusFilter, getStatusRank, STATUS_FILTERS } from './rules.ts'

const formatPlace = ({ address: { city, state } }: SiteSummary): string | null => [city, state].filter(Boolean).join(', ') || null
const formatStreet = ({ address: { address_1, address_2 } }: SiteSummary): string | null =>
  [address_1, address_2].filter(Boolean).join(', ') || null
export const formatSitePhone = ({ address: { phone } }: SiteSummary): string | null => phone && formatPhone(phone)

/** The columns that need no more than the summary of a site. */
export const SITE_SUMMARY_COLUMNS = [
  { key: 'name', label: 'Name', fields: ['displayName'], text: ({ displayName }) => displayName },
  { key: 'city', label: 'City', fields: ['address.city', 'address.state'], text: formatPlace },
  { key: 'phone', label: 'Phone', fields: ['address.phone'], text: formatSitePhone },
  { key: 'principal', label: 'Principal', fields: [], text: ({ principal }) => principal?.name ?? null },
  { key: 'charter', label: 'Charter', fields: ['charter'], text: ({ charter }) => charter?.name ?? null },
  { key: 'finance', label: 'Finance no.', fields: ['finance_id'], text: ({ finance_id }) => finance_id },
  { key: 'status', label: 'Status', fields: ['status'], text: ({ status }) => STATUS_LABELS[status] },
  { key: 'type', label: 'Facility Type', fields: ['category'], text: ({ category }) => category },
  { key: 'region', label: 'Region', fields: ['region'], text: ({ region }) => region?.name ?? null },
  { key: 'street', label: 'Street', fields: ['address.address_1', 'address.address_2'], text: formatStreet },
  { key: 'zip', label: 'ZIP code', fields: ['address.zip'], text: ({ address: { zip } }) => zip },
  { key: 'vacant', label: 'Vacant positions', fields: [], text: ({ vacant }) => vacant.join(', ') },
  { key: 'formal', label: 'Site name', fields: ['name'], text: ({ name }) => name },
] as const satisfies readonly EditableListColumn<SiteSummary>[]

const formatRange = (from: string | null | undefined, to: string | null | undefined): string =>
  [...new Set([from, to])].filter(Boolean).join(' to ')
const formatHours = ({ address }: Partial<Pick<Site, 'address'>>): string =>
  [formatRange(address?.start_day, address?.end_day), formatRange(address?.start_time, address?.end_time)].filter(Boolean).join(', ')
const formatStaff = ({ people = [] }: Partial<Pick<Site, 'people'>>): string =>
  people.map(({ person, role_match }) => `${role_match.name}: ${person.name}`).join('; ')
const formatRecurringDays = ({ enrollment_info }: Partial<Pick<Site, 'enrollment_info'>>): string =>
  Object.entries(enrollment_info?.orientation.recurring_dates ?? {})
    .flatMap(([day, { set, start_time, end_time }]) => (set ? [`${day} ${formatRange(start_time, end_time)}`] : []))
    .join('; ')

const toOwnPath = (path: string): readonly string[] => [path]
/** The sheet of sites does not have the fields of their other forms. */
const toNoPath = (): readonly string[] => []
const HOURS_FIELDS = ['address.start_day', 'address.end_day', 'address.start_time', 'address.end_time']
const { fax, start_day, end_day, start_time, end_time, description, closures } = ADDRESS_FIELDS
const { recurring_dates, ...ORIENTATION } = ORIENTATION_FIELDS

/** The other fields of its forms. */
export const SITE_DETAIL_COLUMNS: readonly EditableListColumn<SiteSummary>[] = [
  { key: 'hours', label: 'Hours', fields: HOURS_FIELDS, detailOf: 'Hours and contact', text: (site) => formatHours(site as Partial<Site>) },
  ...toDetailColumns(
    'Hours and contact',
    nestFields('address', { start_day, end_day, start_time, end_time, fax, description, closures }),
    toOwnPath,
  ),
  { key: 'staff', label: 'Staff', fields: [], detailOf: 'Positions', text: (site) => formatStaff(site as Partial<Site>) },
  ...toDetailColumns('Facility', nestFields('facility_info', FACILITY_FIELDS), toNoPath),
  ...toDetailColumns('Enrollment', nestFields('enrollment_info', ENROLLMENT_FIELDS), toNoPath),
  ...toDetailColumns('Enrollment', nestFields('enrollment_info.orientation', ORIENTATION), toNoPath),
  {
    key: 'recurring',
    label: recurring_dates.label,
    fields: [],
    detailOf: 'Enrollment',
    text: (site) => formatRecurringDays(site as Partial<Site>),
  },
]

/** The list of sites: open ones first, then coming soon, then closed. */
export const SITE_LIST = {
  columns: [...SITE_SUMMARY_COLUMNS, ...SITE_DETAIL_COLUMNS],
  getSearchTexts: ({ name, displayName, address }) => [displayName, name, address.address_1, address.address_2, address.city],
  getRank: ({ status }) => getStatusRank(status),
  getName: ({ displayName }) => displayName,
} as const satisfies RecordList<SiteSummary>

/** The filters of the list of all sites; `region` is a slug. */
export const SITE_FILTERS = { status: z.enum(STATUS_FILTERS), type: filterText, region: filterText, unchecked: NotChecked }
export const buildSiteFilter =
  ({ status, type, region, unchecked }: FilterValues<typeof SITE_FILTERS>, timeZone: string) =>
  (site: SiteSummary): boolean =>
    (!status || matchesStatusFilter(status, site, timeZone)) &&
    (type === undefined || site.category === type) &&
    (region === undefined || site.region?.slug === region) &&
    matchesNotChecked(unchecked, site)

/** The filters of the list of a region's sites. */
export const REGION_SITE_FILTERS = { status: z.enum(STATUS_GROUPS), type: filterText, area: MapArea, unchecked: NotChecked }

/** All of them except the map area, which needs the coordinates of the sites. */
export const buildRegionSiteFilter =
  ({ status = 'all', type, unchecked }: FilterValues<typeof REGION_SITE_FILTERS>) =>
  (site: SiteSummary): boolean =>
    isInStatusGroup(status, site.status) && (type === undefined || site.category === type) && matchesNotChecked(unchecked, site)
