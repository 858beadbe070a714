import type { Brand } from './contract.ts'

/** Shown in the head of a brand's page or not at all; every other field of a brand has a label below. */
type NotLabelled = '_id' | 'id' | 'brandName' | 'brandPhoto' | 'version' | 'updatedAt' | 'updatedBy'

export const brandLabels: Record<Exclude<keyof Brand, NotLabelled>, string> = {
  websiteUrl: 'Website',
  EnrollmentsUrl: 'Enrollments URL',
  status: 'Status',
  brandIcon: 'Icon',
  slug: 'Slug',
  charters: 'Charters',
}
