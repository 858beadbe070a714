import type { FastifyRequest } from 'fastify'

import { getListFileName } from '../../../contract/file-names.ts'
import { isRestricted } from '../../../contract/records.ts'
import { getSheetTitle, type SheetKind } from '../../../contract/sheets.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { recordAffairRead, recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'
import { type DownloadContext, type GeneratedFile, sendFile, sendFileHead } from '../../../platform/server/send-file.ts'
import { getUploadName } from '../../../platform/server/upload.ts'
import { WORKBOOK_TYPE } from '../../../platform/server/workbook-writer.ts'
import { applyPreview, stopSaving } from './apply.server.ts'
import { chooseColumns } from './columns.server.ts'
import {
  applySheet,
  downloadSheet,
  downloadSheetOfRecords,
  downloadSheetPreview,
  previewSheet,
  readSheetPreview,
  readSheetProgress,
  stopSheet,
} from './contract.ts'
import { oneAtATime, writeSheetFile } from './file-worker.server.ts'
import { buildLeftFile } from './imports/left-file.server.ts'
import { findKeys, listKeys } from './list-keys.server.ts'
import { buildMarkedFile } from './marked-file.server.ts'
import { comparePreview } from './preview.server.ts'
import { findPreview, findProgress, getSheetKind, insertPreview, readPreview, readPreviewFile } from './stored-preview.server.ts'
import { buildSheet } from './template.server.ts'

export const sheetRoutes: Route[] = [
  handle(downloadSheet, ({ params, query, ...caller }) =>
    sendSheet(caller, params.kind, query.columns, () => listKeys(caller.context, params.kind, query)),
  ),
  handle(downloadSheetOfRecords, ({ params, body, ...caller }) =>
    sendSheet(caller, params.kind, body.columns, () => findKeys(caller.context, params.kind, body.ids)),
  ),
  handle(previewSheet, async ({ params, query, file, user, context, edit, request }) => {
    const kind = getSheetKind(context, user, params.kind)
    const fileName = getUploadName(file) ?? getSheetTitle(params.kind)
    const _id = await oneAtATime(async () => {
      const preview = await comparePreview(context, kind, params.kind, file, query.pasted === 'true')
      await recordPreview(context, request, kind, params.kind)
      return edit((tx) => insertPreview(tx, context, user, params.kind, { fileName, file }, preview))
    })
    return readPreview(context, user, _id)
  }),
  handle(readSheetPreview, async ({ params, user, context, request }) => {
    const preview = await readPreview(context, user, params.id)
    await recordPreview(context, request, getSheetKind(context, user, preview.kind), preview.kind)
    return preview
  }),
  handle(applySheet, async ({ params, body, user, context, edit, request }) =>
    edit(async (tx) => {
      const { file, ...result } = await applyPreview(tx, context, user, params.id, body)
      if (result.changeset) {
        const after = { what: 'sheet', file, records: result.changed, created: result.created }
        await recordAudit(tx, request, { kind: 'changeset.saved', record: result.changeset._id, after })
      }
      return result
    }),
  ),
  handle(readSheetProgress, async ({ params, user, context }) => findProgress(context, user, params.id)),
  handle(stopSheet, async ({ params, user, context }) => stopSaving(context, user, params.id)),
  handle(downloadSheetPreview, async ({ params, query, ...caller }) => {
    const { context, user, request, reply } = caller
    const stored = await findPreview(context.db, context, user, params.id)
    getSheetKind(context, user, stored.kind)
    const title = getSheetTitle(stored.kind)
    const name = `${stored.fileName.replace(/\.\w{1,5}$/, '')} - ${query.rows === 'left' ? 'left out' : 'with errors'}.xlsx`
    if (request.method === 'HEAD') return sendFileHead(reply, WORKBOOK_TYPE, name)
    return sendFile(caller, async () => {
      const { bytes, rows } = await oneAtATime(async () => {
        const marked = stored.isImport
          ? await buildLeftFile(context, user, stored)
          : await buildMarkedFile(context, stored, await readPreviewFile(context, stored._id), query.rows)
        return { bytes: await writeSheetFile(marked.workbook), rows: marked.rows }
      })
      return toGeneratedFile(`Sheet: ${title}, as it was uploaded`, name, bytes, rows)
    })
  }),
]

/** Sends the workbook of a kind with the records that `list` gives. */
const sendSheet = async (caller: DownloadContext, sheet: SheetKind, paths: string | undefined, list: () => Promise<string[]>) => {
  const { context, user, request, reply } = caller
  const kind = getSheetKind(context, user, sheet)
  const title = getSheetTitle(sheet)
  const name = getListFileName(`${title} to edit`, 'xlsx', context.now(), context.configuration.timeZone)
  if (request.method === 'HEAD') return sendFileHead(reply, WORKBOOK_TYPE, name)
  return sendFile(caller, async () => {
    const keys = await list()
    const columns = chooseColumns(context, sheet, paths)
    const bytes = await writeSheetFile(await buildSheet(context, kind, sheet, keys, columns))
    return toGeneratedFile(`Sheet: ${title}`, name, bytes, keys.length)
  })
}

/** Records the read of charter affairs, because a preview shows stored values. */
const recordPreview = async (
  context: AppContext,
  request: FastifyRequest,
  { kind }: EditableRecordKind,
  sheet: SheetKind,
): Promise<void> => {
  if (isRestricted(kind)) await recordAffairRead(context, request, `preview of the sheet ${getSheetTitle(sheet)}`)
}

const toGeneratedFile = (kind: string, name: string, bytes: Uint8Array, rows: number): GeneratedFile => ({
  kind,
  name,
  type: WORKBOOK_TYPE,
  chunks: toChunks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  rows: () => rows,
  close: () => {},
})

const CHUNK_BYTES = 65_536
async function* toChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}
