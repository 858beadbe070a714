import type { FormSection } from '../../../../platform/web/form/EditForm.tsx'
import { ONLY_DIGITS } from '../../../../platform/web/form/fields.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { valuesOf } from '../../../../platform/web/form/values.ts'
import type { SisSite, SisSiteChange } from '../contract.ts'
import { sisFields } from '../rules.ts'
import { AssociatedSiteInput } from './AssociatedSiteInput.tsx'
import { TypesInput, toTypes } from './TypesInput.tsx'

type Path = keyof SisSiteChange

const getLabel = (path: Path): string =>
  path === 'name' ? 'Name' : path === 'status' ? 'Active' : path === 'site' ? 'Associated site' : sisFields[path].label
const buildNumericField = (path: Path): FormField => ({ kind: 'line', label: getLabel(path), keyboard: 'numeric', strip: ONLY_DIGITS })
const buildCheckbox = (path: Path): FormField => ({ kind: 'check', label: getLabel(path) })

/** Every field of a SIS site's form; one that is missing here does not compile. `nameOf` gives the name of a location. */
export const buildSisFields = (nameOf: (site: string) => string): Record<Path, FormField> => ({
  name: { kind: 'line', label: getLabel('name') },
  status: { ...buildCheckbox('status'), hint: 'Used in the student information system' },
  site: {
    kind: 'own',
    label: getLabel('site'),
    span: 6,
    isGroup: true,
    Input: AssociatedSiteInput,
    say: (value) => (typeof value === 'string' ? nameOf(value) : ''),
  },
  sislc_id: buildNumericField('sislc_id'),
  siteId: buildNumericField('siteId'),
  homeSiteId: buildNumericField('homeSiteId'),
  charterId: buildNumericField('charterId'),
  charterName: { kind: 'line', label: getLabel('charterName') },
  activeDate: { kind: 'day', label: getLabel('activeDate') },
  inactiveDate: { kind: 'day', label: getLabel('inactiveDate') },
  activeSite: { ...buildCheckbox('activeSite'), hint: 'Marked as an active site in the student information system' },
  type_array: {
    kind: 'own',
    label: getLabel('type_array'),
    span: 6,
    isGroup: true,
    Input: TypesInput,
    say: (value) => toTypes(value).join(', '),
  },
  summer_district: buildCheckbox('summer_district'),
  intersession: buildCheckbox('intersession'),
  home_study: buildCheckbox('home_study'),
  nonAdaStudents: buildCheckbox('nonAdaStudents'),
  online_education: buildCheckbox('online_education'),
  sgi: buildCheckbox('sgi'),
})

const buildSection = (title: string, about: string, fields: readonly Path[]): FormSection => ({ title, about, fields })
const IDENTIFIERS = buildSection('Identifiers', 'IDs from the student information system. Digits only', [
  'sislc_id',
  'siteId',
  'homeSiteId',
  'charterId',
  'charterName',
])
const DATES = buildSection('Dates', 'First and last active dates', ['activeDate', 'inactiveDate', 'activeSite'])
const PROGRAMS = buildSection('Programs', 'Programs offered', [
  'type_array',
  'summer_district',
  'intersession',
  'home_study',
  'nonAdaStudents',
  'online_education',
  'sgi',
])
export const SIS_SECTIONS = [
  buildSection('SIS site', 'Name in the student information system, and the site it is linked to', ['name', 'status', 'site']),
  IDENTIFIERS,
  DATES,
  PROGRAMS,
]
/** A new one belongs to the location whose page it is added on. */
export const NEW_SIS_SECTIONS = [
  buildSection('SIS site', 'Name in the student information system', ['name', 'status']),
  IDENTIFIERS,
  DATES,
  PROGRAMS,
]

const BLANK: Record<Path, FieldValue> = {
  name: '',
  status: true,
  site: '',
  sislc_id: '',
  siteId: '',
  homeSiteId: '',
  charterId: '',
  charterName: '',
  activeDate: '',
  inactiveDate: '',
  activeSite: true,
  type_array: [],
  summer_district: false,
  intersession: false,
  home_study: false,
  nonAdaStudents: false,
  online_education: false,
  sgi: false,
}
const PATHS = Object.keys(BLANK) as Path[]

export const buildNewSisValues = (site: string): Values => ({ ...BLANK, site })
export const toSisValues = (sis: SisSite): Values => valuesOf(PATHS, (path) => (path === 'site' ? sis.site._id : sis[path]))
