import type { SisSite } from './contract.ts'

/** Its name is the page's title, `site` the link under it, `status` the word beside it. */
type Shown = Exclude<keyof SisSite, '_id' | 'name' | 'site' | 'status' | 'version' | 'updatedAt' | 'updatedBy'>

/** Every field of a SIS site in the order it is shown in; one that is missing here does not compile. */
export const sisFields: Record<Shown, { label: string; part: 'Identifiers' | 'Dates' | 'Programs' }> = {
  sislc_id: { label: 'SISLC ID', part: 'Identifiers' },
  siteId: { label: 'Site ID', part: 'Identifiers' },
  homeSiteId: { label: 'Home site ID', part: 'Identifiers' },
  charterId: { label: 'Charter ID', part: 'Identifiers' },
  charterName: { label: 'Charter name', part: 'Identifiers' },
  activeDate: { label: 'Active date', part: 'Dates' },
  inactiveDate: { label: 'Inactive date', part: 'Dates' },
  activeSite: { label: 'Active site', part: 'Dates' },
  type_array: { label: 'Types', part: 'Programs' },
  summer_district: { label: 'Summer district', part: 'Programs' },
  intersession: { label: 'Intersession', part: 'Programs' },
  home_study: { label: 'Home study', part: 'Programs' },
  nonAdaStudents: { label: 'Non-ADA students', part: 'Programs' },
  online_education: { label: 'Online education', part: 'Programs' },
  sgi: { label: 'SGI', part: 'Programs' },
}
export const sisFieldNames = Object.keys(sisFields) as Shown[]
export const SIS_PARTS = ['Identifiers', 'Dates', 'Programs'] as const
