import { on, type Route } from '../../platform/server/handler.ts'
import { listPermissions } from './contract.ts'
import { permissionsOf } from './queries.server.ts'

export const permissionRoutes: Route[] = [on(listPermissions, async ({ params, house }) => permissionsOf(house.db, params.appId))]
