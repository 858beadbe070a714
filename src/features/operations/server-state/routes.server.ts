import { diskInWords } from '../../../platform/server/disk.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import { readServerState } from './contract.ts'

export const serverStateRoutes: Route[] = [on(readServerState, async ({ house }) => ({ warnings: house.disk.full.map(diskInWords) }))]
