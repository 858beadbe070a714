import { memo } from 'react'

import { getRecordPath } from '../../../contract/records.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { ContactButtons } from '../../../platform/web/kit/ContactLinks.tsx'
import { CardLine, CardName } from '../../../platform/web/list/RecordCard.tsx'
import type { Person } from '../contract.ts'
import { formatRoles, formatSites } from './person-columns.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import card from '../../../platform/web/list/Card.module.css'
import classes from './PersonCard.module.css'

/** The card of a person in a list. It links to the person's page. */
export const PersonCard = memo(({ person }: { person: Person }) => (
  <article
    className={`${layoutClasses.card} ${layoutClasses.covered} ${layoutClasses.shadowOnHover} ${card.card} ${layoutClasses.vertical} ${layoutClasses.spaceBetween} ${classes.card}`}
  >
    <div className={`${layoutClasses.shrinkable} ${layoutClasses.spaced} ${layoutClasses.gap12} ${classes.person}`}>
      <Avatar name={person.name} />
      <div className={layoutClasses.fillingColumn}>
        <CardName to={getRecordPath({ kind: 'person', slug: person.slug })} isTruncated>
          {person.name}
        </CardName>
        <CardLine title={formatRoles(person)}>{formatRoles(person)}</CardLine>
        <CardLine>{formatSites(person)}</CardLine>
      </div>
    </div>
    <div className={`${layoutClasses.fullWidth} ${layoutClasses.positioned} ${textClasses.smallFont} ${classes.contact}`}>
      <ContactButtons name={person.name} phone={person.phone} email={person.email} />
    </div>
  </article>
))
PersonCard.displayName = 'PersonCard'
