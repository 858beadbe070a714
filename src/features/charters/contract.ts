import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { byIdOrSlug, bySlug, id, moment, pictureAddress, recordFields, text } from '../../platform/contract/fields.ts'
import { SiteSummary } from '../../platform/contract/references.ts'
import { Status } from '../../platform/contract/status.ts'

/** A charter (section 3, D43). Of the charter affair it carries only the record's `_id` (D12). */
export const Charter = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  abbreviation: text,
  brand: id,
  brandName: z.string(),
  brandPhoto: pictureAddress,
  brandIcon: pictureAddress,
  status: Status,
  studentCount: z.int().nullable(),
  /** When the student count last changed (D22). */
  studentCountUpdatedAt: moment.nullable(),
  schoolTypeUrls: z.array(z.strictObject({ name: z.string(), url: z.string() })),
  photo: pictureAddress,
  charterWebsite: text,
  charterContactnumber: text,
  /** As a public directory gives them; filled by the importer. */
  charter_number: text,
  charter_grade_levels: text,
  directory_id: text,
  sites: z.array(z.strictObject({ _id: id, slug: z.string(), displayName: z.string(), status: Status, version: z.int() })),
  charter_affair_info: z.array(z.strictObject({ _id: id })),
  ...recordFields,
})
export type Charter = z.infer<typeof Charter>

/** One charter with its sites as cards show them. */
export const CharterWithSites = Charter.extend({ sites: z.array(SiteSummary) })
export type CharterWithSites = z.infer<typeof CharterWithSites>

export const StudentTotal = z.strictObject({ total: z.int(), updatedAt: moment.nullable() })

export const listCharters = call({
  method: 'GET',
  path: '/locations-api/charters_pop',
  needs: 'browse the directory',
  does: 'All charters, each with its brand and its sites.',
  answer: z.array(Charter),
})

export const readStudentTotal = call({
  method: 'GET',
  path: '/locations-api/charter-student-total',
  needs: 'browse the directory',
  does: 'Students of all charters that are not closed, and when a count last changed (D22).',
  answer: StudentTotal,
})

export const readCharter = call({
  method: 'GET',
  path: '/locations-api/charterbyslug/:slug',
  needs: 'browse the directory',
  does: 'One charter, by slug or _id, with its sites.',
  params: bySlug,
  answer: CharterWithSites,
})

export const viewCharter = call({
  method: 'GET',
  path: '/locations-api/charterview/:id',
  needs: 'browse the directory',
  does: 'One charter as its view page shows and edits it.',
  params: byIdOrSlug,
  answer: Charter,
})
