import { buildFormFields, buildInitialValues, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import type { SisSite } from '../contract.ts'
import { SIS_FIELDS } from '../fields.ts'
import { AssociatedSiteInput } from './AssociatedSiteInput.tsx'
import { toTypes, TypesInput } from './TypesInput.tsx'

/** The fields of the form; `getSiteName` gives the name of a location by its id. */
export const buildSisFields = (getSiteName: (site: string) => string) =>
  buildFormFields(SIS_FIELDS, {
    site: (label) => ({
      kind: 'own',
      label,
      span: 6,
      isGroup: true,
      Input: AssociatedSiteInput,
      toText: (value) => (typeof value === 'string' ? getSiteName(value) : ''),
    }),
    type_array: (label) => ({
      kind: 'own',
      label,
      span: 6,
      isGroup: true,
      Input: TypesInput,
      toText: (value) => toTypes(value).join(', '),
    }),
  })

const COMMON_SECTIONS = [
  buildSection(SIS_FIELDS, 'Identifiers', 'IDs from the student information system. Digits only'),
  buildSection(SIS_FIELDS, 'Dates', 'First and last active dates'),
  buildSection(SIS_FIELDS, 'Programs', 'Programs offered'),
]
export const SIS_SECTIONS = [
  buildSection(SIS_FIELDS, 'SIS site', 'Name in the student information system, and the site it is linked to'),
  ...COMMON_SECTIONS,
]
/** A new SIS site belongs to the location on whose page it is added. */
const { site: _site, ...NEW_FIELDS } = SIS_FIELDS
export const NEW_SIS_SECTIONS = [buildSection(NEW_FIELDS, 'SIS site', 'Name in the student information system'), ...COMMON_SECTIONS]

export const buildNewSisValues = (site: string) => ({ ...buildInitialValues(SIS_FIELDS), site })
export const toSisValues = (sis: SisSite) => toDefinedValues(SIS_FIELDS, sis)
