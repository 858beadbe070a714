import { z } from 'zod'

import { NotChecked, matchesNotChecked } from '../../contract/checks.ts'
import { type EditableListColumn, filterText, type FilterValues, type RecordList } from '../../contract/lists.ts'
import { formatPhone } from '../../contract/phones.ts'
import type { SiteSummary } from '../../contract/references.ts'
import { isInStatusGroup, STATUS_GROUPS, STATUS_LABELS } from '../../contract/status.ts'
import { MapArea } from '../map/contract.ts'
import { matchesStatusFilter, getStatusRank, STATUS_FILTERS } from './rules.ts'

const formatPlace = ({ address: { city, state } }: SiteSummary): string | null => [city, state].filter(Boolean).join(', ') || null
const formatStreet = ({ address: { address_1, address_2 } }: SiteSummary): string | null =>
  [address_1, address_2].filter(Boolean).join(', ') || null
export const formatSitePhone = ({ address: { phone } }: SiteSummary): string | null => phone && formatPhone(phone)

const columns = [
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
] as const satisfies readonly EditableListColumn<SiteSummary>[]

/** The list of sites: open ones first, then coming soon, then closed. */
export const SITE_LIST = {
  columns,
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
