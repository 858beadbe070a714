import type { Brand } from './contract.ts'

/** Fields without a row of their own on the brand's page. */
type NotLabelled = '_id' | 'id' | 'brandName' | 'brandPhoto' | 'version' | 'updatedAt' | 'updatedBy'

export const brandLabels: Record<Exclude<keyof Brand, NotLabelled>, string> = {
  websiteUrl: 'Website',
  EnrollmentsUrl: 'Enrollments URL',
  status: 'Status',
  brandIcon: 'Icon',
  slug: 'Slug',
  charters: 'Charters',
}
