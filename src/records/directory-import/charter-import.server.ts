import { type Db, setActor, type Tx } from '../../database/connection.server.ts'
import { assertReportIsOtherFile } from './csv-report.server.ts'
import { findHeader } from './directory-file.server.ts'
import { ImportError } from './import-error.ts'
import { withImportLock } from './import-lock.server.ts'
import type { Outcome } from './outcome.ts'
import { type ImportOptions, type ImportListener, processFile, planFile } from './process-file.server.ts'
import { recordImport } from './record-import.server.ts'
import { type Header, findHeaderError, parseHeader } from './school-fields.ts'
import { getImportActor } from './school.ts'

/** Imports a school directory: all readable rows in one transaction, or none. A dry run writes nothing. */
export const importCharters = async (db: Db, options: ImportOptions, listener: ImportListener): Promise<Outcome> => {
  await assertReportIsOtherFile(options)
  const header = await findHeader(options, {
    parse: (line, cells) => parseHeader(line, cells, options.mappings),
    isHeader: ({ columns }) => columns.directory_id !== undefined && columns.name !== undefined,
    findError: (found) => findHeaderError(found, options.mappings, options.region !== undefined),
  })
  if (!(await hasRows(options, header))) throw new ImportError(`${options.path} has a header and no rows`)
  if (options.dryRun) {
    const outcome = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => planFile(tx, header, options, listener))
    await listener.onPlanned(outcome)
    return outcome
  }

  return withImportLock(db, listener, (tx, isFirst) => planAndWrite(tx, header, options, listener, isFirst))
}

const planAndWrite = async (tx: Tx, header: Header, options: ImportOptions, listener: ImportListener, first: boolean): Promise<Outcome> => {
  const planned = await planFile(tx, header, options, listener)
  if (first) await listener.onPlanned(planned)
  if (planned.rowsToWrite === 0) return planned
  await setActor(tx, { account: null, name: getImportActor(options.file.name) })
  const written = await processFile(tx, header, options, listener, { write: tx, of: planned.validRows })
  await options.file.assertUnchanged()
  const { rows, added, changed, refusals } = written
  await recordImport(tx, {
    what: 'charters',
    file: options.file.name,
    rows,
    added: added.rows,
    changed: changed.rows,
    refused: refusals.rows,
  })
  return written
}

const hasRows = async ({ file }: ImportOptions, header: Header): Promise<boolean> => {
  for await (const row of file.rows()) if (row.line > header.line && row.cells.some((cell) => cell.trim() !== '')) return true
  return false
}
