import type { FastifyReply } from 'fastify'

import { LOOKS_LIKE_FORMULA, WORKBOOK_TYPE, writeWorkbook } from '../../../platform/server/workbook-writer.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'
import { type Caller, sendFile } from './file-sending.server.ts'
import { listRows, type ListRows } from './list-rows.server.ts'
import { withListSource } from './list-sources.server.ts'
import { listFileNameOf, listKindOf } from './rules.ts'
import { openSnapshot } from './snapshot.server.ts'

const CSV_TYPE = 'text/csv; charset=utf-8'
/** Tells Excel that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const NUMBER = /^-?\d+(\.\d+)?$/

/** A cell of a CSV (RFC 4180): quoted where it has to be; what a spreadsheet would compute has an apostrophe before it. */
export const csvCell = (text: string, isNumber: boolean): string => {
  const guarded = LOOKS_LIKE_FORMULA.test(text) && !(isNumber && NUMBER.test(text))
  const shown = guarded ? `'${text}` : text
  return guarded || /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

/** Rows that are written in one go. */
const AT_ONCE = 200
async function* inBatches<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
}

async function* csvOf({ columns, rows }: ListRows): AsyncGenerator<Buffer> {
  const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
  yield Buffer.from(`${BYTE_ORDER_MARK}${lineOf(columns.map(({ label }) => csvCell(label, false)))}`)
  for await (const batch of inBatches(rows))
    yield Buffer.from(batch.map((cells) => lineOf(columns.map(({ holds }, at) => csvCell(cells[at] ?? '', holds === 'number')))).join(''))
}

const NARROWEST = 12
const WIDEST = 60
/** Rows that say how wide a column has to be. */
const MEASURED = 100
/** What a sheet may not be called. */
const NOT_IN_A_NAME = /[\\/?*[\]:]/g

const workbookOf = (title: string, { columns, rows }: ListRows): AsyncGenerator<Buffer> =>
  writeWorkbook([
    {
      name: title.replace(NOT_IN_A_NAME, ' ').trim() || 'List',
      columns: columns.map(({ label, holds }, at) => ({
        header: label,
        kind: holds,
        width: Math.min(
          WIDEST,
          rows
            .slice(0, MEASURED)
            .reduce((most, cells) => Math.max(most, (cells[at]?.length ?? 0) + 2), Math.max(NARROWEST, label.length + 4)),
        ),
      })),
      batches: inBatches(rows),
    },
  ])

/** Sends a list as a file, and notes who took what of it. */
export const sendList = (request: ListRequest, caller: Caller): Promise<FastifyReply> =>
  sendFile(caller, async () => {
    const { db, pool, configuration } = caller.context
    const { timeZone } = configuration
    const { title, read } = await withListSource(db, request, timeZone, (source) => ({
      title: source.title,
      read: async () => {
        const snapshot = await openSnapshot({ db, pool })
        try {
          return await listRows(source, request, snapshot, timeZone)
        } finally {
          snapshot.close()
        }
      },
    }))
    const rows = await read()
    return {
      kind: listKindOf(title, request),
      name: listFileNameOf(title, request.format, new Date(), timeZone),
      type: request.format === 'csv' ? CSV_TYPE : WORKBOOK_TYPE,
      pieces: request.format === 'csv' ? csvOf(rows) : workbookOf(title, rows),
      rows: () => rows.rows.length,
      close: () => {},
    }
  })
