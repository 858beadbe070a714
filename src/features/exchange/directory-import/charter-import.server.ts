import { type Db, setActor, type Tx } from '../../../database/connection.server.ts'
import { type Header, findHeaderError, parseHeader } from './fields.ts'
import { ImportError } from './import-error.ts'
import { withImportLock } from './import-lock.server.ts'
import type { Outcome } from './outcome.ts'
import { type ImportOptions, type ImportListener, processFile, planFile } from './process-file.server.ts'
import { recordImport } from './record-import.server.ts'
import { isSameFile } from './refused-rows-report.server.ts'
import { getImportActor } from './school.ts'

/** The number of rows searched for the header; some directories begin with a title and a date. */
const MAX_HEADER_ROWS = 20
/** Imports a school directory: all readable rows in one transaction, or none. A dry run writes nothing. */
export const importCharters = async (db: Db, options: ImportOptions, listener: ImportListener): Promise<Outcome> => {
  if (options.report && (await isSameFile(options.report.path, options.path))) {
    throw new ImportError('The report would overwrite the file that is imported; name another with --report')
  }
  const header = await findHeader(options)
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

/** The header: the first row that names an id and a name; without one, the fullest of the first rows is used to report what is missing. */
const findHeader = async ({ file, path, mappings, region }: ImportOptions): Promise<Header> => {
  const filled = (header: Header): number => Object.keys(header.columns).length
  let best: Header | undefined
  let seen = 0
  for await (const row of file.rows()) {
    const header = parseHeader(row.line, row.cells, mappings)
    const fits = header.columns.directory_id !== undefined && header.columns.name !== undefined
    if (fits || (header.cells.length > 0 && (best === undefined || filled(header) > filled(best)))) best = header
    if (fits || ++seen === MAX_HEADER_ROWS) break
  }
  if (best === undefined) throw new ImportError(`${path} is empty`)
  const mistake = findHeaderError(best, mappings, region !== undefined)
  if (mistake !== undefined) throw new ImportError(`${path} cannot be imported: ${mistake}`)
  return best
}

const hasRows = async ({ file }: ImportOptions, header: Header): Promise<boolean> => {
  for await (const row of file.rows()) if (row.line > header.line && row.cells.some((cell) => cell.trim() !== '')) return true
  return false
}
