import { Link } from '@tanstack/react-router'

import { showPhone } from '../../../platform/contract/phones.ts'
import type { SiteSummary } from '../../../platform/contract/references.ts'
import { STATUS_LABELS } from '../../../platform/contract/status.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import type { Column } from '../../../platform/web/list/columns.ts'
import type { Copy } from '../../../platform/web/list/CopyMenu.tsx'
import { RecordTable } from '../../../platform/web/list/RecordTable.tsx'
import type { Table } from '../../../platform/web/list/useTable.ts'
import { addressLines } from './addressText.ts'

const placeOf = ({ address: { city, state } }: SiteSummary): string | null => [city, state].filter(Boolean).join(', ') || null
const streetOf = ({ address: { address_1, address_2 } }: SiteSummary): string | null =>
  [address_1, address_2].filter(Boolean).join(', ') || null
const phoneOf = ({ address: { phone } }: SiteSummary): string | null => phone && showPhone(phone)

/** Sites as a table: what the list of sites and that of a region can show. */
export const SITE_COLUMNS: readonly Column<SiteSummary>[] = [
  {
    key: 'name',
    label: 'Name',
    text: ({ displayName }) => displayName,
    cell: ({ slug, displayName }) => (
      <Link to="/location/$slug" params={{ slug }}>
        {displayName}
      </Link>
    ),
    width: 13.5,
  },
  { key: 'city', label: 'City', text: placeOf, width: 9.5, atFirst: true },
  {
    key: 'phone',
    label: 'Phone',
    text: phoneOf,
    cell: ({ address: { phone } }) => (phone ? <PhoneLink phone={phone} /> : null),
    width: 8,
    atFirst: true,
  },
  {
    key: 'principal',
    label: 'Principal',
    text: ({ principal }) => principal?.name ?? null,
    cell: ({ principal }) =>
      principal ? (
        <Link to="/staff/$slug" params={{ slug: principal.slug }}>
          {principal.name}
        </Link>
      ) : (
        'No one assigned'
      ),
    width: 10.5,
    atFirst: true,
  },
  {
    key: 'charter',
    label: 'Charter',
    text: ({ charter }) => charter?.name ?? null,
    cell: ({ charter }) =>
      charter ? (
        <Link to="/charter/$id" params={{ id: charter.slug }}>
          {charter.name}
        </Link>
      ) : null,
    width: 11.5,
    atFirst: true,
  },
  { key: 'finance', label: 'Finance no.', text: ({ finance_id }) => finance_id, width: 6.5, atFirst: true },
  {
    key: 'status',
    label: 'Status',
    text: ({ status }) => STATUS_LABELS[status],
    cell: ({ status }) => <StatusWord status={status} />,
    width: 11,
    atFirst: true,
  },
  { key: 'type', label: 'Facility Type', text: ({ category }) => category, width: 11 },
  {
    key: 'region',
    label: 'Region',
    text: ({ region }) => region?.name ?? null,
    cell: ({ region }) =>
      region ? (
        <Link to="/region/$id" params={{ id: region.slug }}>
          {region.name}
        </Link>
      ) : null,
    width: 9,
  },
  { key: 'street', label: 'Street', text: streetOf, width: 14 },
  { key: 'zip', label: 'Zip', text: ({ address: { zip } }) => zip, width: 5.5 },
]

/** What can be copied of sites. */
export const SITE_COPIES: readonly Copy<SiteSummary>[] = [
  { noun: ['address', 'addresses'], textOf: ({ address }) => addressLines(address).join(', ') },
  { noun: ['phone number', 'phone numbers'], textOf: phoneOf },
]

interface SiteTableProps {
  label: string
  table: Table<SiteSummary>
  sites: readonly SiteSummary[]
}

const keyOf = ({ _id }: SiteSummary): string => _id

/** Sites as rows to compare. */
export const SiteTable = ({ label, table, sites }: SiteTableProps) => (
  <RecordTable label={label} table={table} records={sites} keyOf={keyOf} />
)
