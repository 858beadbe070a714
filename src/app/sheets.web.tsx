import { type ReactNode, useMemo } from 'react'

import { SHEETS } from '../contract/sheets.ts'
import type { LoadsFields, SheetFields } from '../features/changing/sheets/web/sheet-fields.ts'
import { SheetPage } from '../features/changing/sheets/web/SheetPage.tsx'
import { validateValues } from '../platform/web/form/fields.ts'
import type { FieldValue } from '../platform/web/form/values.ts'
import type { FieldGroup, LoadedFields } from '../platform/web/record-kinds.ts'
import { recordKinds } from './kinds.web.tsx'

interface ProvidedProps {
  readonly group: FieldGroup
  readonly loaded: LoadedFields
  readonly children: (fields: SheetFields) => ReactNode
}

const Provided = ({ group: { schema, prefix = '', toSent }, loaded: { fields, newFields = fields }, children }: ProvidedProps) =>
  children(
    useMemo(
      () => ({
        fields: newFields,
        toSent: toSent ?? ((_path, value) => value),
        findError: (path, value) => {
          const own = path.startsWith(prefix) ? path.slice(prefix.length) : path
          return schema === null ? undefined : validateValues(schema, { [own]: value as FieldValue }, [own])[own]
        },
      }),
      [schema, prefix, toSent, newFields],
    ),
  )

const WithFields: LoadsFields['WithFields'] = ({ kind, children }) => {
  const group = recordKinds[SHEETS[kind].kind].groups.find(({ sheet }) => sheet === kind)
  if (!group) throw new Error(`No group of fields has the sheet ${kind}`)
  return (
    <group.WithFields>
      {(loaded) => (
        <Provided group={group} loaded={loaded}>
          {children}
        </Provided>
      )}
    </group.WithFields>
  )
}

/** `/sheets/$id`, with the fields of every record kind. */
export const Sheet = () => <SheetPage WithFields={WithFields} />
