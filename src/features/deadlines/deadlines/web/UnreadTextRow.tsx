import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { FormEvent } from 'react'

import { createDayFormat, formatDay } from '../../../../contract/dates.ts'
import { Problem } from '../../../../contract/problem.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { isPressed, isTyping, useKeyDown } from '../../../../platform/web/keyboard.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { getToday } from '../../../../platform/web/today.ts'
import type { Deadline, DeadlineChange, UnreadText } from '../contract.ts'
import { formatDistance } from '../rules.ts'
import { ConfirmDates } from './ConfirmDates.tsx'
import { ACTION_KEYS } from './deadline-keys.ts'
import { getFieldAddress, getRecordAddress, useDeadlineRecords } from './deadline-records.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { changeText, reloadDeadlines } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SortOutView.module.css'

const formatWeekday = createDayFormat({ weekday: 'long' })
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

interface DateFormProps {
  readonly label: string
  readonly isSaving: boolean
  readonly error: string | undefined
  readonly onSet: (date: string) => void
  readonly onIgnore: () => void
  readonly onType: () => void
}

/** Sets the date of a text. */
const DateForm = ({ label, isSaving, error, onSet, onIgnore, onType }: DateFormProps) => {
  const [date, setDate] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const change = (next: string) => {
    setDate(next)
    setMissing(false)
    onType()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(!isDay(date))
    if (isDay(date)) onSet(date)
    else field.current?.focus()
  }
  const isTyped = date !== ''
  return (
    <form noValidate data-print="no" data-typed={isTyped || undefined} onSubmit={submit}>
      <div className={`${layoutClasses.topRow} ${layoutClasses.wrapping} ${classes.controls}`}>
        <TextInput
          ref={field}
          type="date"
          aria-label={`Date of ${label}`}
          min="1900-01-01"
          max="2199-12-31"
          value={date}
          error={isMissing ? 'Enter a date' : error}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Button type="submit" variant={isTyped ? 'filled' : 'default'} loading={isSaving} aria-label={`Set the date of ${label}`}>
          Set the date
        </Button>
        {isTyped ? (
          <button
            type="button"
            className={`${textClasses.caption} ${textClasses.underlined} ${classes.secondary}`}
            onClick={() => {
              change('')
              field.current?.focus()
            }}
          >
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className={`${textClasses.caption} ${textClasses.underlined} ${classes.secondary}`}
            aria-label={`Not a deadline: ${label}`}
            disabled={isSaving}
            onClick={onIgnore}
          >
            Not a deadline
          </button>
        )}
      </div>
      <p className={`${textClasses.label} ${classes.distance}`} role="status">
        {isDay(date) ? `${formatWeekday(date)}, ${formatDistance(date, getToday())}` : null}
      </p>
    </form>
  )
}

/** Returns a text to the list, if no one else has changed it since. */
const undo = async ({ _id, version }: TextToDate, change: DeadlineChange): Promise<void> => {
  try {
    await changeText({ _id, version: version + 1 }, change)
  } catch (error) {
    showError(errorMessage(error))
    await reloadDeadlines()
  }
  const field = await findField(_id)
  ;(field ?? document.querySelector<HTMLElement>('#main h1[tabindex]'))?.focus()
}

const MAX_FRAMES = 60
/** The first control of a text that returns to the list, once it is rendered. */
const findField = async (_id: string): Promise<HTMLElement | null> => {
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    await new Promise(requestAnimationFrame)
    const field = document.querySelector<HTMLElement>(`[data-sort-out="${CSS.escape(_id)}"] :is(input, button)`)
    if (field) return field
  }
  return null
}

/** A text without a certain date: one with dates to confirm, or with none. */
export interface TextToDate extends UnreadText {
  readonly proposedDates: Deadline['proposedDates']
}

interface UnreadTextRowProps {
  readonly text: TextToDate
  readonly mayChange: boolean
  readonly prepareFocus: (row: Element | null) => () => void
}

/** A text without a certain date: its source, the reason, dates to confirm, and a field for the date it should have. C confirms the likeliest one. */
export const UnreadTextRow = ({ text, mayChange, prepareFocus }: UnreadTextRowProps) => {
  const { getFieldLabel } = useDeadlineRecords()
  const row = useRef<HTMLLIElement>(null)
  const id = useId()
  const { charter, site, kind, title, proposedDates, formerDate } = text
  const [likeliest] = proposedDates
  const saving = useMutation({
    mutationFn: async (change: DeadlineChange) => {
      const focusNext = prepareFocus(row.current)
      await changeText(text, change)
      return focusNext
    },
    onSuccess: (focusNext, { date, confirmed, isIgnored }) => {
      const words = isIgnored ? `${title} is not a deadline.` : `${title}: ${formatDay(date ?? '')} was ${confirmed ? 'confirmed' : 'set'}.`
      showSuccess({ text: words, onUndo: () => void undo(text, isIgnored ? { isIgnored: false } : { date: null }) })
      focusNext()
    },
    onError: () => void reloadDeadlines(),
  })
  const label = `${getFieldLabel(text)}, ${(charter ?? site)?.name ?? ''}`
  const isStale = saving.error instanceof Problem && saving.error.status === 412
  const confirm = (date: string) => saving.mutate({ confirmed: true, date })
  useKeyDown((event) => {
    if (!isPressed(event, ACTION_KEYS.confirm) || isTyping(event.target)) return
    if (!mayChange || likeliest === undefined || saving.isPending) return
    event.preventDefault()
    confirm(likeliest.date)
  }, row)
  return (
    <li ref={row} className={classes.text} aria-labelledby={id} data-sort-out={text._id}>
      <div className={`${layoutClasses.grid} ${classes.field}`}>
        <DeadlineIcon kind={kind} size={20} />
        <div>
          <Link {...getFieldAddress(text)} id={id} className={`${textClasses.name} ${layoutClasses.block}`}>
            {getFieldLabel(text)}
          </Link>
          <Link {...getRecordAddress(text)} className={`${textClasses.link} ${layoutClasses.block} ${layoutClasses.breakable}`}>
            {(charter ?? site)?.name}
          </Link>
        </div>
      </div>
      <q className={`${layoutClasses.breakable} ${classes.quote}`}>{text.text}</q>
      <span className={`${textClasses.dimmed} ${classes.reason}`}>
        {text.why}
        {formerDate === null ? null : (
          <span className={`${layoutClasses.block} ${textClasses.smallerFont}`}>Was read as {formatDay(formerDate)}</span>
        )}
      </span>
      {mayChange ? (
        <div className={`${layoutClasses.topRow} ${layoutClasses.downward} ${classes.choice}`}>
          <ConfirmDates dates={proposedDates} label={label} hasDate isBusy={saving.isPending} onConfirm={confirm} />
          <DateForm
            label={label}
            isSaving={saving.isPending}
            error={
              saving.error
                ? isStale
                  ? 'Someone else changed this text in the meantime. It is shown as it is now; set the date again.'
                  : errorMessage(saving.error)
                : undefined
            }
            onSet={(date) => saving.mutate({ date })}
            onIgnore={() => saving.mutate({ isIgnored: true })}
            onType={() => saving.reset()}
          />
        </div>
      ) : likeliest === undefined ? null : (
        <strong>{formatDay(likeliest.date)}?</strong>
      )}
    </li>
  )
}
