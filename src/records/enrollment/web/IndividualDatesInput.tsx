import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { END_BEFORE_START, isEndBeforeStart } from '../../../contract/times.ts'
import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { ValueList } from '../../../platform/web/form/ValueList.tsx'
import { sortDates } from '../rules.ts'
import { toOrientationDates } from './enrollment-values.ts'
import type { OrientationDate } from './enrollment-values.ts'
import { TimeSelect } from './TimeSelect.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './EnrollmentForm.module.css'

const EMPTY: OrientationDate = { date: '', start_time: '', end_time: '' }
const getKey = ({ date, start_time, end_time }: OrientationDate): string => `${date} ${start_time} ${end_time}`
const listMissing = ({ date, start_time, end_time }: OrientationDate): string[] => [
  ...(date ? [] : ['a date']),
  ...(start_time ? [] : ['a start time']),
  ...(end_time ? [] : ['an end time']),
]

const formatNotAdded = (missing: readonly string[]): string => `Not added. Enter ${new Intl.ListFormat('en').format(missing)}.`

/** Orientations on single dates, sorted. An incomplete one is not added, with a message. */
export const IndividualDatesInput = ({ id, value, describedBy, onChange, onBlock }: CustomInputProps) => {
  const [next, setNext] = useState(EMPTY)
  const [fault, setFault] = useState<string | null>(null)
  const dates = toOrientationDates(value)
  const type = (part: Partial<OrientationDate>) => {
    const typed = { ...next, ...part }
    setNext(typed)
    setFault(null)
    // A date that is typed but not added would be lost on save.
    const missing = listMissing(typed)
    const isEmpty = missing.length === 3
    onBlock(isEmpty ? null : missing.length === 0 ? 'Press Add Date to add this date, or clear it' : formatNotAdded(missing))
  }
  const add = () => {
    const missing = listMissing(next)
    if (missing.length > 0) {
      // The user has seen the message; saving is allowed and omits it.
      onBlock(null)
      return setFault(formatNotAdded(missing))
    }
    if (isEndBeforeStart(next.start_time, next.end_time)) return setFault(END_BEFORE_START)
    if (dates.some((date) => getKey(date) === getKey(next))) return setFault('This date is already in the list.')
    onChange(sortDates([...dates, next]))
    setNext(EMPTY)
    onBlock(null)
  }
  const faultId = `${id}-fault`
  return (
    <>
      <ValueList
        label="Selected dates"
        entries={dates.map((date) => ({ key: getKey(date), text: `${formatDay(date.date)} ${date.start_time} to ${date.end_time}` }))}
        onRemove={(key) => onChange(dates.filter((date) => getKey(date) !== key))}
      />
      <div className={layoutClasses.wrappingRow}>
        <TextInput
          id={id}
          type="date"
          label="Date"
          aria-label="New date"
          aria-describedby={[describedBy, faultId].filter(Boolean).join(' ')}
          min="1900-01-01"
          max="2199-12-31"
          value={next.date}
          onChange={(event) => type({ date: event.currentTarget.value })}
        />
        <TimeSelect end="Start" label="New date start time" value={next.start_time} onChange={(start_time) => type({ start_time })} />
        <TimeSelect end="End" label="New date end time" value={next.end_time} onChange={(end_time) => type({ end_time })} />
        <Button variant="default" className={classes.add} onClick={add}>
          Add Date
        </Button>
      </div>
      <p id={faultId} aria-live="assertive" className={`${textClasses.error} ${textClasses.smallerFont} ${classes.error}`}>
        {fault}
      </p>
    </>
  )
}
