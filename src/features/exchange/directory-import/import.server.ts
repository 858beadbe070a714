import { type Db, setActor, type Tx } from '../../../database/connection.server.ts'
import { type Header, headerMistake, readHeader } from './fields.ts'
import { ImportMistake } from './mistake.ts'
import type { Outcome } from './outcome.ts'
import { type ImportWishes, type Listener, pass, reportedPass } from './pass.server.ts'
import { isSameFile } from './report.server.ts'
import { importerOf } from './school.ts'
import { oneAtATime } from './turn.server.ts'

/** Rows a header is looked for in; some directories begin with a title and a date. */
const HEADER_WITHIN = 20
/** Imports a school directory: all rows that can be read in one transaction, or none. A dry run writes nothing. */
export const importCharters = async (db: Db, wishes: ImportWishes, listener: Listener): Promise<Outcome> => {
  if (wishes.report && (await isSameFile(wishes.report.path, wishes.path))) {
    throw new ImportMistake('The report would overwrite the file that is imported; name another with --report')
  }
  const header = await findHeader(wishes)
  if (!(await hasRows(wishes, header))) throw new ImportMistake(`${wishes.path} has a header and no rows`)
  if (wishes.dryRun) {
    const outcome = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => reportedPass(tx, header, wishes, listener))
    await listener.planned(outcome)
    return outcome
  }

  return oneAtATime(db, { waiting: () => listener.waiting() }, (tx, isFirst) => planAndWrite(tx, header, wishes, listener, isFirst))
}

const planAndWrite = async (tx: Tx, header: Header, wishes: ImportWishes, listener: Listener, first: boolean): Promise<Outcome> => {
  const planned = await reportedPass(tx, header, wishes, listener)
  if (first) await listener.planned(planned)
  if (planned.rowsToWrite === 0) return planned
  await setActor(tx, { account: null, name: importerOf(wishes.file.name) })
  const written = await pass(tx, header, wishes, listener, { write: tx, of: planned.rowsTaken })
  await wishes.file.checkUnchanged()
  return written
}

/** The header: the first row that names an id and a name; where none does, the fullest of the first rows says what is missing. */
const findHeader = async ({ file, path, mappings, region }: ImportWishes): Promise<Header> => {
  const filled = (header: Header): number => Object.keys(header.columns).length
  let best: Header | undefined
  let seen = 0
  for await (const row of file.rows()) {
    const header = readHeader(row.line, row.cells, mappings)
    const fits = header.columns.directory_id !== undefined && header.columns.name !== undefined
    if (fits || (header.cells.length > 0 && (best === undefined || filled(header) > filled(best)))) best = header
    if (fits || ++seen === HEADER_WITHIN) break
  }
  if (best === undefined) throw new ImportMistake(`${path} is empty`)
  const mistake = headerMistake(best, mappings, region !== undefined)
  if (mistake !== undefined) throw new ImportMistake(`${path} cannot be imported: ${mistake}`)
  return best
}

const hasRows = async ({ file }: ImportWishes, header: Header): Promise<boolean> => {
  for await (const row of file.rows()) if (row.line > header.line && row.cells.some((cell) => cell.trim() !== '')) return true
  return false
}
