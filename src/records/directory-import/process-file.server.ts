import type { Queryable, Tx } from '../../database/connection.server.ts'
import type { FileRow } from '../../platform/server/delimited.ts'
import { readTarget, processBatch } from './batch.server.ts'
import { CsvReport, toRefusedCells, toRefusedHeader } from './csv-report.server.ts'
import { type DirectoryFile, isBlankRow, padCells } from './directory-file.server.ts'
import { ImportError } from './import-error.ts'
import type { Mapping } from './import-header.ts'
import { type Outcome, OutcomeCounter } from './outcome.ts'
import type { Header, SchoolField } from './school-fields.ts'
import { parseSchoolRow, type ParsedRow, type School } from './school.ts'

export interface ImportOptions {
  readonly file: DirectoryFile
  /** The path of `file`, which the report must not overwrite. */
  readonly path: string
  readonly dryRun: boolean
  readonly brand?: string | undefined
  /** For rows whose state is not one of the five with a region. */
  readonly region?: string | undefined
  readonly mappings: readonly Mapping<SchoolField>[]
  /** Undefined in a dry run without --report. */
  readonly report: { readonly path: string; readonly always: boolean } | undefined
}

export interface ImportListener {
  /** Called before anything is written. */
  onPlanned(outcome: Outcome): void | Promise<void>
  onRead(rows: number): void
  onWritten(rows: number, of: number): void
  onWaiting(): void
  /** Throws if the import was stopped; nothing has been written then. */
  throwIfStopped(): void
}

const BATCH_SIZE = 500
/** The limit of rows, whose ids are in memory; the largest directory of schools has a fifth. */
const MAX_ROWS = 500_000

/** Processes the file without writing anything except the report of refused rows. */
export const planFile = async (db: Queryable, header: Header, options: ImportOptions, listener: ImportListener): Promise<Outcome> => {
  const report = options.report && new CsvReport(options.report.path, toRefusedHeader(header.cells))
  try {
    if (options.report?.always) await report?.open()
    return await processFile(db, header, options, listener, { report })
  } finally {
    await report?.close()
  }
}

interface ReadRow {
  readonly line: number
  readonly school: School
  readonly row: FileRow
}

interface PassOptions {
  readonly report?: CsvReport | undefined
  /** The transaction to write in; without one the file is only compared. */
  readonly write?: Tx
  readonly of?: number
}

/** Processes the file once, in batches. */
export const processFile = async (
  db: Queryable,
  header: Header,
  options: ImportOptions,
  listener: ImportListener,
  passOptions: PassOptions,
): Promise<Outcome> => {
  const outcome = new OutcomeCounter(header)
  const target = await readTarget(db, options.brand, options.region)
  const lines = new Map<string, number>()
  let batch: ReadRow[] = []
  const flush = async (): Promise<void> => {
    listener.throwIfStopped()
    await processBatch(db, batch, target, outcome, passOptions.write, ({ row, school }, reason) =>
      refuse(row, school.directory_id, [reason]),
    )
    batch = []
    if (passOptions.write) listener.onWritten(outcome.validRows, passOptions.of ?? 0)
    else listener.onRead(outcome.rows)
  }
  const refuse = async (row: FileRow, id: string, reasons: readonly string[]): Promise<void> => {
    outcome.addRefusal(row.line, id, reasons)
    await passOptions.report?.add(toRefusedCells({ line: row.line, id, reasons, cells: row.cells }))
  }

  for await (const row of options.file.rows()) {
    if (row.line <= header.line || isBlankRow(row)) continue
    if (++outcome.rows > MAX_ROWS)
      throw new ImportError(`The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows: import it in parts`)
    const cells = padCells(options.file, row, header)
    const read: ParsedRow =
      row.error === undefined ? parseSchoolRow(cells, header, target.regionName) : { is: 'refused', id: '', reasons: [row.error] }
    if (read.is === 'left out') {
      outcome.skipped++
    } else if (read.is === 'refused') {
      await refuse(row, read.id, read.reasons)
    } else {
      const id = read.school.directory_id
      const firstLine = lines.get(id)
      if (firstLine === undefined) {
        lines.set(id, row.line)
        batch.push({ line: row.line, school: read.school, row })
      } else {
        await refuse(row, id, [`The directory ID is already in line ${firstLine}`])
      }
    }
    if (batch.length === BATCH_SIZE) await flush()
  }
  await flush()
  return outcome
}
