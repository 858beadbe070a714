import type { Charter } from './contract.ts'

/** Fields without a row of their own on the charter's page. */
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
