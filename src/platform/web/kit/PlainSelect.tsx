import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import layoutClasses from './Layout.module.css'
import classes from './PlainSelect.module.css'
import textClasses from './Text.module.css'

/** A native select that looks like a link with an arrow. Safari ignores most of a select's style unless its own look is removed. */
export const PlainSelect = ({ className = '', ...props }: ComponentProps<'select'>) => (
  <span className={`${layoutClasses.shrinkable} ${textClasses.linkColor} ${layoutClasses.inlineFlex} ${layoutClasses.alignCenter}`}>
    <select className={`${classes.select} ${className}`} {...props} />
    <IconChevronDown size={16} stroke={1.75} aria-hidden className={classes.arrow} />
  </span>
)
