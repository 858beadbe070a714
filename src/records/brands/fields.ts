import { type FieldDefinitions, getLabels } from '../../contract/field-definitions.ts'
import { STATUSES } from '../../contract/status.ts'
import { choice, optionalId, requiredLine, requiredUrl } from '../../contract/text-schemas.ts'

const URL_HINT = 'At most 50 characters'

/** The fields of a brand. Pictures are ids. */
export const BRAND_FIELDS = {
  brandName: { label: 'Brand name', section: 'Brand', control: 'text', input: requiredLine() },
  websiteUrl: { label: 'Website', section: 'Website', control: 'url', input: requiredUrl(), hint: URL_HINT },
  EnrollmentsUrl: { label: 'Enrollments URL', section: 'Website', control: 'url', input: requiredUrl(), hint: URL_HINT },
  status: { label: 'Status', section: 'Brand', control: 'status', input: choice(STATUSES), initial: 'ACTIVE' },
  brandPhoto: { label: 'Photo', section: 'Pictures', control: 'picture', input: optionalId(), initial: null },
  brandIcon: { label: 'Icon', section: 'Pictures', control: 'picture', input: optionalId(), initial: null },
} as const satisfies FieldDefinitions

export const brandLabels = { ...getLabels(BRAND_FIELDS), slug: 'Slug', charters: 'Charters' }
