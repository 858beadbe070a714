import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { readNetwork, takeBatch } from './batch.server.ts'
import type { FileRow } from './delimited.ts'
import type { Header, Mapping } from './fields.ts'
import type { DirectoryFile } from './file.server.ts'
import { type Outcome, OutcomeSoFar } from './outcome.ts'
import { Report } from './report.server.ts'
import { readRow, type RowRead, type School } from './school.ts'

export interface ImportWishes {
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
export interface Listener {
  /** What would be added, changed, left and refused; nothing is written yet. */
  planned(outcome: Outcome): void | Promise<void>
  read(rows: number): void
  written(rows: number, of: number): void
  waiting(): void
  /** Throws where the import is to stop now; nothing will have been written. */
  checkStop(): void
}

const BATCH = 500

/** A pass that writes nothing but the report of refused rows. */
export const reportedPass = async (db: Queryable, header: Header, wishes: ImportWishes, listener: Listener): Promise<Outcome> => {
  const report = wishes.report && new Report(wishes.report.path, header.cells)
  try {
    if (wishes.report?.always) await report?.open()
    return await pass(db, header, wishes, listener, { report })
  } finally {
    await report?.close()
  }
}

interface Doing {
  readonly report?: Report | undefined
  /** The transaction to write in; a pass without one only finds out what there is to do. */
  readonly write?: Tx
  readonly of?: number
}

/** Goes through the file once, in batches. */
export const pass = async (db: Queryable, header: Header, wishes: ImportWishes, listener: Listener, doing: Doing): Promise<Outcome> => {
  const outcome = new OutcomeSoFar(header)
  const network = await readNetwork(db, wishes.brand, wishes.region)
  const lines = new Map<string, number>()
  let batch: { line: number; school: School }[] = []
  const flush = async (): Promise<void> => {
    listener.checkStop()
    await takeBatch(db, batch, network, outcome, doing.write)
    batch = []
    if (doing.write) listener.written(outcome.rowsTaken, doing.of ?? 0)
    else listener.read(outcome.rows)
  }
  const refuse = async (row: FileRow, id: string, reasons: readonly string[]): Promise<void> => {
    outcome.refused(row.line, id, reasons)
    await doing.report?.add({ line: row.line, id, reasons, cells: row.cells })
  }

  for await (const row of wishes.file.rows()) {
    if (row.line <= header.line || (row.cells.every((cell) => cell.trim() === '') && row.mistake === undefined)) continue
    outcome.rows++
    const cells = wishes.file.ragged ? padded(row.cells, header.cells.length) : row.cells
    const read: RowRead =
      row.mistake === undefined ? readRow(cells, header, network.regionName) : { is: 'refused', id: '', reasons: [row.mistake] }
    if (read.is === 'left out') {
      outcome.leftOut++
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
    if (batch.length === BATCH) await flush()
  }
  await flush()
  return outcome
}

const padded = (cells: readonly string[], length: number): readonly string[] =>
  cells.length < length ? [...cells, ...Array.from({ length: length - cells.length }, () => '')] : cells
