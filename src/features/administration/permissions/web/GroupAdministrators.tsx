import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import type { GroupAdministrator } from '../contract.ts'
import { isAdministrator } from '../rules.ts'
import { useGroupAdministrators } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './PermissionsPage.module.css'

const GroupAdministratorRow = ({ person: { name, azureID, group, accessLevel } }: { person: GroupAdministrator }) => (
  <li className={classes.row}>
    <Avatar name={name} />
    <span className={`${layoutClasses.column} ${classes.text}`}>
      <span className={classes.nameLine}>
        <span className={textClasses.name}>{name}</span>
      </span>
      {name === azureID ? null : <span className={`${textClasses.detail} ${classes.detail}`}>{azureID}</span>}
    </span>
    <span className={`${textClasses.detail} ${layoutClasses.column} ${classes.level}`}>
      <span>Level {accessLevel}</span>
      <span className={classes.since}>From the group {group}</span>
    </span>
  </li>
)

/** Administrators through a directory group, who are added and removed in the directory. Renders nothing if there are none. */
export const GroupAdministrators = () => {
  const { data = [] } = useGroupAdministrators()
  const administrators = data.filter(({ accessLevel }) => isAdministrator(accessLevel))
  if (administrators.length === 0) return null
  return (
    <Section title="From groups of the directory" count={administrators.length}>
      <p className={`${textClasses.detail} ${classes.about}`}>
        They have their level as long as they are in the group. The more privileged of a group and a permission record counts.
      </p>
      <ul aria-label="Administrators from groups">
        {administrators.map((person) => (
          <GroupAdministratorRow key={`${person._id} ${person.group}`} person={person} />
        ))}
      </ul>
    </Section>
  )
}
