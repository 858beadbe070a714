import { IconCircleDashed } from '@tabler/icons-react'

import { VACANT_LABEL } from '../rules.ts'

import classes from './VacantRole.module.css'

/** A vacant role; `role` is shown where the position alone does not name it. */
export const VacantRole = ({ role }: { role?: string }) => (
  <span className={classes.empty}>
    <IconCircleDashed size={16} stroke={2} aria-hidden className={classes.circle} />
    {role ?? VACANT_LABEL}
  </span>
)
