import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './ActiveLabel.module.css'

/** Whether a SIS site is active, as text with an icon. */
export const ActiveLabel = ({ active }: { active: boolean }) => {
  const Icon = active ? IconCircleCheckFilled : IconCircleX
  return (
    <span
      className={`${layoutClasses.inlineRow} ${textClasses.smallerFont} ${textClasses.textColor} ${textClasses.unbroken} ${classes.label}`}
      data-active={active}
    >
      <Icon size={15} stroke={1.75} aria-hidden />
      {active ? 'Active' : 'Inactive'}
    </span>
  )
}
