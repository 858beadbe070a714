import { Link } from '@tanstack/react-router'

import { isActive, STATUS_LABELS } from '../../../platform/contract/status.ts'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import type { Column } from '../../../platform/web/list/columns.ts'
import type { Copy } from '../../../platform/web/list/CopyMenu.tsx'
import type { Brand } from '../contract.ts'

import classes from './brand.module.css'

/** Brands as a table. */
export const BRAND_COLUMNS: readonly Column<Brand>[] = [
  {
    key: 'name',
    label: 'Name',
    text: ({ brandName }) => brandName,
    cell: ({ _id, brandName, brandIcon }) => (
      <span className={classes.named}>
        <BrandMark name={brandName} icon={brandIcon} size={32} />
        <Link to="/brand/$id" params={{ id: _id }}>
          {brandName}
        </Link>
      </span>
    ),
    width: 17,
  },
  { key: 'charters', label: 'Charters', text: ({ charters }) => charters.length, width: 7, isNumber: true, atFirst: true },
  {
    key: 'active',
    label: 'Active charters',
    text: ({ charters }) => charters.filter(({ status }) => isActive(status)).length,
    width: 9,
    isNumber: true,
    atFirst: true,
  },
  {
    key: 'website',
    label: 'Website',
    text: ({ websiteUrl }) => websiteUrl,
    cell: ({ websiteUrl }) => (websiteUrl ? <WebLink address={websiteUrl} /> : null),
    width: 16,
    atFirst: true,
  },
  {
    key: 'status',
    label: 'Status',
    text: ({ status }) => STATUS_LABELS[status],
    cell: ({ status }) => <StatusWord status={status} />,
    width: 11.5,
    atFirst: true,
  },
]

/** What can be copied of brands. */
export const BRAND_COPIES: readonly Copy<Brand>[] = [{ noun: ['website', 'websites'], textOf: ({ websiteUrl }) => websiteUrl }]
