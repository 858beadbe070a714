import { IconMapSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { useTitle } from '../title.ts'
import { EmptyState } from './EmptyState.tsx'

import layoutClasses from './Layout.module.css'
import classes from './NotFoundPage.module.css'

const PAGES = [
  { to: '/', label: 'Home' },
  { to: '/locations', label: 'Resource Centers' },
  { to: '/leadership', label: 'Leadership' },
  { to: '/support', label: 'Student Support' },
]

/** `/404` and every unknown path. */
export const NotFoundPage = () => {
  useTitle('Page could not be found')
  return (
    <EmptyState icon={IconMapSearch} title="Page could not be found" isPage>
      <p>The link may be out of date, or the record may have been removed. Try one of these pages.</p>
      <ul className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin8} ${classes.links}`}>
        {PAGES.map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
