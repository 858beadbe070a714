import { Checkbox } from '@mantine/core'
import { memo } from 'react'

import { type FieldFilter, countFields, type ShownSection, countShown } from './sections.ts'

import classes from './Affair.module.css'

interface FilterCheckboxProps {
  label: string
  on: boolean
  onChange: (on: boolean) => void
}

/** Filters the fields: 'Only empty fields'. */
export const FilterCheckbox = memo(({ label, on, onChange }: FilterCheckboxProps) => (
  <Checkbox label={label} classNames={{ input: classes.box }} checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
))

/** '10 of 99 fields match “fund” by name or text, and 2 table rows'. */
export const formatMatchCount = (
  sections: readonly ShownSection[],
  { typed, onlyEmpty, onlyDeadlines, onlyChanged }: FieldFilter,
): string => {
  const { shown, total } = countFields(sections)
  const searchText = typed.trim()
  const how = [
    ...(onlyChanged ? ['are changed'] : []),
    ...(onlyEmpty ? ['are empty'] : []),
    ...(onlyDeadlines ? ['have a deadline'] : []),
    ...(searchText === '' ? [] : [`match “${searchText}” by name${onlyEmpty ? '' : ' or text'}`]),
  ].join(' and ')
  const rows = sections.reduce((sum, section) => sum + (section.kind === 'rows' ? countShown(section) : 0), 0)
  return `${shown} of ${total} fields ${how}${rows === 0 ? '' : `, and ${rows} table ${rows === 1 ? 'row' : 'rows'}`}`
}
