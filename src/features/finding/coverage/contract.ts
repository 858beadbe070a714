import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { idOrSlug, text } from '../../../platform/contract/fields.ts'
import { CharterReference, PersonReference, SiteSummary } from '../../../platform/contract/references.ts'

/** A site with all who hold a role there. One person may hold several (D38), and several may hold one. */
export const CoveredSite = SiteSummary.pick({
  _id: true,
  slug: true,
  displayName: true,
  category: true,
  status: true,
  region: true,
  version: true,
}).extend({
  city: text,
  state: text,
  phone: text,
  charter: CharterReference.pick({ _id: true, slug: true, name: true }).nullable(),
  /** By the name of the role, then of the person. */
  people: z.array(z.strictObject({ role: z.string(), person: PersonReference })),
})
export type CoveredSite = z.infer<typeof CoveredSite>

export const listCoverage = call({
  method: 'GET',
  path: '/api/coverage',
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'All sites, each with who holds which role there.',
  response: z.array(CoveredSite),
})

export const listCoverageOfRegion = call({
  method: 'GET',
  path: '/api/coverage/:region',
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'The sites of one region, by slug or _id, each with who holds which role there.',
  params: z.object({ region: idOrSlug }),
  response: z.array(CoveredSite),
})
