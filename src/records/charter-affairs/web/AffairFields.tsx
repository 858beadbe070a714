import { memo } from 'react'

import { Field } from '../../../platform/web/form/Field.tsx'
import type { FieldsByPath } from '../../../platform/web/form/fields.ts'
import { formatComing, type FormPlan } from '../../../platform/web/form/plan.ts'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './AffairForm.module.css'

/** The state of the form that its fields need. */
export interface AffairFormState {
  fields: FieldsByPath
  values: Values
  base: Values
  changed: ReadonlySet<string>
  errors: Readonly<Record<string, string>>
  /** Planned values, by path. */
  coming?: FormPlan['coming']
  /** What others have already suggested, as text, by path; undefined if changes are saved. */
  contested?: Readonly<Record<string, string>>
  onChange: (path: string, value: FieldValue) => void
  onLeave: (path: string) => void
  onUndo: (path: string) => void
}

const NO_VALUES: Values = {}
const ignoreBlock = (): void => {}

/** Whether two states of the form are equal for some fields, so that a keystroke does not render hundreds of them. */
export const areFieldsEqual = (paths: readonly string[], before: AffairFormState, now: AffairFormState): boolean =>
  before.fields === now.fields &&
  before.coming === now.coming &&
  (before.contested === now.contested || paths.every((path) => before.contested?.[path] === now.contested?.[path])) &&
  (before.values === now.values || paths.every((path) => before.values[path] === now.values[path])) &&
  (before.base === now.base || paths.every((path) => before.base[path] === now.base[path])) &&
  (before.errors === now.errors || paths.every((path) => before.errors[path] === now.errors[path]))

interface AffairFieldsProps extends AffairFormState {
  paths: readonly string[]
}

/** The inputs of a section or of a row. */
export const AffairFields = memo(
  ({ paths, fields, values, base, changed, errors, coming, contested, onChange, onLeave, onUndo }: AffairFieldsProps) => (
    <div className={`${layoutClasses.grid} ${classes.fields}`}>
      {paths.map((path) => {
        const field = fields[path]
        return field ? (
          <Field
            key={path}
            path={path}
            field={field}
            value={values[path] ?? null}
            values={NO_VALUES}
            before={base[path] ?? null}
            isChanged={changed.has(path)}
            isSuggestion={contested !== undefined}
            contested={contested?.[path]}
            isRequired={false}
            error={errors[path]}
            coming={formatComing(field, coming?.[path])}
            onChange={onChange}
            onBlur={onLeave}
            onUndo={onUndo}
            onBlock={ignoreBlock}
          />
        ) : null
      })}
    </div>
  ),
  (before, now) =>
    before.paths.length === now.paths.length &&
    before.paths.every((path, at) => path === now.paths[at]) &&
    areFieldsEqual(now.paths, before, now),
)
