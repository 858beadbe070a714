import { setImmediate } from 'node:timers/promises'

import type { FastifyReply } from 'fastify'

import { LOOKS_LIKE_FORMULA, WORKBOOK_TYPE, writeWorkbook } from '../../platform/server/workbook-writing.ts'
import type { ListToWrite } from './contract.ts'
import { type Caller, sendFile } from './file-sending.server.ts'
import { listFileNameOf, listKindOf } from './rules.ts'

const CSV_TYPE = 'text/csv; charset=utf-8'
/** Tells Excel that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const NUMBER = /^-?\d+(\.\d+)?$/

const rowsOf = ({ rows }: ListToWrite): string[][] => (rows === '' ? [] : rows.split('\n').map((line) => line.split('\t')))

/** A cell of a CSV (RFC 4180): quoted where it has to be; what a spreadsheet would compute has an apostrophe before it (D30). */
const csvCell = (text: string, isNumber: boolean): string => {
  const guarded = LOOKS_LIKE_FORMULA.test(text) && !(isNumber && NUMBER.test(text))
  const shown = guarded ? `'${text}` : text
  return guarded || /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

/** Rows that are written before others have their turn. */
const CSV_AT_ONCE = 2000

const csvOf = async ({ columns }: ListToWrite, rows: readonly string[][]): Promise<Buffer> => {
  const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
  const pieces = [Buffer.from(`${BYTE_ORDER_MARK}${lineOf(columns.map(({ label }) => csvCell(label, false)))}`)]
  for (let from = 0; from < rows.length; from += CSV_AT_ONCE) {
    const lines = rows
      .slice(from, from + CSV_AT_ONCE)
      .map((cells) => lineOf(columns.map(({ holds }, at) => csvCell(cells[at] ?? '', holds === 'number'))))
    pieces.push(Buffer.from(lines.join('')))
    await setImmediate()
  }
  return Buffer.concat(pieces)
}

const NARROWEST = 12
const WIDEST = 60
const AT_ONCE = 100
/** What a sheet may not be called. */
const NOT_IN_A_NAME = /[\\/?*[\]:]/g

const workbookOf = async (body: ListToWrite, rows: readonly string[][]): Promise<Buffer> => {
  const columns = body.columns.map(({ label, holds }, at) => ({
    header: label,
    kind: holds,
    width: Math.min(
      WIDEST,
      rows.slice(0, AT_ONCE).reduce((most, cells) => Math.max(most, (cells[at]?.length ?? 0) + 2), Math.max(NARROWEST, label.length + 4)),
    ),
  }))
  async function* batches() {
    for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
  }
  const name = body.list.replace(NOT_IN_A_NAME, ' ').trim() || 'List'
  return Buffer.concat(await Array.fromAsync(writeWorkbook([{ name, columns, batches: batches() }])))
}

/** Sends a list as a file, and notes who took it. */
export const sendList = (body: ListToWrite, caller: Caller): Promise<FastifyReply> =>
  sendFile(caller, async () => {
    const rows = rowsOf(body)
    const bytes = await (body.format === 'csv' ? csvOf(body, rows) : workbookOf(body, rows))
    return {
      kind: listKindOf(body.list, body.format),
      name: listFileNameOf(body.list, body.format, new Date(), caller.house.configuration.timeZone),
      type: body.format === 'csv' ? CSV_TYPE : WORKBOOK_TYPE,
      pieces: (async function* () {
        yield bytes
      })(),
      rows: () => rows.length,
      close: () => {},
    }
  })
