import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { idOrSlug } from '../../platform/contract/fields.ts'
import { RecordHit, RecordKind } from '../../platform/contract/records.ts'

const anyRecord = z.object({ kind: RecordKind, id: idOrSlug })

export const listFavourites = call({
  method: 'GET',
  path: '/api/favourites',
  needs: 'browse the directory',
  does: 'The records the caller keeps as favourites, the newest first.',
  answer: z.array(RecordHit),
})

export const addFavourite = call({
  method: 'PUT',
  path: '/api/favourites/:kind/:id',
  needs: 'browse the directory',
  does: 'Keeps a record as a favourite of the caller; keeping it twice is keeping it once.',
  params: anyRecord,
  answer: 'nothing',
})

export const removeFavourite = call({
  method: 'DELETE',
  path: '/api/favourites/:kind/:id',
  needs: 'browse the directory',
  does: 'Takes a record from the caller’s favourites.',
  params: anyRecord,
  answer: 'nothing',
})

export const listRecent = call({
  method: 'GET',
  path: '/api/recent',
  needs: 'browse the directory',
  does: 'The records the caller opened last, the latest first; at most 12.',
  answer: z.array(RecordHit),
})

export const recordOpened = call({
  method: 'PUT',
  path: '/api/recent/:kind/:id',
  needs: 'browse the directory',
  does: 'Notes that the caller has opened a record.',
  params: anyRecord,
  answer: 'nothing',
})
