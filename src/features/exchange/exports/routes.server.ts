import { on, type Route } from '../../../platform/server/handler.ts'
import { downloadList } from '../../records/list-download/contract.ts'
import { downloads, EXPORT_KINDS, listDownloads, previews } from './contract.ts'
import { sendWorkbook } from './download.server.ts'
import { sendList } from './list.server.ts'
import { downloadLog, previewOf } from './queries.server.ts'

export const exportRoutes: Route[] = [
  ...EXPORT_KINDS.map((kind) => on(downloads[kind], async (context) => sendWorkbook(kind, context))),
  ...EXPORT_KINDS.map((kind) => on(previews[kind], async ({ house }) => previewOf(house.db, kind))),
  on(downloadList, async ({ body, ...context }) => sendList(body, context)),
  on(listDownloads, async ({ house }) => downloadLog(house.db)),
]
