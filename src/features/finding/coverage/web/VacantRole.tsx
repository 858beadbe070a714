import { IconCircleDashed } from '@tabler/icons-react'

import { VACANT_LABEL } from '../rules.ts'

import classes from './VacantRole.module.css'

/** A role that nobody holds: a dashed circle, the word and a colour. `role` names it where the place alone does not. */
export const VacantRole = ({ role }: { role?: string }) => (
  <span className={classes.empty}>
    <IconCircleDashed size={16} stroke={2} aria-hidden className={classes.circle} />
    {role ?? VACANT_LABEL}
  </span>
)
