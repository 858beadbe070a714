import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { readTarget, processBatch } from './batch.server.ts'
import type { FileRow } from './delimited.ts'
import type { DirectoryFile } from './directory-file.server.ts'
import type { Header, Mapping } from './fields.ts'
import { type Outcome, OutcomeCounter } from './outcome.ts'
import { RefusedRowsReport } from './refused-rows-report.server.ts'
import { parseSchoolRow, type ParsedRow, type School } from './school.ts'

export interface ImportOptions {
  readonly file: DirectoryFile
  /** Where `file` is, so that the report does not take its place. */
  readonly path: string
  readonly dryRun: boolean
  readonly brand?: string | undefined
  /** For rows whose state is none of the five (D50). */
  readonly region?: string | undefined
  readonly mappings: readonly Mapping[]
  /** Where refused rows go; nowhere in a dry run that names no report. */
  readonly report: { readonly path: string; readonly always: boolean } | undefined
}

/** What an import tells while it runs. */
export interface ImportListener {
  /** What would be added, changed, left and refused; nothing is written yet. */
  onPlanned(outcome: Outcome): void | Promise<void>
  onRead(rows: number): void
  onWritten(rows: number, of: number): void
  onWaiting(): void
  /** Throws where the import is to stop now; nothing will have been written. */
  throwIfStopped(): void
}

const BATCH_SIZE = 500

/** A pass that writes nothing but the report of refused rows. */
export const planFile = async (db: Queryable, header: Header, wishes: ImportOptions, listener: ImportListener): Promise<Outcome> => {
  const report = wishes.report && new RefusedRowsReport(wishes.report.path, header.cells)
  try {
    if (wishes.report?.always) await report?.open()
    return await processFile(db, header, wishes, listener, { report })
  } finally {
    await report?.close()
  }
}

interface PassOptions {
  readonly report?: RefusedRowsReport | undefined
  /** The transaction to write in; a pass without one only finds out what there is to do. */
  readonly write?: Tx
  readonly of?: number
}

/** Goes through the file once, in batches. */
export const processFile = async (
  db: Queryable,
  header: Header,
  wishes: ImportOptions,
  listener: ImportListener,
  doing: PassOptions,
): Promise<Outcome> => {
  const outcome = new OutcomeCounter(header)
  const network = await readTarget(db, wishes.brand, wishes.region)
  const lines = new Map<string, number>()
  let batch: { line: number; school: School }[] = []
  const flush = async (): Promise<void> => {
    listener.throwIfStopped()
    await processBatch(db, batch, network, outcome, doing.write)
    batch = []
    if (doing.write) listener.onWritten(outcome.validRows, doing.of ?? 0)
    else listener.onRead(outcome.rows)
  }
  const refuse = async (row: FileRow, id: string, reasons: readonly string[]): Promise<void> => {
    outcome.addRefusal(row.line, id, reasons)
    await doing.report?.add({ line: row.line, id, reasons, cells: row.cells })
  }

  for await (const row of wishes.file.rows()) {
    if (row.line <= header.line || (row.cells.every((cell) => cell.trim() === '') && row.error === undefined)) continue
    outcome.rows++
    const cells = wishes.file.isRagged ? padCells(row.cells, header.cells.length) : row.cells
    const read: ParsedRow =
      row.error === undefined ? parseSchoolRow(cells, header, network.regionName) : { is: 'refused', id: '', reasons: [row.error] }
    if (read.is === 'left out') {
      outcome.skipped++
    } else if (read.is === 'refused') {
      await refuse(row, read.id, read.reasons)
    } else {
      const id = read.school.directory_id
      const before = lines.get(id)
      if (before === undefined) {
        lines.set(id, row.line)
        batch.push({ line: row.line, school: read.school })
      } else {
        await refuse(row, id, [`The directory ID is already in line ${before}`])
      }
    }
    if (batch.length === BATCH_SIZE) await flush()
  }
  await flush()
  return outcome
}

const padCells = (cells: readonly string[], length: number): readonly string[] =>
  cells.length < length ? [...cells, ...Array.from({ length: length - cells.length }, () => '')] : cells
