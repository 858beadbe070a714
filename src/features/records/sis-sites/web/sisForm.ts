import type { FormSection } from '../../../../platform/web/form/EditForm.tsx'
import { ONLY_DIGITS } from '../../../../platform/web/form/fields.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { valuesOf } from '../../../../platform/web/form/values.ts'
import type { SisSite, SisSiteChange } from '../contract.ts'
import { sisFields } from '../rules.ts'
import { AssociatedSiteInput } from './AssociatedSiteInput.tsx'
import { TypesInput, typesIn } from './TypesInput.tsx'

type Path = keyof SisSiteChange

const labelOf = (path: Path): string =>
  path === 'name' ? 'Name' : path === 'status' ? 'Active' : path === 'site' ? 'Associated site' : sisFields[path].label
const numeric = (path: Path): FormField => ({ kind: 'line', label: labelOf(path), keyboard: 'numeric', strip: ONLY_DIGITS })
const check = (path: Path): FormField => ({ kind: 'check', label: labelOf(path) })

/** Every field of a SIS site's form; one that is missing here does not compile. `nameOf` gives the name of a location. */
export const sisFormFields = (nameOf: (site: string) => string): Record<Path, FormField> => ({
  name: { kind: 'line', label: labelOf('name') },
  status: { ...check('status'), hint: 'Used in the student information system' },
  site: {
    kind: 'own',
    label: labelOf('site'),
    span: 6,
    isGroup: true,
    Input: AssociatedSiteInput,
    say: (value) => (typeof value === 'string' ? nameOf(value) : ''),
  },
  sislc_id: numeric('sislc_id'),
  siteId: numeric('siteId'),
  homeSiteId: numeric('homeSiteId'),
  charterId: numeric('charterId'),
  charterName: { kind: 'line', label: labelOf('charterName') },
  activeDate: { kind: 'day', label: labelOf('activeDate') },
  inactiveDate: { kind: 'day', label: labelOf('inactiveDate') },
  activeSite: { ...check('activeSite'), hint: 'Marked as an active site in the student information system' },
  type_array: {
    kind: 'own',
    label: labelOf('type_array'),
    span: 6,
    isGroup: true,
    Input: TypesInput,
    say: (value) => typesIn(value).join(', '),
  },
  summer_district: check('summer_district'),
  intersession: check('intersession'),
  home_study: check('home_study'),
  nonAdaStudents: check('nonAdaStudents'),
  online_education: check('online_education'),
  sgi: check('sgi'),
})

const section = (title: string, about: string, fields: readonly Path[]): FormSection => ({ title, about, fields })
const IDENTIFIERS = section('Identifiers', 'IDs from the student information system. Digits only', [
  'sislc_id',
  'siteId',
  'homeSiteId',
  'charterId',
  'charterName',
])
const DATES = section('Dates', 'First and last active dates', ['activeDate', 'inactiveDate', 'activeSite'])
const PROGRAMS = section('Programs', 'Programs offered', [
  'type_array',
  'summer_district',
  'intersession',
  'home_study',
  'nonAdaStudents',
  'online_education',
  'sgi',
])
export const SIS_SECTIONS = [
  section('SIS site', 'Name in the student information system, and the site it is linked to', ['name', 'status', 'site']),
  IDENTIFIERS,
  DATES,
  PROGRAMS,
]
/** A new one belongs to the location whose page it is added on. */
export const NEW_SIS_SECTIONS = [
  section('SIS site', 'Name in the student information system', ['name', 'status']),
  IDENTIFIERS,
  DATES,
  PROGRAMS,
]

const blank: Record<Path, FieldValue> = {
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
const PATHS = Object.keys(blank) as Path[]

export const newSisValues = (site: string): Values => ({ ...blank, site })
export const sisValues = (sis: SisSite): Values => valuesOf(PATHS, (path) => (path === 'site' ? sis.site._id : sis[path]))
