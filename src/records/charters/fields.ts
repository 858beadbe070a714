import { z } from 'zod'

import { type FieldDefinitions, getLabels } from '../../contract/field-definitions.ts'
import { readGrades } from '../../contract/grades.ts'
import { formatMaxMessage } from '../../contract/messages.ts'
import { formatPhone, TEN_DIGITS_PATTERN } from '../../contract/phones.ts'
import { STATUSES } from '../../contract/status.ts'
import {
  choice,
  MAX_URL_LENGTH,
  optionalId,
  optionalLine,
  optionalPattern,
  requiredId,
  requiredLine,
  requiredPattern,
  requiredSlug,
  requiredUrl,
} from '../../contract/text-schemas.ts'

const MAX_CHARTER_NAME_LENGTH = 60
const MAX_ABBREVIATION_LENGTH = 10
const MAX_STUDENT_COUNT_DIGITS = 5
/** Characters that names, slugs and abbreviations may not have. Forms remove them; the server refuses them. */
export const INVALID_NAME_CHARACTERS = /[^\p{L}\p{M} .|-]/gu
export const INVALID_ABBREVIATION_CHARACTERS = /[^\p{L}\p{M} ]/gu
const NAME_MESSAGE = 'Letters, spaces, period, hyphen and pipe only'

// Fixed texts, including their double spaces.
export const DUPLICATE_NAME = 'Charter with this name  already exists.'
export const INVALID_CHARTER_PHONE = 'Please enter a valid phone number (e.g., xxx-xxx-xxxx).'
export const INVALID_CHARTER_PHONE_WHILE_TYPING = 'Please enter a valid phone number  xxx-xxx-xxxx'

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

/** The fields of a charter. `brand` and `photo` are ids. */
export const CHARTER_FIELDS = {
  name: {
    label: 'Charter name',
    section: 'Charter',
    control: 'custom',
    input: requiredPattern(NAME_PATTERN, NAME_MESSAGE, MAX_CHARTER_NAME_LENGTH),
    hint: 'At most 60 letters, spaces, periods, hyphens and pipes',
  },
  abbreviation: {
    label: 'Abbreviation',
    section: 'Charter',
    control: 'custom',
    input: requiredPattern(/^[\p{L}\p{M} ]*$/u, 'Letters and spaces only', MAX_ABBREVIATION_LENGTH),
    hint: 'At most 10 letters and spaces',
  },
  slug: {
    label: 'Slug',
    section: 'Charter',
    control: 'custom',
    cell: null,
    input: requiredSlug(NAME_PATTERN, NAME_MESSAGE, MAX_CHARTER_NAME_LENGTH),
    hint: 'Used in the page’s web address. It does not change if the charter is renamed.',
  },
  brand: { label: 'Brand', section: 'Charter', control: 'custom', cell: 'brand', input: requiredId() },
  status: { label: 'Status', section: 'Charter', control: 'status', input: choice(STATUSES), initial: 'ACTIVE' },
  studentCount: { label: 'Student count', section: 'Charter', control: 'digits', cell: 'number', input: studentCount, initial: null },
  charterWebsite: { label: 'Website', section: 'Contact', control: 'url', input: requiredUrl(), hint: 'At most 50 characters' },
  charterContactnumber: {
    label: 'Contact number',
    section: 'Contact',
    control: 'custom',
    input: optionalPattern(TEN_DIGITS_PATTERN, INVALID_CHARTER_PHONE, formatPhone),
    initial: null,
  },
  schoolTypeUrls: {
    label: 'School type URLs',
    section: 'Contact',
    control: 'custom',
    cell: null,
    input: z.array(z.strictObject({ name: requiredLine(100), url: requiredUrl(MAX_URL_LENGTH) })).max(50),
    initial: [],
  },
  charter_number: { label: 'Charter number', section: 'Charter', control: 'text', input: optionalLine(), initial: null },
  charter_grade_levels: {
    label: 'Grade levels',
    section: 'Charter',
    control: 'text',
    input: optionalLine(undefined, readGrades),
    initial: null,
    hint: 'For example TK-12',
  },
  photo: { label: 'Photo', section: 'Photo', control: 'picture', input: optionalId(), initial: null },
} as const satisfies FieldDefinitions

export const charterLabels = { ...getLabels(CHARTER_FIELDS), directory_id: 'Directory ID', sites: 'Sites' }
