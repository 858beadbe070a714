import { jsonListBytes } from '../../database/json.server.ts'
import { onList, type Route } from '../../platform/server/handler.ts'
import { listProgramTypes } from './contract.ts'
import { programTypes } from './queries.server.ts'

export const enrollmentRoutes: Route[] = [
  onList(listProgramTypes, { reads: ['program_type'], build: ({ db, pool }) => jsonListBytes(pool, programTypes(db)) }),
]
