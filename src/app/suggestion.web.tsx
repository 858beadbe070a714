import { VisuallyHidden } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'

import { DecidePage } from '../features/record-tools/requests/web/DecidePage.tsx'
import { FieldInput } from '../platform/web/form/FieldInput.tsx'
import { toFormValue, type FieldsByPath } from '../platform/web/form/fields.ts'
import { brandFields } from '../records/brands/web/brand-fields.ts'
import { WithCharterLists } from '../records/charters/web/WithCharterLists.tsx'
import { personFields } from '../records/people/web/person-fields.ts'
import { WithSiteFields } from '../records/sites/web/WithSiteFields.tsx'
import { siteEnrollmentFields, siteFacilityFields } from './site-part-fields.web.ts'

type EditorProps = ComponentProps<ComponentProps<typeof DecidePage>['FieldEditor']>
const OTHER_SITE_FIELDS = { ...siteFacilityFields, ...siteEnrollmentFields }

/** The fields of a record kind, as in its forms. Those of charter affairs are all text. */
const WithFields = ({ kind, children }: { kind: EditorProps['kind']; children: (fields: FieldsByPath) => ReactNode }) => {
  switch (kind) {
    case 'site':
      return <WithSiteFields>{({ fields }) => children({ ...fields, ...OTHER_SITE_FIELDS })}</WithSiteFields>
    case 'charter':
      return <WithCharterLists>{(fields) => children(fields)}</WithCharterLists>
    case 'person':
      return children(personFields)
    case 'brand':
      return children(brandFields)
    case 'charter_affair':
      return children({})
  }
}

/** The input that the form of a record uses for a field. */
const FieldEditor = ({ kind, path, label, value, onChange }: EditorProps) => (
  <WithFields kind={kind}>
    {(fields) => {
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
  </WithFields>
)

/** `/requests/$id`, with the fields of every record kind. */
export const Decide = () => <DecidePage FieldEditor={FieldEditor} />
