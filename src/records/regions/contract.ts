import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { archivedFields, bySlug, id, recordFields } from '../../contract/fields.ts'
import { SiteSummary } from '../../contract/references.ts'
import { Status } from '../../contract/status.ts'

/** A region in a list. Its sites have only the fields for counting and grouping. */
export const Region = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  sites: z.array(z.strictObject({ _id: id, slug: z.string(), displayName: z.string(), status: Status, version: z.int() })),
  ...recordFields,
  ...archivedFields,
})
export type Region = z.infer<typeof Region>

/** One region with the summaries of its sites. */
export const RegionWithSites = Region.extend({ sites: z.array(SiteSummary) })
export type RegionWithSites = z.infer<typeof RegionWithSites>

export const listRegions = call('GET', '/locations-api/regions_pop', {
  shows: ['region', 'site'],
  capability: 'browse the directory',
  summary: 'All regions, each with its sites and their status.',
  response: z.array(Region),
})

export const readRegion = call('GET', '/locations-api/regionbyslug/:slug', {
  shows: ['region', 'site', 'charter', 'person'],
  capability: 'browse the directory',
  summary: 'One region, by slug or _id, with its sites.',
  params: bySlug,
  response: RegionWithSites,
})
