import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

import classes from './ExpandableRow.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface ExpandableRowProps {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** The label of the button that expands the row. */
  label: ReactNode
  /** The rest of the row, next to the button: a grid whose area `open` contains the button. */
  head: ReactNode
  headClassName: string | undefined
  /** Shown while the row is open. */
  children: ReactNode
}

/** A row of a log, which expands to show all details. */
export const ExpandableRow = ({ isOpen, onToggle, label, head, headClassName, children }: ExpandableRowProps) => {
  const id = useId()
  return (
    <li className={`${layoutClasses.lineAbove} ${classes.row}`}>
      <div className={headClassName}>
        <button
          type="button"
          className={`${layoutClasses.breakable} ${layoutClasses.topRow} ${textClasses.strong} ${classes.open}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => onToggle(!isOpen)}
        >
          <IconChevronRight size={18} stroke={1.75} className={`${textClasses.dimmed} ${classes.icon}`} aria-hidden />
          {label}
        </button>
        {head}
      </div>
      <div id={id}>{isOpen ? children : null}</div>
    </li>
  )
}
