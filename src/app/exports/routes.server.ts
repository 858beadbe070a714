import { can } from '../../contract/capabilities.ts'
import { downloadActivity } from '../../features/finding/activity/contract.ts'
import { downloadAudit } from '../../features/operations/audit/contract.ts'
import { recordAffairRead } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { downloadList } from '../../records/list-download/contract.ts'
import { downloads, EXPORT_KINDS, listDownloads, previews } from './contract.ts'
import { listDownloadLog, getPreview } from './queries.server.ts'
import { sendActivityWorkbook } from './send-activity.server.ts'
import { sendAuditWorkbook } from './send-audit.server.ts'
import { sendList } from './send-list.server.ts'
import { sendWorkbook } from './send-workbook.server.ts'

export const exportRoutes: Route[] = [
  ...EXPORT_KINDS.map((kind) => handle(downloads[kind], async (context) => sendWorkbook(kind, context))),
  ...EXPORT_KINDS.map((kind) =>
    handle(previews[kind], async ({ context, user, request }) => {
      if (kind === 'charter_affairs') await recordAffairRead(context, request, 'preview of the workbook')
      if (kind === 'deadlines' && can(user.accessLevel, 'read a charter affair'))
        await recordAffairRead(context, request, 'preview of the workbook Deadlines')
      return getPreview(context, user, kind)
    }),
  ),
  handle(downloadList, async ({ body, ...context }) => sendList(body, context)),
  handle(downloadAudit, async ({ query, ...context }) => sendAuditWorkbook(query, context)),
  handle(downloadActivity, async ({ query, ...context }) => sendActivityWorkbook(query, context)),
  handle(listDownloads, async ({ context }) => listDownloadLog(context.db)),
]
