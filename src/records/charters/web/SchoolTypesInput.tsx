import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './CharterForm.module.css'

interface SchoolType {
  readonly name: string
  readonly url: string
}
export const toSchoolTypes = (value: unknown): readonly SchoolType[] => (Array.isArray(value) ? (value as readonly SchoolType[]) : [])

/** The web pages of the charter's school types: name and URL. */
export const SchoolTypesInput = ({ id, value, error, onChange }: CustomInputProps) => {
  const rows = toSchoolTypes(value)
  const change = (at: number, part: Partial<SchoolType>) => onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <>
      <ul className={layoutClasses.inputRows} aria-label="School types">
        {rows.map((row, at) => (
          // A row has no identity but its index while it is edited.
          <li key={at} className={layoutClasses.toolbar}>
            {(['name', 'url'] as const).map((part) => (
              <TextInput
                key={part}
                id={at === 0 && part === 'name' ? id : undefined}
                className={classes.input}
                aria-label={`School type ${at + 1} ${part === 'name' ? 'name' : 'address'}`}
                placeholder={part === 'name' ? 'Name' : 'https://'}
                autoComplete="off"
                error={error !== undefined && row[part].trim() === ''}
                value={row[part]}
                onChange={(event) => change(at, { [part]: event.currentTarget.value })}
              />
            ))}
            <ActionIcon aria-label={`Remove school type ${at + 1}`} onClick={() => onChange(rows.filter((_, index) => index !== at))}>
              <IconX size={18} stroke={1.75} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={() => onChange([...rows, { name: '', url: '' }])}>
        Add School Type
      </Button>
    </>
  )
}
