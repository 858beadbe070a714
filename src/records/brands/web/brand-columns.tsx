import { Link } from '@tanstack/react-router'

import { getRecordPath } from '../../../contract/records.ts'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { type Column, withDisplay } from '../../../platform/web/list/columns.ts'
import type { CopyOption } from '../../../platform/web/list/CopyMenu.tsx'
import type { Brand } from '../contract.ts'
import { BRAND_LIST } from '../list.ts'
import { MarkedName } from './public/BrandMark.tsx'

/** The table columns of brands. */
export const BRAND_COLUMNS: readonly Column<Brand>[] = withDisplay(BRAND_LIST.columns, {
  name: {
    cell: ({ _id, brandName, brandIcon }) => (
      <MarkedName brandName={brandName} icon={brandIcon}>
        <Link to={getRecordPath({ kind: 'brand', _id })}>{brandName}</Link>
      </MarkedName>
    ),
    width: 17,
  },
  charters: { width: 7, isDefault: true },
  active: { width: 9, isDefault: true },
  website: { cell: ({ websiteUrl }) => (websiteUrl ? <WebLink address={websiteUrl} /> : null), width: 16, isDefault: true },
  enrollments: { cell: ({ EnrollmentsUrl }) => (EnrollmentsUrl ? <WebLink address={EnrollmentsUrl} /> : null), width: 16 },
  status: { cell: ({ status }) => <StatusWord status={status} />, width: 11.5, isDefault: true },
})

/** The entries of the copy menu for brands. */
export const BRAND_COPIES: readonly CopyOption<Brand>[] = [{ noun: ['website', 'websites'], getText: ({ websiteUrl }) => websiteUrl }]
