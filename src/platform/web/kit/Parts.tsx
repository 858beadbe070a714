import { Children, Fragment, type ReactNode } from 'react'

import layoutClasses from './Layout.module.css'
import classes from './Parts.module.css'

/** Elements separated by dots, except at line starts. Screen readers read them as separate words. */
export const Parts = ({ children }: { children: ReactNode }) => (
  <span className={`${layoutClasses.filling} ${classes.parts}`}>
    {Children.toArray(children).map((part, at) => (
      <Fragment key={at}>
        {at > 0 ? ' ' : null}
        {part}
      </Fragment>
    ))}
  </span>
)
