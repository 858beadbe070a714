import { Link } from '@tanstack/react-router'

import { getRecordPath } from '../../../contract/records.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { type Column, withDisplay } from '../../../platform/web/list/columns.ts'
import type { CopyOption } from '../../../platform/web/list/CopyMenu.tsx'
import { formatAddressLines } from '../address-text.ts'
import { formatSitePhone, SITE_LIST } from '../list.ts'

/** The table columns of sites. */
export const SITE_COLUMNS: readonly Column<SiteSummary>[] = withDisplay(SITE_LIST.columns, {
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
  finance: { width: 6.5, isDefault: true },
  status: { cell: ({ status }) => <StatusWord status={status} />, width: 11, isDefault: true },
  type: { width: 11 },
  region: {
    cell: ({ region }) => region && <Link to={getRecordPath({ kind: 'region', slug: region.slug })}>{region.name}</Link>,
    width: 9,
  },
  street: { width: 14 },
  zip: { width: 5.5 },
})

/** The entries of the copy menu for sites. */
export const SITE_COPIES: readonly CopyOption<SiteSummary>[] = [
  { noun: ['address', 'addresses'], getText: ({ address }) => formatAddressLines(address).join(', ') },
  { noun: ['phone number', 'phone numbers'], getText: formatSitePhone },
]
