import { Link } from '@tanstack/react-router'
import { memo } from 'react'

import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { ContactButtons } from '../../../platform/web/kit/ContactLinks.tsx'
import type { Person } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import card from '../../../platform/web/list/Card.module.css'
import classes from './PersonCard.module.css'

const formatRoles = ({ roles }: Person): string => roles.map((role) => role.name).join(', ')

/** The site of a person, or their first site and the number of others. */
const formatSites = ({ sites }: Person): string => {
  const [first, ...others] = sites
  if (!first) return 'No site'
  return others.length === 0 ? first.displayName : `${first.displayName} and ${others.length} more`
}

/** The card of a person in a list. It links to the person's page. */
export const PersonCard = memo(({ person }: { person: Person }) => (
  <article className={`${layoutClasses.card} ${card.card} ${classes.card}`}>
    <div className={classes.person}>
      <Avatar name={person.name} />
      <div className={layoutClasses.fillingColumn}>
        <Link to="/staff/$slug" params={{ slug: person.slug }} className={card.name} data-truncated>
          <span>{person.name}</span>
        </Link>
        <p className={`${textClasses.detail} ${textClasses.truncated} ${card.line}`} title={formatRoles(person)}>
          {formatRoles(person)}
        </p>
        <p className={`${textClasses.detail} ${textClasses.truncated} ${card.line}`}>{formatSites(person)}</p>
      </div>
    </div>
    <div className={classes.contact}>
      <ContactButtons name={person.name} phone={person.phone} email={person.email} />
    </div>
  </article>
))
PersonCard.displayName = 'PersonCard'
