import { readJsonListBytes } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { handleList, type Route } from '../../../platform/server/handler.ts'
import { listCoverage, listCoverageOfRegion } from './contract.ts'
import { coverage } from './queries.server.ts'

const reads = ['site', 'charter', 'region', 'site_person', 'person', 'role'] as const

export const coverageRoutes: Route[] = [
  handleList(listCoverage, { reads, build: ({ db, pool }) => readJsonListBytes(pool, coverage(db)) }),
  handleList(listCoverageOfRegion, ({ region = '' }) => ({
    name: `coverage of ${region.toLowerCase()}`,
    source: { reads, build: async ({ db, pool }) => readJsonListBytes(pool, coverage(db, await findRecordId(db, 'region', region))) },
  })),
]
