import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { idOrSlug } from '../../../contract/fields.ts'
import { RecordHit, RecordKind } from '../../../contract/records.ts'

const anyRecord = z.object({ kind: RecordKind, id: idOrSlug })

export const listFavorites = call('GET', '/api/favourites', {
  capability: 'browse the directory',
  summary: 'The caller’s favorites, newest first.',
  response: z.array(RecordHit),
})

export const addFavorite = call('PUT', '/api/favourites/:kind/:id', {
  capability: 'browse the directory',
  summary: 'Adds a record to the caller’s favorites. Adding it again changes nothing.',
  params: anyRecord,
  response: 'nothing',
})

export const removeFavorite = call('DELETE', '/api/favourites/:kind/:id', {
  capability: 'browse the directory',
  summary: 'Removes a record from the caller’s favorites.',
  params: anyRecord,
  response: 'nothing',
})

export const listRecent = call('GET', '/api/recent', {
  capability: 'browse the directory',
  summary: 'The records the caller viewed last, newest first, at most 12.',
  response: z.array(RecordHit),
})

export const recordViewed = call('PUT', '/api/recent/:kind/:id', {
  capability: 'browse the directory',
  summary: 'Records that the caller has viewed a record.',
  params: anyRecord,
  response: 'nothing',
})
