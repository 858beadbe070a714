import type { ReactNode } from 'react'

import classes from './Parts.module.css'

/** Elements with a dot between them, and none where a line begins. */
export const Parts = ({ children }: { children: ReactNode }) => <span className={classes.parts}>{children}</span>
