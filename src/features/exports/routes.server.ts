import { on, type Route } from '../../platform/server/handler.ts'
import { downloads, EXPORT_KINDS, listDownloads, previews } from './contract.ts'
import { sendWorkbook } from './download.server.ts'
import { downloadList, previewOf } from './queries.server.ts'

export const exportRoutes: Route[] = [
  ...EXPORT_KINDS.map((kind) => on(downloads[kind], async (context) => sendWorkbook(kind, context))),
  ...EXPORT_KINDS.map((kind) => on(previews[kind], async ({ house }) => previewOf(house.db, kind))),
  on(listDownloads, async ({ house }) => downloadList(house.db)),
]
