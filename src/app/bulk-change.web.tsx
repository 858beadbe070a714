import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

import type { EditableKind } from '../contract/records.ts'
import type { SheetKind } from '../features/exchange/sheets/contract.ts'
import { saveSheetOfRecords } from '../features/exchange/sheets/web/queries.ts'
import { BulkDialog, type FieldGroup } from '../features/record-tools/changesets/web/BulkDialog.tsx'
import { type BulkTarget, closeBulkWindow } from '../platform/web/bulk-window.ts'
import type { FormField, FieldsByPath } from '../platform/web/form/fields.ts'
import { callQueryOptions } from '../platform/web/queries.ts'
import { brandFields } from '../records/brands/web/brand-fields.ts'
import { useCharters } from '../records/charters/web/queries.ts'
import { WithCharterLists } from '../records/charters/web/WithCharterLists.tsx'
import { listPeople } from '../records/people/contract.ts'
import { personFields } from '../records/people/web/person-fields.ts'
import { useRoles } from '../records/people/web/queries.ts'
import { useRegions } from '../records/regions/web/queries.ts'
import { useSiteFields } from '../records/sites/web/site-fields.ts'
import { siteEnrollmentFields, siteFacilityFields } from './site-part-fields.web.ts'

/** Lists to which one entry is added or from which one is removed. */
const isListField = (path: string): boolean => path === 'enrollment_info.programTypes' || path.startsWith('roles.')

const NOTHING: readonly never[] = []

/** Every role at a site as a field, with all current employees to choose from. */
const useRoleFields = (): FieldsByPath | undefined => {
  const { data: roles } = useRoles()
  const { data: people } = useQuery(callQueryOptions(listPeople))
  return useMemo(() => {
    if (!roles || !people) return undefined
    const choices = people
      .filter(({ leftAt }) => leftAt === null)
      .map(({ _id, name }) => ({ value: _id, label: name }))
      .toSorted((a, b) => a.label.localeCompare(b.label))
    return Object.fromEntries(roles.map(({ _id, name }): [string, FormField] => [`roles.${_id}`, { kind: 'search', label: name, choices }]))
  }, [roles, people])
}

const ChangeSites = ({ target }: { target: BulkTarget }) => {
  const charters = useCharters().data
  const regions = useRegions().data
  const { fields, derivedValues } = useSiteFields(charters ?? NOTHING, regions ?? NOTHING)
  const roles = useRoleFields()
  const groups = useMemo(
    (): FieldGroup[] => [
      { title: 'Site', fields },
      { title: 'Positions', fields: roles ?? {} },
      { title: 'Facility', fields: siteFacilityFields },
      { title: 'Enrollment', fields: siteEnrollmentFields },
    ],
    [fields, roles],
  )
  if (!charters || !regions || !roles) return null
  return <BulkDialog target={target} groups={groups} isList={isListField} derivedValues={derivedValues} onClose={closeBulkWindow} />
}

const isNoList = () => false
const PERSON_GROUPS: readonly FieldGroup[] = [{ title: 'Person', fields: personFields }]
const BRAND_GROUPS: readonly FieldGroup[] = [{ title: 'Brand', fields: brandFields }]

const Change = ({ target }: { target: BulkTarget }) => {
  switch (target.kind) {
    case 'site':
      return <ChangeSites target={target} />
    case 'person':
      return <BulkDialog target={target} groups={PERSON_GROUPS} isList={isNoList} onClose={closeBulkWindow} />
    case 'brand':
      return <BulkDialog target={target} groups={BRAND_GROUPS} isList={isNoList} onClose={closeBulkWindow} />
    case 'charter':
      return (
        <WithCharterLists>
          {(fields) => <BulkDialog target={target} groups={[{ title: 'Charter', fields }]} isList={isNoList} onClose={closeBulkWindow} />}
        </WithCharterLists>
      )
    case 'charter_affair':
      return null
  }
}

const SHEETS: Readonly<Record<EditableKind, SheetKind>> = {
  site: 'sites',
  person: 'people',
  charter: 'charters',
  brand: 'brands',
  charter_affair: 'charter_affairs',
}

/** Downloads a sheet of these records for editing. */
const Sheet = ({ target }: { target: BulkTarget }) => {
  useEffect(() => {
    closeBulkWindow()
    void saveSheetOfRecords(SHEETS[target.kind], target)
  }, [target])
  return null
}

/** The window that acts on many records of a list, with the fields of every record kind. */
export const Bulk = ({ target }: { target: BulkTarget }) =>
  target.task === 'sheet' ? <Sheet target={target} /> : <Change target={target} />
