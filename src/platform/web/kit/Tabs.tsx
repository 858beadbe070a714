import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { formatSearch, type SearchParams } from '../search-params.ts'

import layoutClasses from './Layout.module.css'
import classes from './Tabs.module.css'
import textClasses from './Text.module.css'

interface Tab {
  label: ReactNode
  /** The path of the tab's page. */
  to: string
  /** Its search parameters. */
  search?: SearchParams
  /** Tabs of one page, which differ in their search parameters; the page may have others, too. */
  isBySearch?: boolean
}

/** Tabs that are links: each is a page with its own URL. The current one is marked for screen readers too. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav aria-label={label} className={`${layoutClasses.wrappingRow} ${classes.tabs}`} data-print="no">
    {tabs.map((tab) => (
      <Link
        key={`${tab.to}${formatSearch(tab.search ?? {})}`}
        to={tab.to}
        {...(tab.search ? { search: tab.search } : {})}
        className={`${layoutClasses.rigid} ${textClasses.dimmed} ${textClasses.lines} ${classes.tab}`}
        activeOptions={tab.isBySearch === true ? { exact: false, includeSearch: true } : { exact: true, includeSearch: false }}
        resetScroll={false}
      >
        {tab.label}
      </Link>
    ))}
  </nav>
)
