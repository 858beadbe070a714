import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { useIsNarrow } from '../narrow.ts'
import { ErrorBanner } from './ErrorBanner.tsx'
import { PastBanner } from './PastBanner.tsx'
import { SuccessNotice } from './SuccessNotice.tsx'
import { UpdateNotice } from './UpdateNotice.tsx'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './Shell.module.css'

interface ShellProps {
  /** The side menu's content; it may close a menu that covers the page. */
  menu: (close: () => void) => ReactNode
  /** The top bar after the hamburger. */
  bar: ReactNode
  children: ReactNode
}

/** On tablets the menu would leave too little room for the page. */
const MAX_CLOSED_WIDTH = 920

const firstLink = (menu: HTMLElement | null) =>
  menu?.querySelector<HTMLElement>('[aria-current="page"]') ?? menu?.querySelector<HTMLElement>('a, button')

/**
 * Side menu, top bar, page. Wide: the menu is open until the hamburger closes it; on a tablet it is closed until the hamburger opens it. 745 px or less: it covers the page, which is then inert;
 * Escape, a click on the page area or a link in it close it.
 */
export const Shell = ({ menu, bar, children }: ShellProps) => {
  const router = useRouter()
  const narrow = useIsNarrow()
  const [wideOpen, setWideOpen] = useState(() => window.innerWidth > MAX_CLOSED_WIDTH)
  const [narrowOpen, setNarrowOpen] = useState(false)
  const nav = useRef<HTMLElement>(null)
  const hamburger = useRef<HTMLButtonElement>(null)
  const open = narrow ? narrowOpen : wideOpen
  const over = narrow && narrowOpen

  const toggle = () => (narrow ? setNarrowOpen(!narrowOpen) : setWideOpen(!wideOpen))
  const close = useCallback(() => setNarrowOpen(false), [])
  const closeAndReturn = useCallback(() => {
    setNarrowOpen(false)
    // The page is inert until React has committed the change.
    requestAnimationFrame(() => hamburger.current?.focus())
  }, [])

  useEffect(() => router.subscribe('onBeforeNavigate', close), [router, close])
  useEffect(() => {
    if (!over) return undefined
    firstLink(nav.current)?.focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) closeAndReturn()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [over, closeAndReturn])

  return (
    <>
      <a
        href="#main"
        className={`${layoutClasses.rounded} ${textClasses.linkColor} ${textClasses.strong} ${classes.skip}`}
        data-print="no"
        inert={over}
      >
        Skip to main content
      </a>
      <nav id="menu" ref={nav} aria-label="Main" className={classes.menu} data-print="no" data-open={open} inert={!open}>
        {menu(close)}
      </nav>
      {over ? <button type="button" className={classes.backdrop} data-print="no" aria-label="Close menu" onClick={closeAndReturn} /> : null}
      <div className={`${layoutClasses.flex} ${layoutClasses.downward} ${classes.page}`} data-beside={wideOpen} inert={over}>
        <header className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${classes.bar}`} data-print="no">
          <ActionIcon
            ref={hamburger}
            className={textClasses.dimmed}
            aria-label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="menu"
            onClick={toggle}
          >
            <IconMenu2 size={20} stroke={1.75} />
          </ActionIcon>
          {bar}
        </header>
        <PastBanner />
        <ErrorBanner />
        <SuccessNotice />
        <UpdateNotice />
        <main id="main" tabIndex={-1} className={`${layoutClasses.growing} ${layoutClasses.fullWidth} ${classes.main}`}>
          {children}
        </main>
      </div>
    </>
  )
}
