import { Link } from '@tanstack/react-router'

import { dayOf, showMomentDay } from '../../../platform/contract/dates.ts'
import { showPhone } from '../../../platform/contract/phones.ts'
import { isActive, STATUS_LABELS } from '../../../platform/contract/status.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import type { Column } from '../../../platform/web/list/columns.ts'
import type { Copy } from '../../../platform/web/list/CopyMenu.tsx'
import type { Charter } from '../contract.ts'

import classes from './charter.module.css'

const phoneOf = ({ charterContactnumber: phone }: Charter): string | null => phone && showPhone(phone)

/** Charters as a table, to compare by their numbers. */
export const CHARTER_COLUMNS: readonly Column<Charter>[] = [
  {
    key: 'name',
    label: 'Name',
    text: ({ name }) => name,
    cell: ({ slug, name, brandName, brandIcon }) => (
      <span className={classes.named}>
        <BrandMark name={brandName} icon={brandIcon} size={32} />
        <Link to="/charter/$id" params={{ id: slug }}>
          {name}
        </Link>
      </span>
    ),
    width: 17,
  },
  { key: 'abbreviation', label: 'Abbreviation', text: ({ abbreviation }) => abbreviation, width: 7.5, atFirst: true },
  {
    key: 'brand',
    label: 'Brand',
    text: ({ brandName }) => brandName,
    cell: ({ brand, brandName }) => (
      <Link to="/brand/$id" params={{ id: brand }}>
        {brandName}
      </Link>
    ),
    width: 10,
    atFirst: true,
  },
  { key: 'students', label: 'Students', text: ({ studentCount }) => studentCount, width: 6, isNumber: true, atFirst: true },
  { key: 'sites', label: 'Sites', text: ({ sites }) => sites.length, width: 4.5, isNumber: true, atFirst: true },
  {
    key: 'status',
    label: 'Status',
    text: ({ status }) => STATUS_LABELS[status],
    cell: ({ status }) => <StatusWord status={status} />,
    width: 11.5,
    atFirst: true,
  },
  {
    key: 'counted',
    label: 'Count changed',
    text: ({ studentCountUpdatedAt: at }) => at && showMomentDay(at, configuration.timeZone),
    day: ({ studentCountUpdatedAt: at }) => at && dayOf(at, configuration.timeZone),
    order: ({ studentCountUpdatedAt: at }) => at && Date.parse(at),
    width: 7.5,
    atFirst: true,
  },
  {
    key: 'active',
    label: 'Active sites',
    text: ({ sites }) => sites.filter(({ status }) => isActive(status)).length,
    width: 6.5,
    isNumber: true,
  },
  {
    key: 'phone',
    label: 'Phone',
    text: phoneOf,
    cell: ({ charterContactnumber: phone }) => (phone ? <PhoneLink phone={phone} /> : null),
    width: 8.5,
  },
  {
    key: 'website',
    label: 'Website',
    text: ({ charterWebsite }) => charterWebsite,
    cell: ({ charterWebsite }) => (charterWebsite ? <WebLink address={charterWebsite} /> : null),
    width: 13,
  },
  { key: 'number', label: 'Charter number', text: ({ charter_number }) => charter_number, width: 8.5 },
  { key: 'grades', label: 'Grade levels', text: ({ charter_grade_levels }) => charter_grade_levels, width: 7.5 },
]

/** What can be copied of charters. */
export const CHARTER_COPIES: readonly Copy<Charter>[] = [
  { noun: ['phone number', 'phone numbers'], textOf: phoneOf },
  { noun: ['website', 'websites'], textOf: ({ charterWebsite }) => charterWebsite },
]
