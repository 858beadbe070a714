import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Named } from '../../contract/references.ts'
import { send } from '../../platform/web/client.ts'
import { toChoices } from '../../platform/web/form/choices.ts'
import type { FieldsByPath, FormField } from '../../platform/web/form/fields.ts'
import { LoadedRecord } from '../../platform/web/kit/LoadedRecord.tsx'
import { RowSkeleton } from '../../platform/web/list/ListSkeleton.tsx'
import { callQueryOptions } from '../../platform/web/queries.ts'
import { type FieldGroup, type RecordKindWeb, type RenderFields, withFields } from '../../platform/web/record-kinds.ts'
import { updateEnrollment } from '../enrollment/contract.ts'
import { enrollmentFields } from '../enrollment/web/enrollment-fields.ts'
import { updateFacility } from '../facility/contract.ts'
import { facilityFields } from '../facility/web/FacilityForm.tsx'
import { listPeople } from '../people/contract.ts'
import { PersonFieldPicker } from '../people/web/public/PersonFieldPicker.tsx'
import { useRoles } from '../people/web/queries.ts'
import { readSite, updateSite } from './contract.ts'
import { validateSiteHours } from './web/site-fields.ts'
import { WithSiteFields } from './web/WithSiteFields.tsx'

const addPrefix = (prefix: string, fields: FieldsByPath): FieldsByPath =>
  Object.fromEntries(Object.entries(fields).map(([path, field]) => [`${prefix}${path}`, field]))

const FACILITY = 'facility_info.'
const ENROLLMENT = 'enrollment_info.'

const RoleFields = ({ roles, people, children }: { roles: readonly Named[]; people: readonly Named[]; children: RenderFields }) =>
  children({
    fields: useMemo(() => {
      const choices = toChoices(people)
      return Object.fromEntries(
        roles.map(({ _id, name }): [string, FormField] => [
          `roles.${_id}`,
          { kind: 'search', label: name, choices, Picker: PersonFieldPicker },
        ]),
      )
    }, [roles, people]),
  })

/** Every role at a site as a field, with all current employees to choose from. */
const WithRoleFields: FieldGroup['WithFields'] = ({ children }) => {
  const people = useQuery(callQueryOptions(listPeople))
  const skeleton = <RowSkeleton />
  return (
    <LoadedRecord query={useRoles()} what="list of roles" skeleton={skeleton}>
      {(roles) => (
        <LoadedRecord query={people} what="list of people" skeleton={skeleton}>
          {(known) => (
            <RoleFields roles={roles} people={known.filter(({ leftAt }) => leftAt === null)}>
              {children}
            </RoleFields>
          )}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}

export const siteKind: RecordKindWeb = {
  groups: [
    {
      title: 'Site',
      sheet: 'sites',
      schema: updateSite.body,
      WithFields: WithSiteFields,
      edit: { call: updateSite, read: (slug) => send(readSite, { params: { slug } }), crossFieldRules: validateSiteHours },
    },
    {
      title: 'Positions',
      sheet: 'staff',
      schema: null,
      isList: () => true,
      toSent: (_path, value) => (value === '' || value === null ? [] : [value]),
      WithFields: WithRoleFields,
    },
    {
      title: 'Facility',
      sheet: 'facilities',
      schema: updateFacility.body,
      prefix: FACILITY,
      WithFields: withFields(addPrefix(FACILITY, facilityFields)),
    },
    {
      title: 'Enrollment',
      sheet: 'enrollments',
      schema: updateEnrollment.body,
      prefix: ENROLLMENT,
      isList: (path) => path === `${ENROLLMENT}programTypes`,
      WithFields: withFields(addPrefix(ENROLLMENT, enrollmentFields)),
    },
  ],
}
