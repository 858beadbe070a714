import { Link } from '@tanstack/react-router'

import { formatCount } from '../../../contract/format.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { MailLink, PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { type Column, withDisplay } from '../../../platform/web/list/columns.ts'
import type { CopyOption } from '../../../platform/web/list/CopyMenu.tsx'
import type { PrintedColumn } from '../../../platform/web/list/PrintedTable.tsx'
import type { Person } from '../contract.ts'
import { getEmail, formatPersonPhone, STAFF_LIST } from '../list.ts'

export const formatRoles = ({ roles }: Pick<Person, 'roles'>): string => roles.map((role) => role.name).join(', ')

/** The site of a person, or their first site and the number of others. */
export const formatSites = ({ sites: [first, ...others] }: Person): string => {
  if (!first) return 'No site'
  return others.length === 0 ? first.displayName : `${first.displayName} and ${others.length} more`
}

/** The table columns of staff. */
export const PERSON_COLUMNS: readonly Column<Person>[] = withDisplay(STAFF_LIST.columns, {
  name: { cell: ({ slug, name }) => <Link to={getRecordPath({ kind: 'person', slug })}>{name}</Link>, width: 13 },
  role: { width: 13, isDefault: true },
  site: {
    cell: ({ sites: [first, ...others] }) =>
      first ? (
        <>
          <Link to={getRecordPath({ kind: 'site', slug: first.slug })}>{first.displayName}</Link>
          {others.length > 0 ? ` and ${others.length} more` : null}
        </>
      ) : null,
    width: 17,
    isDefault: true,
  },
  phone: { cell: ({ phone }) => (phone ? <PhoneLink phone={phone} /> : null), width: 8.5, isDefault: true },
  email: { cell: ({ email }) => (email ? <MailLink email={email} /> : null), width: 17, isDefault: true },
  city: { width: 11 },
  fax: { width: 8.5 },
  hr: { width: 7 },
})

/** More sites than this are counted on paper: an Area Superintendent's would fill a page. */
const MAX_PRINTED_SITES = 6

/** The printed call list of staff. */
export const PERSON_CALL_LIST: readonly PrintedColumn<Person>[] = [
  { label: 'Name', getText: ({ name }) => name, width: 19 },
  { label: 'Role', getText: formatRoles, width: 19 },
  {
    label: 'Site',
    getText: ({ sites }) =>
      sites.length > MAX_PRINTED_SITES ? formatCount(sites.length, 'site') : sites.map(({ displayName }) => displayName).join(', '),
  },
  { label: 'Phone', getText: formatPersonPhone, width: 12 },
  { label: 'Email', getText: getEmail, width: 25 },
]

/** The entries of the copy menu for staff. */
export const PERSON_COPIES: readonly CopyOption<Person>[] = [
  { noun: ['email address', 'email addresses'], getText: getEmail },
  { noun: ['phone number', 'phone numbers'], getText: formatPersonPhone },
]
