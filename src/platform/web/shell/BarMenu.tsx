import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useId } from 'react'
import type { ReactNode } from 'react'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './BarMenu.module.css'

interface BarMenuProps {
  /** The button's label. */
  label: string
  /** The button's content. */
  face: ReactNode
  /** The menu's content; actions should call `close` first. */
  children: (close: () => void) => ReactNode
}

/**
 * A small menu behind a button at the end of the top bar. It uses the native popover, which closes on Escape and on outside clicks, restores focus,
 * and adds nothing to the initial bundle.
 */
export const BarMenu = ({ label, face, children }: BarMenuProps) => {
  const id = useId()
  const router = useRouter()
  const close = useCallback(() => document.getElementById(id)?.hidePopover(), [id])
  useEffect(() => router.subscribe('onBeforeNavigate', close), [router, close])
  return (
    <>
      <button
        type="button"
        className={`${layoutClasses.centered} ${layoutClasses.hoverable} ${layoutClasses.rigidFlex} ${classes.button}`}
        popoverTarget={id}
        data-print="no"
      >
        {face}
        <VisuallyHidden>{label}</VisuallyHidden>
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className={`${layoutClasses.card} ${textClasses.textColor} ${classes.menu}`}
        data-print="no"
      >
        {children(close)}
      </div>
    </>
  )
}
