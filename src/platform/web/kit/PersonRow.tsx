import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { PersonReference } from '../../../contract/references.ts'
import { Avatar, VacantAvatar } from './Avatar.tsx'
import { ContactButtons } from './ContactLinks.tsx'

import layoutClasses from './Layout.module.css'
import classes from './PersonRow.module.css'
import textClasses from './Text.module.css'

/** Someone in a role, with contact buttons. */
export const PersonRow = ({ person, role, note }: { person: PersonReference; role: string; note?: ReactNode }) => (
  <li className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${classes.row}`}>
    <Avatar name={person.name} />
    <span className={`${layoutClasses.fillingColumn} ${textClasses.lines}`}>
      <Link to="/staff/$slug" params={{ slug: person.slug }} className={`${textClasses.name} ${classes.name}`}>
        {person.name}
      </Link>
      <span className={textClasses.detail}>{role}</span>
    </span>
    {note}
    <ContactButtons name={person.name} phone={person.phone} email={person.email} />
  </li>
)

/** A vacant role, and what can be done about it. */
export const VacantRow = ({ role, action }: { role: string; action?: ReactNode }) => (
  <li className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${classes.row}`}>
    <VacantAvatar />
    <span className={`${layoutClasses.fillingColumn} ${textClasses.lines}`}>
      <span className={textClasses.dimmed}>Vacant</span>
      <span className={textClasses.detail}>{role}</span>
    </span>
    {action}
  </li>
)

/** A list of PersonRows and VacantRows. */
export const PersonRows = ({ children, label }: { children: ReactNode; label: string }) => <ul aria-label={label}>{children}</ul>
