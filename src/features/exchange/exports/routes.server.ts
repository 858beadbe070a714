import { handle, type Route } from '../../../platform/server/handler.ts'
import { downloadList } from '../../records/list-download/contract.ts'
import { downloads, EXPORT_KINDS, listDownloads, previews } from './contract.ts'
import { listDownloadLog, getPreview } from './queries.server.ts'
import { sendList } from './send-list.server.ts'
import { sendWorkbook } from './send-workbook.server.ts'

export const exportRoutes: Route[] = [
  ...EXPORT_KINDS.map((kind) => handle(downloads[kind], async (context) => sendWorkbook(kind, context))),
  ...EXPORT_KINDS.map((kind) => handle(previews[kind], async ({ context, user }) => getPreview(context, user, kind))),
  handle(downloadList, async ({ body, ...context }) => sendList(body, context)),
  handle(listDownloads, async ({ context }) => listDownloadLog(context.db)),
]
