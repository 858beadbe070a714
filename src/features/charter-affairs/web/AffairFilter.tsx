import { Checkbox } from '@mantine/core'
import { memo } from 'react'

import { type FieldFilter, fieldCounts, type ShownSection, shownCount } from './sections.ts'

import classes from './affair.module.css'

interface OnlyEmptyProps {
  on: boolean
  onChange: (on: boolean) => void
}

/** Keeps the fields that nothing is on file for. */
export const OnlyEmpty = memo(({ on, onChange }: OnlyEmptyProps) => (
  <Checkbox
    label="Only empty fields"
    classNames={{ input: classes.box }}
    checked={on}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
))

/** '10 of 99 fields match “fund” in their name or their text, and 2 rows of the tables'. */
export const foundWords = (sections: readonly ShownSection[], { typed, onlyEmpty }: FieldFilter): string => {
  const { shown, total } = fieldCounts(sections)
  const wanted = typed.trim()
  const how = [
    ...(onlyEmpty ? ['are empty'] : []),
    ...(wanted === '' ? [] : [`match “${wanted}” in their name${onlyEmpty ? '' : ' or their text'}`]),
  ].join(' and ')
  const rows = sections.reduce((sum, section) => sum + (section.kind === 'rows' ? shownCount(section) : 0), 0)
  return `${shown} of ${total} fields ${how}${rows === 0 ? '' : `, and ${rows} ${rows === 1 ? 'row' : 'rows'} of the tables`}`
}
