import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { idOrSlug, text } from '../../contract/fields.ts'
import { CharterReference, PersonReference, SiteSummary } from '../../contract/references.ts'

/** A site with the people in its roles. A person can have several roles, and a role several people. */
export const CoveredSite = SiteSummary.pick({
  _id: true,
  slug: true,
  displayName: true,
  category: true,
  status: true,
  region: true,
  vacant: true,
  checkedAt: true,
  version: true,
}).extend({
  city: text,
  state: text,
  phone: text,
  charter: CharterReference.pick({ _id: true, slug: true, name: true }).nullable(),
  /** Ordered by role, then by person. */
  people: z.array(z.strictObject({ role: z.string(), person: PersonReference })),
})
export type CoveredSite = z.infer<typeof CoveredSite>

export const listCoverage = call('GET', '/api/coverage', {
  shows: ['site', 'person', 'role'],
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'All sites, each with who holds which role there.',
  response: z.array(CoveredSite),
})

export const listCoverageOfRegion = call('GET', '/api/coverage/:region', {
  shows: ['site', 'person', 'role'],
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'The sites of one region, by slug or _id, each with who holds which role there.',
  params: z.object({ region: idOrSlug }),
  response: z.array(CoveredSite),
})
