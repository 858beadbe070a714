import { CHECKBOX, type FieldDefinitions, getLabels, keysOf } from '../../contract/field-definitions.ts'
import { day } from '../../contract/fields.ts'
import { EXTENSION_PATTERN, formatPhone, INVALID_EXTENSION } from '../../contract/phones.ts'
import { optionalLine, optionalMultiline, optionalDay, optionalPattern } from '../../contract/text-schemas.ts'

export const FACILITY_SECTIONS = ['Lease', 'Guarantee', 'Premises'] as const

/** The fields of a facility, in the order of its page. */
export const FACILITY_FIELDS = {
  lease_holder: { label: 'Lease holder', section: 'Lease', control: 'text', input: optionalLine() },
  agreement_type: { label: 'Agreement type', section: 'Lease', control: 'text', input: optionalLine() },
  leaseTerm: { label: 'Lease term', section: 'Lease', control: 'text', input: optionalLine() },
  lease_start: { label: 'Lease start', section: 'Lease', control: 'day', input: optionalDay(), output: day.nullable() },
  lease_end: { label: 'Lease end', section: 'Lease', control: 'custom', cell: 'day', input: optionalDay(), output: day.nullable() },
  lease_end_open: {
    label: 'Open Ended',
    fullLabel: 'Lease open-ended',
    section: 'Lease',
    ...CHECKBOX,
    span: 6,
    hint: 'The lease has no end date',
  },
  option_renew: { label: 'Option to renew', section: 'Lease', control: 'multiline', input: optionalMultiline() },
  base_rent: { label: 'Base rent', section: 'Lease', control: 'text', input: optionalLine() },
  lease_notes: { label: 'Lease notes', section: 'Lease', control: 'multiline', input: optionalMultiline() },
  original_lease_holder: { label: 'Original lease holder', section: 'Guarantee', control: 'text', input: optionalLine() },
  original_lease_holder_released: { label: 'Original lease holder released', section: 'Guarantee', control: 'text', input: optionalLine() },
  guarantor: { label: 'Guarantor', section: 'Guarantee', control: 'text', input: optionalLine() },
  original_guarantor_released: { label: 'Original guarantor released', section: 'Guarantee', control: 'text', input: optionalLine() },
  county: { label: 'County', section: 'Premises', control: 'text', input: optionalLine() },
  apn: { label: 'APN (parcel number)', section: 'Premises', control: 'text', input: optionalLine() },
  sq_footage: { label: 'Square footage', section: 'Premises', control: 'text', input: optionalLine() },
  phone_2: {
    label: 'Second phone',
    section: 'Premises',
    control: 'extension',
    input: optionalPattern(EXTENSION_PATTERN, INVALID_EXTENSION, formatPhone),
  },
  partnership: { label: 'Partnership', section: 'Premises', ...CHECKBOX },
  signage_language: { label: 'Signage language', section: 'Premises', control: 'multiline', input: optionalMultiline() },
  fac_notes: { label: 'Facility notes', section: 'Premises', control: 'multiline', input: optionalMultiline() },
} as const satisfies FieldDefinitions

type ShownField = Exclude<keyof typeof FACILITY_FIELDS, 'lease_end_open'>
/** The fields shown separately on the page: an open-ended lease shows in its end date. */
export const SHOWN_FACILITY_FIELDS = keysOf(FACILITY_FIELDS).filter((name): name is ShownField => name !== 'lease_end_open')

export const facilityLabels = getLabels(FACILITY_FIELDS)
