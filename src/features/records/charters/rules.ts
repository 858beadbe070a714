import type { Charter } from './contract.ts'

/** Shown in the head of a charter's page, beside another field, or not at all; every other field of a charter has a label below. */
type NotLabelled =
  | '_id'
  | 'name'
  | 'photo'
  | 'brandName'
  | 'brandPhoto'
  | 'brandIcon'
  | 'studentCountUpdatedAt'
  | 'charter_affair_info'
  | 'version'
  | 'updatedAt'
  | 'updatedBy'

export const charterLabels: Record<Exclude<keyof Charter, NotLabelled>, string> = {
  abbreviation: 'Abbreviation',
  brand: 'Brand',
  status: 'Status',
  studentCount: 'Student count',
  charterContactnumber: 'Contact number',
  charterWebsite: 'Website',
  schoolTypeUrls: 'School type URLs',
  charter_number: 'Charter number',
  charter_grade_levels: 'Grade levels',
  directory_id: 'Directory ID',
  slug: 'Slug',
  sites: 'Sites',
}
