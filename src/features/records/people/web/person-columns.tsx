import { Link } from '@tanstack/react-router'

import { MailLink, PhoneLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { type Column, withLooks } from '../../../../platform/web/list/columns.ts'
import type { Copy } from '../../../../platform/web/list/CopyMenu.tsx'
import type { Person } from '../contract.ts'
import { getEmail, formatPersonPhone, STAFF_LIST } from '../list.ts'

/** The table columns of staff. */
export const PERSON_COLUMNS: readonly Column<Person>[] = withLooks(STAFF_LIST.columns, {
  name: {
    cell: ({ slug, name }) => (
      <Link to="/staff/$slug" params={{ slug }}>
        {name}
      </Link>
    ),
    width: 13,
  },
  role: { width: 13, atFirst: true },
  site: {
    cell: ({ sites: [first, ...others] }) =>
      first ? (
        <>
          <Link to="/location/$slug" params={{ slug: first.slug }}>
            {first.displayName}
          </Link>
          {others.length > 0 ? ` and ${others.length} more` : null}
        </>
      ) : null,
    width: 17,
    atFirst: true,
  },
  phone: { cell: ({ phone }) => (phone ? <PhoneLink phone={phone} /> : null), width: 8.5, atFirst: true },
  email: { cell: ({ email }) => (email ? <MailLink email={email} /> : null), width: 17, atFirst: true },
  city: { width: 11 },
  fax: { width: 8.5 },
  hr: { width: 7 },
})

/** What the copy menu of staff offers. */
export const PERSON_COPIES: readonly Copy<Person>[] = [
  { noun: ['email address', 'email addresses'], textOf: getEmail },
  { noun: ['phone number', 'phone numbers'], textOf: formatPersonPhone },
]
