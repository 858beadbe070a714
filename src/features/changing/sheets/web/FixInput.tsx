import { VisuallyHidden } from '@mantine/core'
import { useId, useState } from 'react'

import { FieldInput } from '../../../../platform/web/form/FieldInput.tsx'
import { toFormValue } from '../../../../platform/web/form/fields.ts'
import type { FieldValue } from '../../../../platform/web/form/values.ts'
import type { SheetCell } from '../contract.ts'
import { getField, useSheetFields } from './sheet-fields.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './SheetRows.module.css'

interface FixInputProps {
  readonly cell: SheetCell
  /** The record, or the number of cells that get the value. */
  readonly name?: string
  /** The initial value. */
  readonly value: unknown
  readonly isWrong: boolean
  /** The id of the text that describes the error. */
  readonly describedBy: string
  readonly onChange: (value: unknown) => void
}

/** The input for a cell's field, the same as in the record's form. */
export const FixInput = ({ cell, name = cell.name ?? `Row ${cell.row}`, value, isWrong, describedBy, onChange }: FixInputProps) => {
  const id = useId()
  const sheet = useSheetFields()
  const field = getField(sheet, cell)
  const [typed, setTyped] = useState<FieldValue>(() => toFormValue(field, Array.isArray(value) && field.kind !== 'line' ? value[0] : value))
  return (
    <span
      className={`${layoutClasses.block} ${layoutClasses.shrinkable} ${classes.fix}`}
      data-fix={cell.cell}
      data-wrong={isWrong || undefined}
    >
      <VisuallyHidden>
        <label htmlFor={id}>
          {cell.label} of {name}
        </label>
      </VisuallyHidden>
      <FieldInput
        id={id}
        path={cell.field}
        field={field}
        value={typed}
        values={{ [cell.field]: typed }}
        before={typed}
        required={false}
        error={isWrong ? 'wrong' : undefined}
        describedBy={describedBy}
        onChange={(next) => {
          setTyped(next)
          onChange(sheet.toSent(cell.field, next))
        }}
        onBlur={() => {
          if (field.kind === 'line' && field.format && typeof typed === 'string' && !isWrong) setTyped(field.format(typed))
        }}
        onBlock={() => undefined}
      />
    </span>
  )
}
