import { VisuallyHidden } from '@mantine/core'

import type { EditableKind } from '../contract/records.ts'
import { FieldInput } from '../platform/web/form/FieldInput.tsx'
import { type FieldsByPath, toFormValue } from '../platform/web/form/fields.ts'
import { recordKinds, WithGroups } from './kinds.web.tsx'

interface EditorProps {
  readonly kind: EditableKind
  readonly path: string
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** The input that the form of a record uses for a field. */
export const FieldEditor = ({ kind, path, label, value, onChange }: EditorProps) => (
  <WithGroups groups={recordKinds[kind].groups.filter(({ schema }) => schema !== null)}>
    {(groups) => {
      const fields: FieldsByPath = Object.assign({}, ...groups.map((group) => group.fields))
      const id = `edited-${path.replaceAll('.', '-')}`
      const field = fields[path] ?? { kind: 'lines', label }
      const shown = toFormValue(field, value)
      return (
        <span data-edited={path}>
          <VisuallyHidden>
            <label htmlFor={id}>{label}</label>
          </VisuallyHidden>
          <FieldInput
            id={id}
            path={path}
            field={field}
            value={shown}
            values={{ [path]: shown }}
            before={shown}
            required={false}
            error={undefined}
            describedBy={undefined}
            onChange={onChange}
            onBlur={() => undefined}
            onBlock={() => undefined}
          />
        </span>
      )
    }}
  </WithGroups>
)
