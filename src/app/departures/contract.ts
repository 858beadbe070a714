import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { byIdOrSlug, id, moment, text } from '../../contract/fields.ts'
import { RoleReference } from '../../contract/references.ts'
import { optionalId } from '../../contract/text-schemas.ts'
import { PersonWithSites } from '../../records/people/contract.ts'

/** A role at a site, and whether it is vacant without this person. */
const HeldPosition = z.strictObject({
  _id: id,
  site: z.strictObject({ _id: id, slug: z.string(), displayName: z.string() }),
  role: RoleReference,
  isOnly: z.boolean(),
})
export type HeldPosition = z.infer<typeof HeldPosition>

/** What a departure would end; for a person who has left, what undoing it would restore. */
export const DeparturePreview = z.strictObject({
  /** Null for a person who has not left. */
  left: z.strictObject({ at: moment, by: text }).nullable(),
  places: z.array(HeldPosition),
  /** The access level of their permission records, or null. */
  accessLevel: z.int().nullable(),
  /** The regions whose change requests go to their email address; null means all other regions. */
  changeRequestsOf: z.array(text),
  getsSupportRequests: z.boolean(),
  /**
   * Unhandled deadlines assigned to this person, and settings that make them responsible for a kind; for someone who left, those that were
   * reassigned.
   */
  deadlines: z.strictObject({ deadlines: z.int(), settings: z.int(), to: text }),
})
export type DeparturePreview = z.infer<typeof DeparturePreview>

/** Someone whose account the directory has disabled, and what they still have. */
export const DisabledPerson = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  disabledAt: moment,
  roles: z.int(),
  /** The access level of their permission records, or null. */
  accessLevel: z.int().nullable(),
})
export type DisabledPerson = z.infer<typeof DisabledPerson>

export const MAX_DISABLED_PEOPLE = 500

export const listDisabledPeople = call('GET', '/api/people/disabled', {
  capability: 'edit a person',
  summary: `People whose accounts the directory has disabled or deleted and who still have roles or permission records, latest first: at most ${MAX_DISABLED_PEOPLE}. Marking them as no longer employed ends those.`,
  response: z.array(DisabledPerson),
})

export const readDeparture = call('GET', '/api/people/:id/leaving', {
  capability: 'edit a person',
  summary:
    'What would end if a person were marked as no longer employed, and which positions would be vacant. For someone already marked: when, and what undoing it would restore.',
  params: byIdOrSlug,
  response: DeparturePreview,
})

export const createDeparture = call('POST', '/api/people/:id/leaving', {
  capability: 'edit a person',
  summary:
    'Marks a person as no longer employed: their roles end or are reassigned as given in `handOver`, their deadlines go to `deadlinesTo`, their permission records and sessions end, and they can no longer sign in. You cannot mark yourself or someone with more access than you (403), or the last administrator at level 5 (409). For a later day, plan it with `POST /api/planned`: `changes` are `{leaving: {left: true, handOver: {"{site} {role}": person}, deadlinesTo}}`, and `day` is the day after the last one.',
  params: byIdOrSlug,
  body: z.strictObject({
    handOver: z
      .array(
        z.strictObject({
          /** The `_id` of a row of `site_person`. */
          place: id,
          /** The `_id` of the person who gets the role. */
          person: id,
        }),
      )
      .max(2000, 'At most 2,000 roles')
      .optional(),
    /** The `_id` of the person who gets their deadlines; without one, no one is responsible for them. */
    deadlinesTo: optionalId().optional(),
  }),
  response: PersonWithSites,
})

export const deleteDeparture = call('DELETE', '/api/people/:id/leaving', {
  capability: 'edit a person',
  summary:
    'Undoes marking a person as no longer employed: their roles, permission records and deadlines are restored, anyone who was given one of the roles or deadlines loses it, and the person can sign in again. Permission records with more access than the caller has are a 403.',
  params: byIdOrSlug,
  response: PersonWithSites,
})
