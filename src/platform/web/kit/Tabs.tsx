import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { SearchParams } from '../search-params.ts'

import classes from './Tabs.module.css'

interface Tab {
  label: ReactNode
  /** The path of the page behind it. */
  to: string
  /** What is behind the `?` of its address. */
  search?: SearchParams
}

/** Tabs that are links: each is a page with its own address. The one whose page is open says so. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav aria-label={label} className={classes.tabs} data-print="no">
    {tabs.map((tab) => (
      <Link
        key={tab.to}
        to={tab.to}
        {...(tab.search ? { search: tab.search } : {})}
        className={classes.tab}
        activeOptions={{ exact: true, includeSearch: false }}
        resetScroll={false}
      >
        {tab.label}
      </Link>
    ))}
  </nav>
)
