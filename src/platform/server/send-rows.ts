import type { FastifyReply } from 'fastify'

import { getListFileName } from '../../contract/file-names.ts'
import { readFirst } from './read-first.ts'
import { type DownloadContext, sendFile, sendFileHead } from './send-file.ts'
import { WORKBOOK_TYPE, writeWorkbook, type CellValue, type SheetColumn } from './workbook-writer.ts'

interface RowColumn<Row> extends SheetColumn {
  readonly toCell: (row: Row, timeZone: string) => CellValue
}

export const textColumn = <Row>(header: string, width: number, toCell: RowColumn<Row>['toCell']): RowColumn<Row> => ({
  header,
  kind: 'text',
  width,
  toCell,
})

/** A workbook of one sheet, whose rows are read in batches. */
interface RowWorkbook<Row> {
  readonly title: string
  readonly columns: readonly RowColumn<Row>[]
  readonly filter: object
  /** Called before anything is read. */
  readonly prepare: () => Promise<unknown>
  readonly readRows: () => AsyncGenerator<readonly Row[]>
}

/** The entry in the download log: the workbook and its filters. */
const formatKind = (title: string, filter: object): string =>
  [title, ...Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))].join(', ')

/** Sends rows as a workbook and logs the download. */
export const sendRows = async <Row>(
  { title, columns, filter, prepare, readRows }: RowWorkbook<Row>,
  caller: DownloadContext,
): Promise<FastifyReply> => {
  const { timeZone } = caller.context.configuration
  const name = getListFileName(title, 'xlsx', new Date(), timeZone)
  if (caller.request.method === 'HEAD') return sendFileHead(caller.reply, WORKBOOK_TYPE, name)
  await prepare()
  return sendFile(caller, async () => {
    let count = 0
    const batches = await readFirst(readRows())
    async function* toCells() {
      for await (const rows of batches) {
        count += rows.length
        yield rows.map((row) => columns.map(({ toCell }) => toCell(row, timeZone)))
      }
    }
    const chunks = writeWorkbook([{ name: title, columns, batches: toCells() }])
    return { kind: formatKind(title, filter), name, type: WORKBOOK_TYPE, chunks, rows: () => count, close: () => {} }
  })
}
