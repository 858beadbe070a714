import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { byIdOrSlug, id, moment, text } from '../../platform/contract/fields.ts'
import { RoleReference } from '../../platform/contract/references.ts'
import { PersonWithSites } from '../people/contract.ts'

/** A role at a site, and whether it stands empty without the one who holds it. */
const HeldPlace = z.strictObject({
  _id: id,
  site: z.strictObject({ _id: id, slug: z.string(), displayName: z.string() }),
  role: RoleReference,
  isOnly: z.boolean(),
})
export type HeldPlace = z.infer<typeof HeldPlace>

/** What ends with somebody's leaving; of somebody who has left, what would be there again. */
export const Leaving = z.strictObject({
  /** Null for everybody who is here. */
  left: z.strictObject({ at: moment, by: text }).nullable(),
  places: z.array(HeldPlace),
  /** The level their permission records give; null where they have none. */
  accessLevel: z.int().nullable(),
  /** Where their address gets requests, by the name of the region; null for all other regions. */
  changeRequestsOf: z.array(text),
  getsSupportRequests: z.boolean(),
})
export type Leaving = z.infer<typeof Leaving>

export const readLeaving = call({
  method: 'GET',
  path: '/api/people/:id/leaving',
  needs: 'edit a person',
  does: 'What somebody’s leaving would end and leave empty; of somebody who left, when, and what undoing it would bring back.',
  params: byIdOrSlug,
  answer: Leaving,
})

export const markLeft = call({
  method: 'POST',
  path: '/api/people/:id/leaving',
  needs: 'edit a person',
  does: 'Marks somebody as left: their roles end, or go to those named in `handOver`, their permission records and sessions end, and they sign in no more. Nobody marks themselves, or somebody with more privilege (403); the last administrator of level 5 stays (409).',
  params: byIdOrSlug,
  body: z.strictObject({
    handOver: z
      .array(
        z.strictObject({
          /** The `_id` of a place they hold. */
          place: id,
          /** The `_id` of who gets it. */
          person: id,
        }),
      )
      .max(2000, 'At most 2,000 places')
      .optional(),
  }),
  answer: PersonWithSites,
})

export const undoLeaving = call({
  method: 'DELETE',
  path: '/api/people/:id/leaving',
  needs: 'edit a person',
  does: 'Undoes somebody’s leaving as one: their roles and permission records are there again, who got a role instead gives it back, and they may sign in. Permission records of more privilege than the caller holds are 403 (D14).',
  params: byIdOrSlug,
  answer: PersonWithSites,
})
