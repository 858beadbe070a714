import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { id, text } from '../../contract/fields.ts'
import { parseArea } from './rules.ts'

/** A filter by a part of the map, as in URLs of pages: west, south, east, north. */
export const MapArea = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => parseArea(text) !== undefined, 'Four degrees: west, south, east, north')

/** The location of a site: its own coordinates, or the center of its ZIP code or city. */
export const SiteLocation = z.strictObject({
  site: id,
  /** Degrees north and east; null if unknown. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  from: z.enum(['site', 'zip', 'city']).nullable(),
  /** City and state of its address: 'Stockton, CA'. */
  near: text,
})
export type SiteLocation = z.infer<typeof SiteLocation>

export const listSiteLocations = call('GET', '/api/places', {
  shows: ['site'],
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'Where each site is: by its own coordinates, or else its ZIP code, or else its city.',
  response: z.array(SiteLocation),
})
