import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

import classes from './ListTools.module.css'

interface ToolButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'disabled'> {
  icon: Icon
  isDisabled?: boolean
}

/** A button above a list. */
export const ToolButton = ({ icon: IconComponent, isDisabled, children, ...props }: ToolButtonProps) => (
  <button {...props} type="button" className={classes.button} disabled={isDisabled}>
    <IconComponent size={17} stroke={1.75} aria-hidden />
    {children}
  </button>
)
