import { Link } from '@tanstack/react-router'

import { getRecordPath } from '../../../contract/records.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { type Column, withDisplay } from '../../../platform/web/list/columns.ts'
import type { CopyOption } from '../../../platform/web/list/CopyMenu.tsx'
import { MarkedName } from '../../brands/web/public/BrandMark.tsx'
import type { Charter } from '../contract.ts'
import { CHARTER_LIST, formatCharterPhone } from '../list.ts'

/** The table columns of charters. */
export const CHARTER_COLUMNS: readonly Column<Charter>[] = withDisplay(CHARTER_LIST.columns, {
  name: {
    cell: ({ slug, name, brandName, brandIcon }) => (
      <MarkedName brandName={brandName} icon={brandIcon}>
        <Link to={getRecordPath({ kind: 'charter', slug })}>{name}</Link>
      </MarkedName>
    ),
    width: 17,
  },
  abbreviation: { width: 8.5, isDefault: true },
  brand: {
    cell: ({ brand, brandName }) => <Link to={getRecordPath({ kind: 'brand', _id: brand })}>{brandName}</Link>,
    width: 10,
    isDefault: true,
  },
  students: { width: 7, isDefault: true },
  sites: { width: 5.5, isDefault: true },
  status: { cell: ({ status }) => <StatusWord status={status} />, width: 11.5, isDefault: true },
  counted: { width: 9.5, isDefault: true },
  active: { width: 6.5 },
  phone: { cell: ({ charterContactnumber: phone }) => (phone ? <PhoneLink phone={phone} /> : null), width: 8.5 },
  website: { cell: ({ charterWebsite }) => (charterWebsite ? <WebLink address={charterWebsite} /> : null), width: 13 },
  number: { width: 8.5 },
  grades: { width: 7.5 },
  types: { width: 14 },
})

/** The entries of the copy menu for charters. */
export const CHARTER_COPIES: readonly CopyOption<Charter>[] = [
  { noun: ['phone number', 'phone numbers'], getText: formatCharterPhone },
  { noun: ['website', 'websites'], getText: ({ charterWebsite }) => charterWebsite },
]
