import type { Deadline } from '../contract.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { formatCountName, formatMarkName, isOverdue, type YearMark } from './year-layout.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './YearMarks.module.css'

interface MarkPictureProps {
  readonly mark: YearMark
  readonly today: string
  readonly size: number
}

/** The content of a mark: the icon of its kind, or a count. */
export const MarkPicture = ({ mark: { deadlines, isCount }, today, size }: MarkPictureProps) => {
  const [first] = deadlines
  if (!isCount) return <DeadlineIcon kind={first.kind} state={first.state} isOverdue={isOverdue(first, today)} size={size} />
  return (
    <span
      className={`${layoutClasses.centered} ${textClasses.textColor} ${textClasses.tinyFont} ${classes.count}`}
      data-overdue={deadlines.some((deadline) => isOverdue(deadline, today)) || undefined}
    >
      {deadlines.length}
    </span>
  )
}

/** The position of a mark. */
export const getMarkStyle = ({ fraction, lane }: YearMark) => ({
  left: `${(fraction * 100).toFixed(3)}%`,
  top: `calc(50% + ${lane} * var(--lane-height))`,
})

export const getMarkName = ({ deadlines, isCount }: YearMark, record: string, today: string): string =>
  isCount ? formatCountName(deadlines, record) : deadlines.map((deadline: Deadline) => formatMarkName(deadline, record, today)).join('; ')

/** The marks of a non-interactive row: on phones and on paper. */
export const YearPicture = ({ marks, today, size }: { marks: readonly YearMark[]; today: string; size: number }) =>
  marks.map((mark) => (
    <span key={mark.deadlines[0]._id} className={classes.mark} style={getMarkStyle(mark)} aria-hidden>
      <MarkPicture mark={mark} today={today} size={size} />
    </span>
  ))
