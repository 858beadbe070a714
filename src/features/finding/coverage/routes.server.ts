import { jsonListBytes } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { onList, type Route } from '../../../platform/server/handler.ts'
import { listCoverage, listCoverageOfRegion } from './contract.ts'
import { coverage } from './queries.server.ts'

const reads = ['site', 'charter', 'region', 'site_person', 'person', 'role'] as const

export const coverageRoutes: Route[] = [
  onList(listCoverage, { reads, build: ({ db, pool }) => jsonListBytes(pool, coverage(db)) }),
  onList(listCoverageOfRegion, ({ region = '' }) => ({
    name: `coverage of ${region.toLowerCase()}`,
    source: { reads, build: async ({ db, pool }) => jsonListBytes(pool, coverage(db, await idOf(db, 'region', region))) },
  })),
]
