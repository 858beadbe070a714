import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { byIdOrSlug, id, idOrSlug } from '../../contract/fields.ts'
import { PersonReference, RoleReference } from '../../contract/references.ts'

/** A person in a role at a site. One person may hold several roles there. */
export const SitePerson = z.strictObject({ _id: id, person: PersonReference, role_match: RoleReference })
export type SitePerson = z.infer<typeof SitePerson>

/** All staff of a site, the response to a change. */
const Staff = z.strictObject({ _id: id, people: z.array(SitePerson) })

export const PERSON_REQUIRED = 'Please select a person'
export const ROLE_REQUIRED = 'Please choose a role'
export const NOT_EMPLOYED = 'This person is no longer employed'

/** A record's `_id` or slug, or an object with its `_id`. */
const buildReference = (missing: string) =>
  z
    .union([z.string(), z.object({ _id: z.string() }).transform(({ _id }) => _id)], { error: missing })
    .pipe(z.string().min(1, missing).max(200, missing))

export const addSiteStaff = call('POST', '/locations-api/site_people/:id', {
  capability: 'edit a site',
  summary: 'Adds a person to the staff of a site in a role. The same role twice is a 409. Answers with all staff of the site.',
  params: byIdOrSlug,
  body: z.strictObject({ person: buildReference(PERSON_REQUIRED), role_match: buildReference(ROLE_REQUIRED) }),
  response: Staff,
})

export const removeSiteStaff = call('PATCH', '/locations-api/site_remove_staff/:id', {
  capability: 'edit a site',
  summary:
    'Removes one role of a person at a site, or answers 404 if the person does not have it there. Answers with all staff of the site.',
  params: byIdOrSlug,
  body: z.strictObject({ person_id: idOrSlug, role_id: idOrSlug }),
  response: Staff,
})
