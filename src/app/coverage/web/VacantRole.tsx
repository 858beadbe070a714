import { IconCircleDashed } from '@tabler/icons-react'

import { VACANT_LABEL } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './VacantRole.module.css'

/** A vacant role. Shows `role` if its position on the page does not identify it, otherwise 'Vacant'. */
export const VacantRole = ({ role }: { role?: string }) => (
  <span className={`${layoutClasses.inlineRow} ${textClasses.label} ${textClasses.wait} ${classes.empty}`}>
    <IconCircleDashed size={16} stroke={2} aria-hidden className={classes.circle} />
    {role ?? VACANT_LABEL}
  </span>
)
