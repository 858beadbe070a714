import type { Named } from '../../../../contract/references.ts'
import { Avatar, VacantAvatar } from '../../../../platform/web/kit/Avatar.tsx'
import { useDeadlineActions } from './deadline-actions.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ResponsiblePerson.module.css'

/** The person responsible for a deadline: 'You', a name, or "no one" in amber. */
export const ResponsiblePerson = ({ person }: { person: Named | null }) => {
  const { me } = useDeadlineActions()
  return (
    <span
      className={`${layoutClasses.inlineRow} ${layoutClasses.shrinkable} ${layoutClasses.gap8} ${classes.person}`}
      data-unassigned={person === null || undefined}
    >
      {person === null ? <VacantAvatar size={26} /> : <Avatar name={person.name} size={26} />}
      <span className={textClasses.truncated}>{person === null ? 'Nobody responsible' : person._id === me ? 'You' : person.name}</span>
    </span>
  )
}
