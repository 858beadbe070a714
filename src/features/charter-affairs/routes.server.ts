import { on, type Route } from '../../platform/server/handler.ts'
import { readCharterAffair } from './contract.ts'
import { charterWithAffair } from './queries.server.ts'

export const charterAffairRoutes: Route[] = [on(readCharterAffair, async ({ params, house }) => charterWithAffair(house.db, params.id))]
