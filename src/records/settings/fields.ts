import { z } from 'zod'

import type { FieldDefinitions } from '../../contract/field-definitions.ts'
import { id } from '../../contract/fields.ts'
import { formatMaxMessage } from '../../contract/messages.ts'
import { optionalEmails, optionalId, optionalLine, requiredId, requiredLine } from '../../contract/text-schemas.ts'
import { optionalTimeZone } from '../../contract/time-zones.ts'
import { STATES } from '../sites/fields.ts'

/** The editable settings. */
export const SETTINGS_FIELDS = {
  organisation: { label: 'Name of the organization', section: 'Organization', control: 'text', input: optionalLine(100), span: 6 },
  timeZone: {
    label: 'Time zone',
    section: 'Organization',
    control: 'custom',
    input: optionalTimeZone(),
    hint: 'Days begin and reminders are sent by it',
  },
  states: {
    label: 'States',
    section: 'Organization',
    control: 'custom',
    input: z.array(z.enum(STATES)),
    hint: 'The choices for a site. None checked means all',
  },
  logo: { label: 'Logo', section: 'Organization', control: 'picture', input: optionalId() },
  defaultRegion: { label: 'Region', section: 'New sites', control: 'custom', input: requiredId().nullable() },
  defaultCharter: { label: 'Charter', section: 'New sites', control: 'custom', input: optionalId() },
  /** The whole list: an entry with an `_id` is renamed, one without is added, a missing one is removed if no site uses it. */
  programTypes: {
    label: 'Program types',
    section: 'Program types',
    control: 'custom',
    input: z.array(z.strictObject({ _id: id.optional(), name: requiredLine(100) })).max(200, formatMaxMessage(200, 'programs')),
    span: 6,
  },
  changeRequestsTo: {
    label: 'Change requests',
    section: 'Requests',
    control: 'custom',
    input: z.array(z.strictObject({ region: requiredId().nullable(), emails: optionalEmails() })).max(50),
    span: 6,
    hint: 'Separate email addresses with a space',
  },
  supportRequestsTo: { label: 'Support requests', section: 'Requests', control: 'emails', input: optionalEmails() },
} as const satisfies FieldDefinitions
