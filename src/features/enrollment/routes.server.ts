import { jsonListText } from '../../database/json.server.ts'
import { onList, type Route } from '../../platform/server/handler.ts'
import { listProgramTypes } from './contract.ts'
import { programTypes } from './queries.server.ts'

export const enrollmentRoutes: Route[] = [
  onList(listProgramTypes, { reads: ['program_type'], build: (db) => jsonListText(db, programTypes(db)) }),
]
