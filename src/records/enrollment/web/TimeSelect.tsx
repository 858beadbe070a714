import { NativeSelect } from '@mantine/core'

import { ORIENTATION_TIMES } from '../fields.ts'

interface TimeSelectProps {
  /** The visible label. */
  readonly end: 'Start' | 'End'
  /** The accessible name: 'Monday start time'. */
  readonly label: string
  readonly value: string
  readonly disabled?: boolean
  readonly isWrong?: boolean
  readonly describedBy?: string | undefined
  readonly onChange: (time: string) => void
}

/** A time an orientation can start or end at. An imported time that is not in the list stays selectable. */
export const TimeSelect = ({ end, label, value, disabled = false, isWrong = false, describedBy, onChange }: TimeSelectProps) => {
  const times = value === '' || ORIENTATION_TIMES.includes(value) ? ORIENTATION_TIMES : [value, ...ORIENTATION_TIMES]
  return (
    <NativeSelect
      label={end}
      aria-label={label}
      aria-describedby={describedBy}
      value={value}
      disabled={disabled}
      error={isWrong}
      data={[{ value: '', label: '--:--' }, ...times.map((time) => ({ value: time, label: time }))]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
