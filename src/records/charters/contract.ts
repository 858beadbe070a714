import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildNewShape } from '../../contract/field-definitions.ts'
import { archivedFields, byIdOrSlug, bySlug, checkFields, id, moment, pictureUrl, recordFields, text } from '../../contract/fields.ts'
import { SiteSummary } from '../../contract/references.ts'
import { Status } from '../../contract/status.ts'
import { CHARTER_FIELDS } from './fields.ts'

/** A charter. Its charter affair is only included as `_id`, because the content needs a higher access level. */
export const Charter = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  abbreviation: text,
  brand: id,
  brandName: z.string(),
  brandPhoto: pictureUrl,
  brandIcon: pictureUrl,
  status: Status,
  studentCount: z.int().nullable(),
  /** When the student count last changed. */
  studentCountUpdatedAt: moment.nullable(),
  schoolTypeUrls: z.array(z.strictObject({ name: z.string(), url: z.string() })),
  photo: pictureUrl,
  charterWebsite: text,
  charterContactnumber: text,
  charter_number: text,
  charter_grade_levels: text,
  /** The id in the public directory from which it was imported; only an import sets it. */
  directory_id: text,
  sites: z.array(z.strictObject({ _id: id, slug: z.string(), displayName: z.string(), status: Status, version: z.int() })),
  charter_affair_info: z.array(z.strictObject({ _id: id })),
  ...recordFields,
  ...checkFields,
  ...archivedFields,
})
export type Charter = z.infer<typeof Charter>

/** One charter with the summaries of its sites. */
export const CharterWithSites = Charter.extend({ sites: z.array(SiteSummary) })
export type CharterWithSites = z.infer<typeof CharterWithSites>

export const StudentTotal = z.strictObject({ total: z.int(), updatedAt: moment.nullable() })

export const listCharters = call('GET', '/locations-api/charters_pop', {
  shows: ['charter', 'brand'],
  capability: 'browse the directory',
  summary: 'All charters, each with its brand and its sites.',
  response: z.array(Charter),
})

export const readStudentTotal = call('GET', '/locations-api/charter-student-total', {
  shows: ['charter'],
  capability: 'browse the directory',
  summary: 'Students of all charters that are not closed, and when a count last changed.',
  response: StudentTotal,
})

export const readCharter = call('GET', '/locations-api/charterbyslug/:slug', {
  shows: ['charter', 'brand', 'site', 'person'],
  capability: 'browse the directory',
  summary: 'One charter, by slug or _id, with its sites.',
  params: bySlug,
  response: CharterWithSites,
})

export const viewCharter = call('GET', '/locations-api/charterview/:id', {
  capability: 'browse the directory',
  summary: 'One charter as its view page shows and edits it.',
  params: byIdOrSlug,
  response: Charter,
})

export const CharterInput = z.strictObject(buildInputShape(CHARTER_FIELDS))
const NewCharter = z.strictObject(buildNewShape(CHARTER_FIELDS))
export type NewCharter = z.infer<typeof NewCharter>
const CharterChange = CharterInput.partial()
export type CharterChange = z.infer<typeof CharterChange>

export const createCharter = call('POST', '/locations-api/addcharter', {
  capability: 'manage the network',
  summary: 'Adds a charter. A name that another charter has (ignoring case and outer spaces) or a slug that is in use is a 409.',
  body: NewCharter,
  response: Charter,
})

export const updateCharter = editCall('PUT', '/locations-api/charterview/:id', {
  capability: 'manage the network',
  summary: 'Changes the given fields of a charter. A slug that is replaced keeps working.',
  body: CharterChange,
  response: Charter,
})
