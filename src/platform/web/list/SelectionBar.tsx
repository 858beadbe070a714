import type { ReactNode } from 'react'

import { BottomBar } from '../kit/BottomBar.tsx'
import { TextButton } from '../kit/TextButton.tsx'
import type { Selection } from './use-selection.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './SelectionBar.module.css'

interface SelectionBarProps<T> {
  selection: Selection<T>
  /** Buttons that act on the selection. */
  children: ReactNode
}

/** The number of selected rows and the actions for them; stays at the bottom of the window. */
export const SelectionBar = <T,>({ selection, children }: SelectionBarProps<T>) => {
  const { records, total, selectAll, clear } = selection
  const show = (count: number) => count.toLocaleString('en-US')
  return (
    <BottomBar label="Selected rows">
      <div className={`${layoutClasses.row} ${classes.summary}`}>
        <p role="status" className={`${textClasses.strong} ${textClasses.unbroken} ${classes.count}`}>
          {show(records.length)} selected
        </p>
        {records.length < total ? (
          <TextButton isUnderlined onClick={selectAll}>
            Select all {show(total)}
          </TextButton>
        ) : null}
        <TextButton isUnderlined onClick={clear}>
          Clear
        </TextButton>
      </div>
      <div className={`${layoutClasses.toolbar} ${layoutClasses.gap10} ${layoutClasses.pushedToEnd} ${classes.actions}`}>{children}</div>
    </BottomBar>
  )
}
