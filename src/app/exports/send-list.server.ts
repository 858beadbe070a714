import type { FastifyReply } from 'fastify'

import { formatMomentDay } from '../../contract/dates.ts'
import { getListFileName } from '../../contract/file-names.ts'
import { getArchivedView } from '../../platform/server/archived-view.ts'
import { type DownloadContext, sendFile } from '../../platform/server/send-file.ts'
import { LOOKS_LIKE_FORMULA, WORKBOOK_TYPE, writeWorkbook } from '../../platform/server/workbook-writer.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'
import { readListRows, type ListRows } from './list-rows.server.ts'
import { withListSource } from './list-sources.server.ts'
import { formatListKind } from './rules.ts'

const CSV_TYPE = 'text/csv; charset=utf-8'
/** Tells Excel that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const NUMBER = /^-?\d+(\.\d+)?$/

/** A CSV cell (RFC 4180), quoted where necessary. An apostrophe before formulas prevents spreadsheets from running them. */
export const formatCsvCell = (text: string, isNumber: boolean): string => {
  const isFormula = LOOKS_LIKE_FORMULA.test(text) && !(isNumber && NUMBER.test(text))
  const escaped = isFormula ? `'${text}` : text
  return isFormula || /[",\r\n]|^\s|\s$/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

const BATCH_SIZE = 200
async function* inBatches<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < rows.length; at += BATCH_SIZE) yield rows.slice(at, at + BATCH_SIZE)
}

async function* writeCsv({ columns, rows }: ListRows): AsyncGenerator<Buffer> {
  const toLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
  yield Buffer.from(`${BYTE_ORDER_MARK}${toLine(columns.map(({ label }) => formatCsvCell(label, false)))}`)
  for await (const batch of inBatches(rows))
    yield Buffer.from(
      batch.map((cells) => toLine(columns.map(({ kind: holds }, at) => formatCsvCell(cells[at] ?? '', holds === 'number')))).join(''),
    )
}

const MIN_WIDTH = 12
const MAX_WIDTH = 60
/** Rows measured for the width of a column. */
const MEASURED_ROWS = 100
const INVALID_SHEET_NAME_CHARACTERS = /[\\/?*[\]:]/g

const writeListWorkbook = (title: string, { columns, rows }: ListRows): AsyncGenerator<Buffer> =>
  writeWorkbook([
    {
      name: title.replace(INVALID_SHEET_NAME_CHARACTERS, ' ').trim() || 'List',
      columns: columns.map(({ label, kind: holds }, at) => ({
        header: label,
        kind: holds,
        width: Math.min(
          MAX_WIDTH,
          rows
            .slice(0, MEASURED_ROWS)
            .reduce((most, cells) => Math.max(most, (cells[at]?.length ?? 0) + 2), Math.max(MIN_WIDTH, label.length + 4)),
        ),
      })),
      batches: inBatches(rows),
    },
  ])

/** Sends a list as a file and logs the download. */
export const sendList = (request: ListRequest, caller: DownloadContext): Promise<FastifyReply> =>
  sendFile(caller, async () => {
    const { configuration, before } = caller.context
    const { timeZone } = configuration
    const { readModel } = request.archived ? await getArchivedView(caller.context) : caller.context
    const { title, read } = await withListSource(readModel, request, timeZone, (source) => ({
      title: source.title,
      read: () => readListRows(source, request, timeZone),
    }))
    const rows = await read()
    // The last moment of a past day.
    const day = before && new Date(before.getTime() - 1)
    return {
      kind: `${formatListKind(title, request)}${day ? `, as of ${formatMomentDay(day, timeZone)}` : ''}`,
      name: getListFileName(title, request.format, day ?? new Date(), timeZone),
      type: request.format === 'csv' ? CSV_TYPE : WORKBOOK_TYPE,
      chunks: request.format === 'csv' ? writeCsv(rows) : writeListWorkbook(title, rows),
      rows: () => rows.rows.length,
      close: () => {},
    }
  })
