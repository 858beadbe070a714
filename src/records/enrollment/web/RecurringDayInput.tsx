import { Checkbox } from '@mantine/core'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import type { RecurringDay } from './enrollment-values.ts'
import { TimeSelect } from './TimeSelect.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './EnrollmentForm.module.css'

const NOT_SET: RecurringDay = { set: false, start_time: '', end_time: '' }

/** A weekday with orientation. Its times are enabled while it is checked and cleared when it is not. */
export const RecurringDayInput = ({ label, value, error, describedBy, onChange }: CustomInputProps) => {
  const day = (value ?? NOT_SET) as RecurringDay
  return (
    <div className={`${layoutClasses.rounded} ${layoutClasses.grid} ${classes.day}`} data-wrong={error !== undefined || undefined}>
      <Checkbox
        label={label}
        checked={day.set}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked ? { ...day, set: true } : NOT_SET)}
      />
      {(['start_time', 'end_time'] as const).map((end) => (
        <TimeSelect
          key={end}
          end={end === 'start_time' ? 'Start' : 'End'}
          label={`${label} ${end === 'start_time' ? 'start time' : 'end time'}`}
          value={day[end]}
          disabled={!day.set}
          isWrong={error !== undefined && day[end] === ''}
          describedBy={describedBy}
          onChange={(time) => onChange({ ...day, [end]: time })}
        />
      ))}
    </div>
  )
}
