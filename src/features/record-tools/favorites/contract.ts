import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { idOrSlug } from '../../../platform/contract/fields.ts'
import { RecordHit, RecordKind } from '../../../platform/contract/records.ts'

const anyRecord = z.object({ kind: RecordKind, id: idOrSlug })

export const listFavourites = call({
  method: 'GET',
  path: '/api/favourites',
  needs: 'browse the directory',
  does: 'The caller’s favorites, newest first.',
  answer: z.array(RecordHit),
})

export const addFavourite = call({
  method: 'PUT',
  path: '/api/favourites/:kind/:id',
  needs: 'browse the directory',
  does: 'Adds a record to the caller’s favorites. Adding it again changes nothing.',
  params: anyRecord,
  answer: 'nothing',
})

export const removeFavourite = call({
  method: 'DELETE',
  path: '/api/favourites/:kind/:id',
  needs: 'browse the directory',
  does: 'Removes a record from the caller’s favorites.',
  params: anyRecord,
  answer: 'nothing',
})

export const listRecent = call({
  method: 'GET',
  path: '/api/recent',
  needs: 'browse the directory',
  does: 'The records the caller viewed last, newest first, at most 12.',
  answer: z.array(RecordHit),
})

export const recordOpened = call({
  method: 'PUT',
  path: '/api/recent/:kind/:id',
  needs: 'browse the directory',
  does: 'Records that the caller has viewed a record.',
  params: anyRecord,
  answer: 'nothing',
})
