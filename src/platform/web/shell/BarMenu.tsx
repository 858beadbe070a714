import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useId } from 'react'
import type { ReactNode } from 'react'

import classes from './BarMenu.module.css'

interface BarMenuProps {
  /** What the button is called. */
  label: string
  /** What the button shows. */
  face: ReactNode
  /** What is behind it; an action closes it first. */
  children: (close: () => void) => ReactNode
}

/**
 * A few ways on, behind a button at the end of the top bar. The browser's own popover: it closes on Escape and on a click elsewhere, gives focus
 * back, and costs the first page nothing.
 */
export const BarMenu = ({ label, face, children }: BarMenuProps) => {
  const id = useId()
  const router = useRouter()
  const close = useCallback(() => document.getElementById(id)?.hidePopover(), [id])
  useEffect(() => router.subscribe('onBeforeNavigate', close), [router, close])
  return (
    <>
      <button type="button" className={classes.button} popoverTarget={id}>
        {face}
        <VisuallyHidden>{label}</VisuallyHidden>
      </button>
      <div id={id} popover="auto" role="group" aria-label={label} className={classes.menu}>
        {children(close)}
      </div>
    </>
  )
}
