import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { byIdOrSlug, bySlug, id, moment, pictureUrl, recordFields, text } from '../../../platform/contract/fields.ts'
import { formatMaxMessage } from '../../../platform/contract/messages.ts'
import { SiteSummary } from '../../../platform/contract/references.ts'
import { Status, STATUSES } from '../../../platform/contract/status.ts'
import {
  choice,
  optionalPattern,
  optionalId,
  optionalLine,
  MAX_URL_LENGTH,
  requiredUrl,
  requiredPattern,
  requiredId,
  requiredLine,
  requiredSlug,
} from '../../../platform/contract/text-schemas.ts'

/** A charter. Of its charter affair only the `_id`, because its content needs a higher access level. */
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
  /** The id in the public directory it was imported from; only an import sets it. */
  directory_id: text,
  sites: z.array(z.strictObject({ _id: id, slug: z.string(), displayName: z.string(), status: Status, version: z.int() })),
  charter_affair_info: z.array(z.strictObject({ _id: id })),
  ...recordFields,
})
export type Charter = z.infer<typeof Charter>

/** One charter with the summaries of its sites. */
export const CharterWithSites = Charter.extend({ sites: z.array(SiteSummary) })
export type CharterWithSites = z.infer<typeof CharterWithSites>

export const StudentTotal = z.strictObject({ total: z.int(), updatedAt: moment.nullable() })

export const listCharters = call({
  method: 'GET',
  path: '/locations-api/charters_pop',
  capability: 'browse the directory',
  summary: 'All charters, each with its brand and its sites.',
  response: z.array(Charter),
})

export const readStudentTotal = call({
  method: 'GET',
  path: '/locations-api/charter-student-total',
  capability: 'browse the directory',
  summary: 'Students of all charters that are not closed, and when a count last changed.',
  response: StudentTotal,
})

export const readCharter = call({
  method: 'GET',
  path: '/locations-api/charterbyslug/:slug',
  capability: 'browse the directory',
  summary: 'One charter, by slug or _id, with its sites.',
  params: bySlug,
  response: CharterWithSites,
})

export const viewCharter = call({
  method: 'GET',
  path: '/locations-api/charterview/:id',
  capability: 'browse the directory',
  summary: 'One charter as its view page shows and edits it.',
  params: byIdOrSlug,
  response: Charter,
})

const MAX_CHARTER_NAME_LENGTH = 60
const MAX_ABBREVIATION_LENGTH = 10
const MAX_STUDENT_COUNT_DIGITS = 5
/** Characters that names, slugs and abbreviations may not have. Forms remove them; the server refuses them. */
export const INVALID_NAME_CHARACTERS = /[^\p{L}\p{M} .|-]/gu
export const INVALID_ABBREVIATION_CHARACTERS = /[^\p{L}\p{M} ]/gu
const NAME_MESSAGE = 'Letters, spaces, period, hyphen and pipe only'

// Fixed texts, including their double spaces.
export const DUPLICATE_NAME = 'Charter with this name  already exists.'
export const INVALID_PHONE = 'Please enter a valid phone number (e.g., xxx-xxx-xxxx).'
export const INVALID_PHONE_WHILE_TYPING = 'Please enter a valid phone number  xxx-xxx-xxxx'
export const CHARTER_PHONE_PATTERN = /^\d{3}-\d{3}-\d{4}$/

const NAME_PATTERN = /^[\p{L}\p{M} .|-]*$/u
const COUNT_MESSAGE = formatMaxMessage(MAX_STUDENT_COUNT_DIGITS, 'digits')
/** A count as a number or a text of digits. */
const studentCount = z
  .union(
    [
      z
        .int(COUNT_MESSAGE)
        .min(0, COUNT_MESSAGE)
        .lt(10 ** MAX_STUDENT_COUNT_DIGITS, COUNT_MESSAGE),
      optionalPattern(new RegExp(`^\\d{1,${MAX_STUDENT_COUNT_DIGITS}}$`), COUNT_MESSAGE),
    ],
    COUNT_MESSAGE,
  )
  .transform((value) => (value === null ? null : Number(value)))

/** The editable fields. `brand` and `photo` are ids. */
export const CharterInput = z.strictObject({
  name: requiredPattern(NAME_PATTERN, NAME_MESSAGE, MAX_CHARTER_NAME_LENGTH),
  slug: requiredSlug(NAME_PATTERN, NAME_MESSAGE, MAX_CHARTER_NAME_LENGTH),
  abbreviation: requiredPattern(/^[\p{L}\p{M} ]*$/u, 'Letters and spaces only', MAX_ABBREVIATION_LENGTH),
  brand: requiredId(),
  status: choice(STATUSES),
  studentCount,
  charterWebsite: requiredUrl(),
  charterContactnumber: optionalPattern(CHARTER_PHONE_PATTERN, INVALID_PHONE),
  schoolTypeUrls: z.array(z.strictObject({ name: requiredLine(100), url: requiredUrl(MAX_URL_LENGTH) })).max(50),
  charter_number: optionalLine(),
  charter_grade_levels: optionalLine(),
  photo: optionalId(),
})
const NewCharter = CharterInput.extend({
  status: choice(STATUSES).default('ACTIVE'),
  studentCount: studentCount.default(null),
  charterContactnumber: CharterInput.shape.charterContactnumber.default(null),
  schoolTypeUrls: CharterInput.shape.schoolTypeUrls.default([]),
  charter_number: optionalLine().default(null),
  charter_grade_levels: optionalLine().default(null),
  photo: optionalId().default(null),
})
export type NewCharter = z.infer<typeof NewCharter>
const CharterChange = CharterInput.partial()
export type CharterChange = z.infer<typeof CharterChange>

export const createCharter = call({
  method: 'POST',
  path: '/locations-api/addcharter',
  capability: 'manage the network',
  summary: 'Adds a charter. A name that another charter has (ignoring case and outer spaces) or a slug that is in use is a 409.',
  body: NewCharter,
  response: Charter,
})

export const updateCharter = call({
  method: 'PUT',
  path: '/locations-api/charterview/:id',
  capability: 'manage the network',
  summary: 'Changes the given fields of a charter. A slug that is replaced keeps working.',
  params: byIdOrSlug,
  body: CharterChange,
  allowUnchangedInvalid: true,
  response: Charter,
})
