import { NativeSelect } from '@mantine/core'

import { ORIENTATION_TIMES } from '../contract.ts'

interface TimeSelectProps {
  /** What is shown above it. */
  readonly end: 'Start' | 'End'
  /** Its whole name, read out: 'Monday start time'. */
  readonly label: string
  readonly value: string
  readonly disabled?: boolean
  readonly isWrong?: boolean
  readonly describedBy?: string | undefined
  readonly onChange: (time: string) => void
}

/** One of the times an orientation can begin or end at; an imported one that is none of them stays in the list. */
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
