import type { FacilityChange } from './contract.ts'

/** Whether a lease is open-ended shows in its end, not on its own. */
type Shown = Exclude<keyof FacilityChange, 'lease_end_open'>

export const FACILITY_PARTS = ['Lease', 'Guarantee', 'Premises'] as const

interface FacilityField {
  label: string
  part: (typeof FACILITY_PARTS)[number]
  /** Notes: the whole width. */
  long?: boolean
}

/** Every field of a facility in the order it is shown in; one that is missing here does not compile. */
export const facilityFields: Record<Shown, FacilityField> = {
  lease_holder: { label: 'Lease holder', part: 'Lease' },
  agreement_type: { label: 'Agreement type', part: 'Lease' },
  leaseTerm: { label: 'Lease term', part: 'Lease' },
  lease_start: { label: 'Lease start', part: 'Lease' },
  lease_end: { label: 'Lease end', part: 'Lease' },
  option_renew: { label: 'Option to renew', part: 'Lease', long: true },
  base_rent: { label: 'Base rent', part: 'Lease' },
  lease_notes: { label: 'Lease notes', part: 'Lease', long: true },
  original_lease_holder: { label: 'Original lease holder', part: 'Guarantee' },
  original_lease_holder_released: { label: 'Original lease holder released', part: 'Guarantee' },
  guarantor: { label: 'Guarantor', part: 'Guarantee' },
  original_guarantor_released: { label: 'Original guarantor released', part: 'Guarantee' },
  county: { label: 'County', part: 'Premises' },
  apn: { label: 'APN (parcel number)', part: 'Premises' },
  sq_footage: { label: 'Square footage', part: 'Premises' },
  phone_2: { label: 'Second phone', part: 'Premises' },
  partnership: { label: 'Partnership', part: 'Premises' },
  signage_language: { label: 'Signage language', part: 'Premises', long: true },
  fac_notes: { label: 'Facility notes', part: 'Premises', long: true },
}
export const facilityFieldNames = Object.keys(facilityFields) as Shown[]

/** What every field is called where it stands alone: in a site's history and in the workbooks. */
export const facilityLabels: Record<keyof FacilityChange, string> = {
  ...(Object.fromEntries(facilityFieldNames.map((name) => [name, facilityFields[name].label])) as Record<Shown, string>),
  lease_end_open: 'Lease open-ended',
}
