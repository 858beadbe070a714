import { Link } from '@tanstack/react-router'

import type { PersonReference } from '../../../contract/references.ts'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { VacantRole } from './VacantRole.tsx'

import textClasses from '../../../platform/web/kit/Text.module.css'

interface PeopleWithPhonesProps {
  people: readonly PersonReference[]
  isVacant: boolean
  className: string | undefined
  nameClassName: string | undefined
}

/** The people in a role with their phone numbers, or its vacancy. */
export const PeopleWithPhones = ({ people, isVacant, className, nameClassName }: PeopleWithPhonesProps) =>
  isVacant ? (
    <VacantRole />
  ) : (
    people.map((person) => (
      <span key={person._id} className={className}>
        <Link to="/staff/$slug" params={{ slug: person.slug }} className={`${textClasses.quietLink} ${nameClassName}`}>
          {person.name}
        </Link>
        <PhoneLink phone={person.phone} />
      </span>
    ))
  )
