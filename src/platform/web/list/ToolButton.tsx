import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

import { NEEDS_CONNECTION, useIsOffline } from '../offline.ts'

import layoutClasses from '../kit/Layout.module.css'
import classes from './ListTools.module.css'

interface ToolButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'disabled'> {
  icon: Icon
  isDisabled?: boolean
  /** Grayed out without a network. */
  needsNetwork?: boolean
}

/** A button above a list. */
export const ToolButton = ({ icon: IconComponent, isDisabled, needsNetwork = false, children, ...props }: ToolButtonProps) => {
  const isLost = useIsOffline() && needsNetwork
  return (
    <button
      {...props}
      type="button"
      className={`${layoutClasses.hoverable} ${classes.button}`}
      disabled={isDisabled || isLost}
      {...(isLost ? { title: NEEDS_CONNECTION } : {})}
    >
      <IconComponent size={17} stroke={1.75} aria-hidden />
      {children}
    </button>
  )
}
