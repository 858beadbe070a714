import { Button } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'

import classes from './BottomBar.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

/** A page with a bar, which is at the bottom of the window even on a short page. */
export const PageWithBar = ({ className = '', children }: { className?: string | undefined; children: ReactNode }) => (
  <div className={`${layoutClasses.vertical} ${classes.page} ${className}`}>{children}</div>
)

/** The purpose of a page, and its buttons; stays at the bottom of the window. With a `label` it is a region. */
export const BottomBar = ({ label, children }: { label?: string; children: ReactNode }) => (
  <div className={classes.bar} data-print="no" {...(label === undefined ? {} : { role: 'region', 'aria-label': label })}>
    {children}
  </div>
)

/** What the bar's button will do; announced when it changes. */
export const BarWords = ({ children }: { children: ReactNode }) => (
  <p role="status" className={`${layoutClasses.iconAndText} ${layoutClasses.growing} ${layoutClasses.wrapping} ${classes.text}`}>
    {children}
  </p>
)

/** Says where unsaved changes are stored; hidden on phones, which have no room for it. */
export const KeptHint = ({ children }: { children: ReactNode }) => (
  <span className={`${layoutClasses.notOnPhones} ${textClasses.caption} ${textClasses.count}`}>{children}</span>
)

const SAVE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ S' : 'Ctrl S'

/** A save button with its keyboard shortcut; the page handles both. */
export const SaveButton = (props: Pick<ComponentProps<typeof Button<'button'>>, 'type' | 'loading' | 'onClick' | 'children'>) => (
  <Button
    aria-keyshortcuts="Control+S"
    rightSection={
      <kbd className={`${layoutClasses.notOnPhones} ${textClasses.regular} ${textClasses.tinyFont} ${classes.keys}`}>{SAVE_KEYS}</kbd>
    }
    {...props}
  />
)
