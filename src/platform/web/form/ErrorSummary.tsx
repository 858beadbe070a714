import { IconAlertTriangle } from '@tabler/icons-react'

import { getFieldId } from './Field.tsx'
import { getLabel } from './fields.ts'
import { focusField } from './focus-field.ts'
import type { FormState } from './use-edit-form.ts'

import layoutClasses from '../kit/Layout.module.css'
import classes from './ErrorSummary.module.css'

/** A hundred names would push the form off the screen; more appear as these are corrected. */
const MAX_NAMED = 10

/** The errors that prevent saving, each with a link to its field. */
export const ErrorSummary = ({ form: { fields, errors } }: { form: Pick<FormState, 'fields' | 'errors'> }) => {
  const wrong = Object.keys(fields).filter((path) => path in errors)
  return (
    <div role="alert">
      {wrong.length === 0 ? null : (
        <div className={`${layoutClasses.band} ${layoutClasses.spaced} ${layoutClasses.gap12} ${classes.summary}`} data-tone="bad">
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
          <span>
            <strong>{wrong.length === 1 ? 'Please correct 1 field:' : `Please correct ${wrong.length} fields:`}</strong>{' '}
            {wrong.slice(0, MAX_NAMED).map((path, at) => (
              <span key={path}>
                {at === 0 ? '' : at === wrong.length - 1 ? ' and ' : ', '}
                <a
                  href={`#${getFieldId(path)}`}
                  onClick={(event) => {
                    event.preventDefault()
                    focusField(path)
                  }}
                >
                  {getLabel(fields, path)}
                </a>
              </span>
            ))}
            {wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : ''}
          </span>
        </div>
      )}
    </div>
  )
}
