import { Link } from '@tanstack/react-router'

import { showPhone } from '../../../platform/contract/phones.ts'
import { MailLink, PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import type { Column } from '../../../platform/web/list/columns.ts'
import type { Copy } from '../../../platform/web/list/CopyMenu.tsx'
import type { Person } from '../contract.ts'

const phoneOf = ({ phone }: Person): string | null => phone && showPhone(phone)
const emailOf = ({ email }: Person): string | null => email
const citiesOf = ({ sites }: Person): string =>
  [...new Set(sites.map(({ city, state }) => [city, state].filter(Boolean).join(', ')).filter(Boolean))].join('; ')

/** Staff as a table. */
export const PERSON_COLUMNS: readonly Column<Person>[] = [
  {
    key: 'name',
    label: 'Name',
    text: ({ name }) => name,
    cell: ({ slug, name }) => (
      <Link to="/staff/$slug" params={{ slug }}>
        {name}
      </Link>
    ),
    width: 13,
  },
  { key: 'role', label: 'Role', text: ({ roles }) => roles.map(({ name }) => name).join(', '), width: 13, atFirst: true },
  {
    key: 'site',
    label: 'Site',
    text: ({ sites }) => sites.map(({ displayName }) => displayName).join('; '),
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
  {
    key: 'phone',
    label: 'Phone',
    text: phoneOf,
    cell: ({ phone }) => (phone ? <PhoneLink phone={phone} /> : null),
    width: 8.5,
    atFirst: true,
  },
  {
    key: 'email',
    label: 'Email',
    text: emailOf,
    cell: ({ email }) => (email ? <MailLink email={email} /> : null),
    width: 17,
    atFirst: true,
  },
  { key: 'city', label: 'City', text: citiesOf, width: 11 },
  { key: 'fax', label: 'Fax', text: ({ fax }) => fax && showPhone(fax), width: 8.5 },
  { key: 'hr', label: 'HR number', text: ({ sql_person_id }) => sql_person_id, width: 7 },
]

/** What can be copied of staff. */
export const PERSON_COPIES: readonly Copy<Person>[] = [
  { noun: ['email address', 'email addresses'], textOf: emailOf },
  { noun: ['phone number', 'phone numbers'], textOf: phoneOf },
]
