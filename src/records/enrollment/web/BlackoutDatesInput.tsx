import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { ValueList } from '../../../platform/web/form/ValueList.tsx'
import { toDays } from './enrollment-values.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'

/** Days without orientation, sorted and unique. */
export const BlackoutDatesInput = ({ id, value, describedBy, onChange, onBlock }: CustomInputProps) => {
  const [next, setNext] = useState('')
  const days = toDays(value)
  const type = (day: string) => {
    setNext(day)
    onBlock(day === '' || days.includes(day) ? null : 'Press Add Blackout Date to add this date, or clear it')
  }
  const add = () => {
    if (next !== '' && !days.includes(next)) onChange([...days, next].toSorted())
    type('')
    onBlock(null)
  }
  return (
    <>
      <ValueList
        label="Blackout dates"
        entries={days.map((day) => ({ key: day, text: formatDay(day) }))}
        onRemove={(key) => onChange(days.filter((day) => day !== key))}
      />
      <div className={layoutClasses.wrappingRow}>
        <TextInput
          id={id}
          type="date"
          aria-label="New blackout date"
          aria-describedby={describedBy}
          min="1900-01-01"
          max="2199-12-31"
          value={next}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Button variant="default" onClick={add}>
          Add Blackout Date
        </Button>
      </div>
    </>
  )
}
