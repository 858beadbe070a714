import { formatDisk } from '../../../platform/server/disk.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { readServerState } from './contract.ts'

export const serverStateRoutes: Route[] = [
  handle(readServerState, async ({ context }) => ({ warnings: context.disk.full.map(formatDisk) })),
]
