import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SettingsPage.module.css'

/** A program type in the form; without an `_id` it is new. */
interface Row {
  readonly _id?: string
  readonly name: string
}
export const toProgramTypes = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as readonly Row[]) : [])

/** The list of program types. The server refuses to remove one that a site uses. */
export const ProgramTypesInput = ({ id, value, error, onChange }: CustomInputProps) => {
  const rows = toProgramTypes(value)
  const replace = (at: number, row: Row) => onChange(rows.map((one, index) => (index === at ? row : one)))
  return (
    <>
      <ul className={`${layoutClasses.inputRows} ${classes.rows}`} aria-label="Program types">
        {rows.map((row, at) => (
          // A new row has no identity but its index.
          <li key={row._id ?? `new ${at}`} className={`${layoutClasses.row} ${layoutClasses.gap8}`}>
            <TextInput
              id={at === 0 ? id : undefined}
              className={classes.input}
              aria-label={`Program type ${at + 1}`}
              error={error !== undefined && row.name.trim() === ''}
              value={row.name}
              onChange={(event) => replace(at, { ...row, name: event.currentTarget.value })}
            />
            <ActionIcon
              aria-label={`Remove ${row.name || 'this program type'}`}
              onClick={() => onChange(rows.filter((one) => one !== row))}
            >
              <IconX size={18} stroke={1.75} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={() => onChange([...rows, { name: '' }])}>
        Add Program Type
      </Button>
    </>
  )
}
