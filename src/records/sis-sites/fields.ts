import { z } from 'zod'

import { CHECKBOX, type FieldDefinitions, getLabels } from '../../contract/field-definitions.ts'
import { day, id, text } from '../../contract/fields.ts'
import { optionalPattern, optionalLine, requiredId, requiredLine, optionalDay } from '../../contract/text-schemas.ts'

const ID_PATTERN = /^\d{1,20}$/
const ID_MESSAGE = 'Digits only, at most 20'
/** The location a SIS site belongs to; in a request its `_id` or slug. */
const SiteOfSisSite = z.strictObject({ _id: id, slug: z.string(), name: text, displayName: z.string(), version: z.int() })

/** The fields of a SIS site, in the order of its page. Ids are text, which keeps their leading zeros. */
export const SIS_FIELDS = {
  name: { label: 'Name', section: 'SIS site', control: 'text', input: requiredLine(), output: z.string() },
  status: {
    label: 'Active',
    section: 'SIS site',
    ...CHECKBOX,
    initial: true,
    hint: 'Used in the student information system',
  },
  site: { label: 'Associated site', section: 'SIS site', control: 'custom', cell: 'site', input: requiredId(), output: SiteOfSisSite },
  sislc_id: { label: 'SISLC ID', section: 'Identifiers', control: 'digits', input: optionalPattern(ID_PATTERN, ID_MESSAGE) },
  siteId: { label: 'Site ID', section: 'Identifiers', control: 'digits', input: optionalPattern(ID_PATTERN, ID_MESSAGE) },
  homeSiteId: { label: 'Home site ID', section: 'Identifiers', control: 'digits', input: optionalPattern(ID_PATTERN, ID_MESSAGE) },
  charterId: { label: 'Charter ID', section: 'Identifiers', control: 'digits', input: optionalPattern(ID_PATTERN, ID_MESSAGE) },
  charterName: { label: 'Charter name', section: 'Identifiers', control: 'text', input: optionalLine() },
  activeDate: { label: 'Active date', section: 'Dates', control: 'day', input: optionalDay(), output: day.nullable() },
  inactiveDate: { label: 'Inactive date', section: 'Dates', control: 'day', input: optionalDay(), output: day.nullable() },
  activeSite: {
    label: 'Active site',
    section: 'Dates',
    ...CHECKBOX,
    initial: true,
    hint: 'Marked as an active site in the student information system',
  },
  type_array: {
    label: 'Types',
    section: 'Programs',
    control: 'custom',
    cell: 'list',
    input: z.array(requiredLine(100)).max(50),
    output: z.array(z.string()),
    initial: [],
  },
  summer_district: { label: 'Summer district', section: 'Programs', ...CHECKBOX, initial: false },
  intersession: { label: 'Intersession', section: 'Programs', ...CHECKBOX, initial: false },
  home_study: { label: 'Home study', section: 'Programs', ...CHECKBOX, initial: false },
  nonAdaStudents: { label: 'Non-ADA students', section: 'Programs', ...CHECKBOX, initial: false },
  online_education: { label: 'Online education', section: 'Programs', ...CHECKBOX, initial: false },
  sgi: { label: 'SGI', section: 'Programs', ...CHECKBOX, initial: false },
} as const satisfies FieldDefinitions

export const sisLabels = getLabels(SIS_FIELDS)
