import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'

import type { Named } from '../contract/references.ts'
import type { SheetKind } from '../features/exchange/sheets/contract.ts'
import type { LoadsFields, SheetFields } from '../features/exchange/sheets/web/sheet-fields.ts'
import { SheetPage } from '../features/exchange/sheets/web/SheetPage.tsx'
import { buildFormFields } from '../platform/web/form/defined-fields.ts'
import { validateValues, type FieldsByPath } from '../platform/web/form/fields.ts'
import type { FieldValue } from '../platform/web/form/values.ts'
import { LoadedRecord } from '../platform/web/kit/LoadedRecord.tsx'
import { RowSkeleton } from '../platform/web/list/ListSkeleton.tsx'
import { callQueryOptions } from '../platform/web/queries.ts'
import { updateBrand } from '../records/brands/contract.ts'
import { brandFields } from '../records/brands/web/brand-fields.ts'
import { DistrictInput, MemberInput, saveCharterAffair } from '../records/charter-affairs/contract.ts'
import { updateCharter } from '../records/charters/contract.ts'
import { useCharters } from '../records/charters/web/queries.ts'
import { WithCharterLists } from '../records/charters/web/WithCharterLists.tsx'
import { updateEnrollment } from '../records/enrollment/contract.ts'
import { updateFacility } from '../records/facility/contract.ts'
import { listPeople, updatePerson } from '../records/people/contract.ts'
import { personFields } from '../records/people/web/person-fields.ts'
import { useRoles } from '../records/people/web/queries.ts'
import { updateSisSite } from '../records/sis-sites/contract.ts'
import { SIS_FIELDS } from '../records/sis-sites/fields.ts'
import { updateSite } from '../records/sites/contract.ts'
import { useSiteSummaries } from '../records/sites/web/queries.ts'
import { WithSiteFields } from '../records/sites/web/WithSiteFields.tsx'
import { siteEnrollmentFields, siteFacilityFields } from './site-part-fields.web.ts'

const toChoices = (records: readonly Named[]) =>
  records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted((a, b) => a.label.localeCompare(b.label))

const NO_FIELDS: FieldsByPath = {}

interface Rules {
  /** The schema of the form. A sheet without one is only validated on the server. */
  readonly schema: z.ZodType | null
  /** The prefix of the sheet's field paths. */
  readonly prefix?: string
}

const RULES: Readonly<Record<SheetKind, Rules>> = {
  sites: { schema: updateSite.body },
  facilities: { schema: updateFacility.body, prefix: 'facility_info.' },
  enrollments: { schema: updateEnrollment.body, prefix: 'enrollment_info.' },
  staff: { schema: null },
  sis_sites: { schema: updateSisSite.body },
  people: { schema: updatePerson.body },
  charters: { schema: updateCharter.body },
  brands: { schema: updateBrand.body },
  charter_affairs: { schema: saveCharterAffair.body },
  board_members: { schema: MemberInput },
  districts: { schema: DistrictInput },
}

/** Columns that contain lists: people of a role by their keys, program types by their names. */
const isPeople = (path: string): boolean => path.startsWith('roles.')
const isTexts = (path: string): boolean => path === 'type_array'

const toSent = (path: string, value: FieldValue): unknown => {
  if (isPeople(path)) return value === '' || value === null ? [] : [value]
  if (isTexts(path) && typeof value === 'string') return value.split(/[;,]/).flatMap((one) => one.trim() || [])
  return value
}

const toSheetFields = (kind: SheetKind, fields: FieldsByPath): SheetFields => {
  const { schema, prefix = '' } = RULES[kind]
  return {
    fields,
    toSent,
    findError: (path, value) => {
      const own = path.startsWith(prefix) ? path.slice(prefix.length) : path
      return schema === null ? undefined : validateValues(schema, { [own]: value as FieldValue }, [own])[own]
    },
  }
}

type Children = (fields: FieldsByPath) => ReactNode
const skeleton = <RowSkeleton />

/** Every role at a site, with all current employees. */
const WithStaffFields = ({ children }: { children: Children }) => {
  const roles = useRoles()
  const people = useQuery(callQueryOptions(listPeople))
  const fields = useMemo((): FieldsByPath => {
    const choices = toChoices(people.data ?? [])
    return Object.fromEntries((roles.data ?? []).map(({ _id, name }) => [`roles.${_id}`, { kind: 'search', label: name, choices }]))
  }, [roles.data, people.data])
  return (
    <LoadedRecord query={roles} what="list of roles" skeleton={skeleton}>
      {() => (
        <LoadedRecord query={people} what="list of people" skeleton={skeleton}>
          {() => children(fields)}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}

const WithSisFields = ({ children }: { children: Children }) => {
  const sites = useSiteSummaries()
  const fields = useMemo((): FieldsByPath => {
    const choices = toChoices((sites.data ?? []).map(({ _id, displayName }) => ({ _id, name: displayName })))
    return buildFormFields(SIS_FIELDS, {
      site: (label) => ({ kind: 'search', label, choices }),
      type_array: (label) => ({ kind: 'line', label }),
    })
  }, [sites.data])
  return (
    <LoadedRecord query={sites} what="list of sites" skeleton={skeleton}>
      {() => children(fields)}
    </LoadedRecord>
  )
}

/** Rows of an affair are text, and refer to their charter. */
const WithCharterField = ({ children }: { children: Children }) => {
  const charters = useCharters()
  const fields = useMemo(
    (): FieldsByPath => ({ charter: { kind: 'search', label: 'Charter', choices: toChoices(charters.data ?? []) } }),
    [charters.data],
  )
  return (
    <LoadedRecord query={charters} what="list of charters" skeleton={skeleton}>
      {() => children(fields)}
    </LoadedRecord>
  )
}

/** The form fields that correspond to a sheet's columns. */
const WithFormFields = ({ kind, children }: { kind: SheetKind; children: Children }) => {
  switch (kind) {
    case 'sites':
      return <WithSiteFields>{({ newFields }) => children(newFields)}</WithSiteFields>
    case 'facilities':
      return children(siteFacilityFields)
    case 'enrollments':
      return children(siteEnrollmentFields)
    case 'staff':
      return <WithStaffFields>{children}</WithStaffFields>
    case 'sis_sites':
      return <WithSisFields>{children}</WithSisFields>
    case 'people':
      return children(personFields)
    case 'charters':
      return <WithCharterLists>{(fields) => children(fields)}</WithCharterLists>
    case 'brands':
      return children(brandFields)
    case 'charter_affairs':
      return children(NO_FIELDS)
    case 'board_members':
    case 'districts':
      return <WithCharterField>{children}</WithCharterField>
  }
}

const Provided = ({ kind, fields, children }: { kind: SheetKind; fields: FieldsByPath; children: (fields: SheetFields) => ReactNode }) => {
  const provided = useMemo(() => toSheetFields(kind, fields), [kind, fields])
  return children(provided)
}

const WithFields: LoadsFields['WithFields'] = ({ kind, children }) => (
  <WithFormFields kind={kind}>
    {(fields) => (
      <Provided kind={kind} fields={fields}>
        {children}
      </Provided>
    )}
  </WithFormFields>
)

/** `/sheets/$id`, with the fields of every record kind. */
export const Sheet = () => <SheetPage WithFields={WithFields} />
