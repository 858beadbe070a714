import { Link } from '@tanstack/react-router'

import { formatPhone } from '../../../contract/phones.ts'
import { getRecordPath } from '../../../contract/records.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { isActive, STATUS_LABELS } from '../../../contract/status.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { type Column, withDisplay } from '../../../platform/web/list/columns.ts'
import type { CopyOption } from '../../../platform/web/list/CopyMenu.tsx'
import type { PrintedColumn } from '../../../platform/web/list/PrintedTable.tsx'
import { formatAddressLines } from '../address-text.ts'
import { formatSitePhone, SITE_DETAIL_COLUMNS, SITE_SUMMARY_COLUMNS } from '../list.ts'

const SUMMARY_COLUMNS = withDisplay<SiteSummary, typeof SITE_SUMMARY_COLUMNS>(SITE_SUMMARY_COLUMNS, {
  name: { cell: ({ slug, displayName }) => <Link to={getRecordPath({ kind: 'site', slug })}>{displayName}</Link>, width: 13.5 },
  city: { width: 9.5, isDefault: true },
  phone: { cell: ({ address: { phone } }) => (phone ? <PhoneLink phone={phone} /> : null), width: 8, isDefault: true },
  principal: {
    cell: ({ principal, vacant }) =>
      principal ? (
        <Link to={getRecordPath({ kind: 'person', slug: principal.slug })}>{principal.name}</Link>
      ) : vacant.includes('Principal') ? (
        'Vacant'
      ) : null,
    width: 10.5,
    isDefault: true,
  },
  charter: {
    cell: ({ charter }) => charter && <Link to={getRecordPath({ kind: 'charter', slug: charter.slug })}>{charter.name}</Link>,
    width: 11.5,
    isDefault: true,
  },
  finance: { width: 7.25, isDefault: true },
  status: { cell: ({ status }) => <StatusWord status={status} />, width: 11, isDefault: true },
  type: { width: 11 },
  region: {
    cell: ({ region }) => region && <Link to={getRecordPath({ kind: 'region', slug: region.slug })}>{region.name}</Link>,
    width: 9,
  },
  street: { width: 14 },
  zip: { width: 5.5 },
  vacant: { width: 14 },
  formal: { width: 12 },
})
/** The table columns of sites. */
export const SITE_COLUMNS: readonly Column<SiteSummary>[] = [
  ...SUMMARY_COLUMNS,
  ...SITE_DETAIL_COLUMNS.map((column) => ({ ...column, width: column.key === 'hours' ? 19 : 12 })),
]

const CITY: PrintedColumn<SiteSummary> = {
  label: 'City',
  getText: ({ address: { city, state } }) => [city, state].filter(Boolean).join(', '),
  width: 13.5,
}
const CONTACTS: readonly PrintedColumn<SiteSummary>[] = [
  { label: 'Phone', getText: formatSitePhone, width: 11 },
  { label: 'Principal', getText: ({ principal, vacant }) => principal?.name ?? (vacant.includes('Principal') ? 'Vacant' : null) },
  { label: 'Principal’s phone', getText: ({ principal }) => (principal?.phone ? formatPhone(principal.phone) : null), width: 12.5 },
]

/** The printed sites of a charter. */
export const SITES_SHEET: readonly PrintedColumn<SiteSummary>[] = [
  { label: 'Site', getText: ({ displayName }) => displayName, width: 34 },
  CITY,
  { label: 'Status', getText: ({ status }) => STATUS_LABELS[status], width: 13.5 },
  ...CONTACTS,
]

/** The printed call list of sites. */
export const SITE_CALL_LIST: readonly PrintedColumn<SiteSummary>[] = [
  {
    label: 'Site',
    getText: ({ displayName, status }) => (isActive(status) ? displayName : `${displayName} (${STATUS_LABELS[status]})`),
    width: 24,
  },
  CITY,
  ...CONTACTS,
  { label: 'Principal’s email', getText: ({ principal }) => principal?.email ?? null, width: 24 },
]

/** The entries of the copy menu for sites. */
export const SITE_COPIES: readonly CopyOption<SiteSummary>[] = [
  { noun: ['address', 'addresses'], getText: ({ address }) => formatAddressLines(address).join(', ') },
  { noun: ['phone number', 'phone numbers'], getText: formatSitePhone },
]
