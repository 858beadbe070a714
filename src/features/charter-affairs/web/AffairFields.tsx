import { memo } from 'react'

import { Field } from '../../../platform/web/form/Field.tsx'
import type { FormField } from '../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'

import classes from './AffairForm.module.css'

/** What the fields of an affair's form need of it. */
export interface FieldsOfForm {
  fields: Readonly<Record<string, FormField>>
  values: Values
  base: Values
  changed: ReadonlySet<string>
  errors: Readonly<Record<string, string>>
  onChange: (path: string, value: FieldValue) => void
  onLeave: (path: string) => void
  onUndo: (path: string) => void
}

interface AffairFieldsProps extends FieldsOfForm {
  /** What their paths begin with: a section, or a row of a list. */
  of: string
  names: readonly string[]
}

const NO_OTHERS: Values = {}
const neverBlocks = (): void => {}

/** Whether two states of the form are the same to these fields: of hundreds, a letter touches one. */
export const isSameTo = (of: string, names: readonly string[], before: FieldsOfForm, now: FieldsOfForm): boolean =>
  before.fields === now.fields &&
  names.every((name) => {
    const path = `${of}.${name}`
    return before.values[path] === now.values[path] && before.base[path] === now.base[path] && before.errors[path] === now.errors[path]
  })

/** Some fields of a section or of a row, to be typed in. */
export const AffairFields = memo(
  ({ of, names, fields, values, base, changed, errors, onChange, onLeave, onUndo }: AffairFieldsProps) => (
    <div className={classes.fields}>
      {names.map((name) => {
        const path = `${of}.${name}`
        const field = fields[path]
        return field ? (
          <Field
            key={path}
            path={path}
            field={field}
            value={values[path] ?? null}
            values={NO_OTHERS}
            before={base[path] ?? null}
            isChanged={changed.has(path)}
            isRequired={false}
            error={errors[path]}
            onChange={onChange}
            onLeave={onLeave}
            onUndo={onUndo}
            onBlock={neverBlocks}
          />
        ) : null
      })}
    </div>
  ),
  (before, now) => before.of === now.of && before.names.join() === now.names.join() && isSameTo(now.of, now.names, before, now),
)
