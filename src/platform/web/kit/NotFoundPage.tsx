import { IconMapSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { useTitle } from '../title.ts'
import { EmptyState } from './EmptyState.tsx'

import layoutClasses from './Layout.module.css'
import classes from './NotFoundPage.module.css'

/** `/404` and every unknown path. */
export const NotFoundPage = () => {
  useTitle('Page could not be found')
  return (
    <EmptyState icon={IconMapSearch} title="Page could not be found" isPage>
      <p>The link may be out of date, or the record may have been removed. Try one of these pages.</p>
      <ul className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin8} ${classes.links}`}>
        <li>
          <Link to="/">Home</Link>
        </li>
        <li>
          <Link to="/locations">Resource Centers</Link>
        </li>
        <li>
          <Link to="/leadership">Leadership</Link>
        </li>
        <li>
          <Link to="/support">Student Support</Link>
        </li>
      </ul>
    </EmptyState>
  )
}
