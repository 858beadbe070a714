import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'

import { truncateText } from '../../../changing/history/rules.ts'
import type { EntryLine } from './describe-entry.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './EntryLineRow.module.css'

/** 'Phone: 661-555-0142 → 661-555-0187'. */
export const EntryLineRow = ({ line: { record, label, from, to } }: { line: EntryLine }) => (
  <li className={layoutClasses.breakable}>
    {record === null ? null : <span className={textClasses.dimmed}>{record}, </span>}
    {label}
    {from === null && to === null ? null : ': '}
    {from === null ? null : <span className={textClasses.dimmed}>{truncateText(from)}</span>}
    {from === null || to === null ? null : (
      <>
        <IconArrowRight size={14} stroke={1.75} aria-hidden className={`${textClasses.dimmed} ${classes.arrow}`} />
        <VisuallyHidden> changed to </VisuallyHidden>
      </>
    )}
    {to === null ? null : <span className={textClasses.strong}>{truncateText(to)}</span>}
  </li>
)
