import { handle, type Route } from '../../../platform/server/handler.ts'
import { downloadList } from '../../records/list-download/contract.ts'
import { downloads, EXPORT_KINDS, listDownloads, previews } from './contract.ts'
import { sendWorkbook } from './download.server.ts'
import { sendList } from './list.server.ts'
import { downloadLog, previewOf } from './queries.server.ts'

export const exportRoutes: Route[] = [
  ...EXPORT_KINDS.map((kind) => handle(downloads[kind], async (context) => sendWorkbook(kind, context))),
  ...EXPORT_KINDS.map((kind) => handle(previews[kind], async ({ context }) => previewOf(context.db, kind))),
  handle(downloadList, async ({ body, ...context }) => sendList(body, context)),
  handle(listDownloads, async ({ context }) => downloadLog(context.db)),
]
