import { Children, Fragment, type ReactNode } from 'react'

import classes from './Parts.module.css'

/** Elements with a dot between them, and none where a line begins. Read aloud they are words of their own. */
export const Parts = ({ children }: { children: ReactNode }) => (
  <span className={classes.parts}>
    {Children.toArray(children).map((part, at) => (
      <Fragment key={at}>
        {at > 0 ? ' ' : null}
        {part}
      </Fragment>
    ))}
  </span>
)
