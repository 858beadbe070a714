import { VisuallyHidden } from '@mantine/core'
import type { ComponentProps } from 'react'

import { CommentsSection } from '../features/changing/comments/web/public/CommentsSection.tsx'
import { DecidePage } from '../features/changing/requests/web/DecidePage.tsx'
import { FieldInput } from '../platform/web/form/FieldInput.tsx'
import { type FieldsByPath, toFormValue } from '../platform/web/form/fields.ts'
import { PersonPicker } from '../records/people/web/public/PersonPicker.tsx'
import { recordKinds, WithGroups } from './kinds.web.tsx'

type EditorProps = ComponentProps<ComponentProps<typeof DecidePage>['FieldEditor']>

/** The input that the form of a record uses for a field. */
const FieldEditor = ({ kind, path, label, value, onChange }: EditorProps) => (
  <WithGroups groups={recordKinds[kind].groups.filter(({ schema }) => schema !== null)}>
    {(groups) => {
      const fields: FieldsByPath = Object.assign({}, ...groups.map((group) => group.fields))
      const id = `decide-${path.replaceAll('.', '-')}`
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

/** `/requests/$id`, with the fields of every record kind, and comments. */
export const Decide = () => (
  <DecidePage
    FieldEditor={FieldEditor}
    renderComments={(_id) => <CommentsSection kind="proposal" _id={_id} PersonPicker={PersonPicker} />}
  />
)
