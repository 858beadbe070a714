import { formatDay } from '../../../../contract/dates.ts'
import type { Deadline } from '../contract.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ConfirmDates.module.css'

const MAX_OTHERS = 3

interface ConfirmDatesProps {
  readonly dates: readonly Pick<Deadline['proposedDates'][number], 'date'>[]
  /** The field or deadline that the dates belong to. */
  readonly label: string
  /** Whether the likeliest date is shown before its button. */
  readonly hasDate?: boolean
  readonly isBusy?: boolean
  readonly onConfirm: (date: string) => void
}

/** Buttons that make one of the proposed dates certain: 'Confirm' for the likeliest, and the others by name. */
export const ConfirmDates = ({ dates: [first, ...others], label, hasDate = false, isBusy = false, onConfirm }: ConfirmDatesProps) =>
  first === undefined ? null : (
    <span
      className={`${layoutClasses.inlineRow} ${layoutClasses.wrapping}`}
      role="group"
      aria-label={`Dates to confirm for ${label}`}
      data-print="no"
    >
      {hasDate ? <strong className={`${textClasses.figures} ${classes.date}`}>{formatDay(first.date)}?</strong> : null}
      <button
        type="button"
        className={`${textClasses.link} ${textClasses.strong} ${classes.confirm}`}
        aria-label={`Confirm ${formatDay(first.date)} for ${label}`}
        disabled={isBusy}
        onClick={() => onConfirm(first.date)}
      >
        Confirm
      </button>
      {others.slice(0, MAX_OTHERS).map(({ date }) => (
        <button
          key={date}
          type="button"
          className={`${textClasses.link} ${textClasses.textColor} ${classes.other}`}
          aria-label={`${formatDay(date)} for ${label}`}
          disabled={isBusy}
          onClick={() => onConfirm(date)}
        >
          {formatDay(date)}
        </button>
      ))}
    </span>
  )
