import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildOutputShape } from '../../contract/field-definitions.ts'
import { byIdOrSlug, idOrSlug, recordFields } from '../../contract/fields.ts'
import { optionalLine } from '../../contract/text-schemas.ts'
import { ENROLLMENT_FIELDS, ORIENTATION_FIELDS, ProgramType, UNKNOWN_PROGRAM } from './fields.ts'

/** The enrollment record of a site. Lists are sorted; unset times are empty strings. */
export const EnrollmentInfo = z.strictObject({
  ...buildOutputShape(ENROLLMENT_FIELDS),
  orientation: z.strictObject(buildOutputShape(ORIENTATION_FIELDS)),
  ...recordFields,
})
export type EnrollmentInfo = z.infer<typeof EnrollmentInfo>

export const listProgramTypes = call('GET', '/locations-api/programtypes', {
  shows: ['program_type'],
  capability: 'browse the directory',
  summary: 'All program types a site can offer.',
  response: z.array(ProgramType),
})

export const DUPLICATE_PROGRAM = 'This program is already selected. Please choose a different one.'

/** Any part of an enrollment record, with the field names of the update request. */
export const EnrollmentChange = z
  .strictObject({
    ...buildInputShape(ENROLLMENT_FIELDS),
    orientationLink: ORIENTATION_FIELDS.virtual_orientation_link.input,
    individualDates: ORIENTATION_FIELDS.selected_dates.input,
    recurringDates: ORIENTATION_FIELDS.recurring_dates.input,
    blackoutDates: ORIENTATION_FIELDS.blackout_dates.input,
  })
  .partial()
export type EnrollmentChange = z.infer<typeof EnrollmentChange>

export const updateEnrollment = editCall('PATCH', '/locations-api/site_enroll_updates/:id', {
  capability: 'edit a site',
  summary:
    'Changes the given fields of a site’s enrollment record. `programTypes` replaces the whole list; a day missing from `recurringDates` is not changed.',
  body: EnrollmentChange,
  response: EnrollmentInfo,
})

const serviceCall = { params: byIdOrSlug, capability: 'edit a site', response: EnrollmentInfo } as const
const ChosenProgram = z.strictObject({
  _id: z.string({ error: UNKNOWN_PROGRAM }).optional(),
  id: z.string({ error: UNKNOWN_PROGRAM }).optional(),
  name: optionalLine(200).optional(),
})

export const addService = call('POST', '/locations-api/site_enroll/:id/service', {
  summary:
    'Adds a program type to a site. Answers with the whole enrollment record. An unknown program type is a 422, one the site already has is a 409.',
  body: ChosenProgram,
  ...serviceCall,
})

export const replaceService = call('PUT', '/locations-api/site_enroll/:id/service', {
  summary:
    'Replaces a site’s program type (`_id`) with another (`to`). Answers with the whole enrollment record. One the site already has is a 409.',
  body: z.strictObject({
    _id: z.string({ error: UNKNOWN_PROGRAM }),
    to: z.string({ error: UNKNOWN_PROGRAM }),
    name: optionalLine(200).optional(),
  }),
  ...serviceCall,
})

export const removeService = call('DELETE', '/locations-api/site_enroll/:id/service/:serviceId', {
  summary: 'Removes a program type from a site. One the site does not have is a 404. Answers with the whole enrollment record.',
  capability: 'edit a site',
  params: z.object({ id: idOrSlug, serviceId: idOrSlug }),
  response: EnrollmentInfo,
})
