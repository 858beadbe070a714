import type { FastifyReply } from 'fastify'

import { readFirst } from '../../platform/server/read-first.ts'
import { type DownloadContext, sendFile, sendFileHead } from '../../platform/server/send-file.ts'
import { WORKBOOK_TYPE, writeWorkbook } from '../../platform/server/workbook-writer.ts'
import type { ExportKind } from './contract.ts'
import { openWorkbookRows } from './queries.server.ts'
import { getFileName } from './rules.ts'
import { type WorkbookColumn, WORKBOOKS } from './workbooks.ts'

const MIN_WIDTH = 12
const MAX_HEADER_WIDTH = 34
const WIDTHS: Readonly<Record<WorkbookColumn['holds'], number>> = { text: 22, day: 13, 'yes or no': 13, status: 22 }
const LONG_WIDTH = 48
/** Leaves room for the header and its filter button. */
const getColumnWidth = ({ header, holds, long }: WorkbookColumn): number =>
  Math.max(long ? LONG_WIDTH : WIDTHS[holds], MIN_WIDTH, Math.min(header.length + 4, MAX_HEADER_WIDTH))

/** Streams a workbook; `onRows` counts the rows of its first sheet. */
const streamWorkbook = async (
  { read }: Awaited<ReturnType<typeof openWorkbookRows>>,
  kind: ExportKind,
  onRows: (rows: number) => void,
): Promise<AsyncGenerator<Buffer>> => {
  const sheets = WORKBOOKS[kind].map((sheet) => ({ sheet, batches: read(sheet) }))
  const main = sheets[0] && (await readFirst(sheets[0].batches))
  async function* countRows(batches: ReturnType<typeof read>) {
    for await (const batch of batches) {
      onRows(batch.length)
      yield batch
    }
  }
  return writeWorkbook(
    sheets.map(({ sheet, batches }, at) => ({
      name: sheet.name,
      columns: sheet.columns.map((column) => ({
        header: column.header,
        kind: column.holds === 'day' ? ('day' as const) : ('text' as const),
        width: getColumnWidth(column),
      })),
      batches: at === 0 && main ? countRows(main) : batches,
    })),
  )
}

/** Streams a workbook and logs the download. */
export const sendWorkbook = async (kind: ExportKind, caller: DownloadContext): Promise<FastifyReply> => {
  const { context, user, request, reply } = caller
  const name = getFileName(kind, new Date(), context.configuration.timeZone)
  if (request.method === 'HEAD') return sendFileHead(reply, WORKBOOK_TYPE, name)
  return sendFile(caller, async () => {
    const source = await openWorkbookRows(context, user, kind)
    try {
      let rows = 0
      const chunks = await streamWorkbook(source, kind, (more) => (rows += more))
      return { kind, name, type: WORKBOOK_TYPE, chunks, rows: () => rows, close: source.close }
    } catch (error) {
      source.close()
      throw error
    }
  })
}
