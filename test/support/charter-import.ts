import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll } from 'vitest'

import { setActor } from '../../src/database/connection.server.ts'
import { formatOutcome, type Outcome, toRefused } from '../../src/features/changing/sheets/imports/command-report.server.ts'
import { importFile, type ImportListener, parseArguments } from '../../src/features/changing/sheets/imports/command.server.ts'
import { startApp, type TestApp } from './app.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

/** The default header, for tests that write only rows. */
export const HEADER = 'NCES_ID,SCHOOL_NAME,STATUS,STREET,CITY,STATE,ZIP,PHONE,COUNTY,GRADES,LATITUDE,LONGITUDE'

interface ImportFileOptions {
  /** The file name. */
  readonly name?: string
  readonly kind?: 'charters' | 'staff' | 'employees'
  /** Further arguments, such as `--dry-run`. */
  readonly args?: readonly string[]
  readonly report?: string
  readonly listener?: Partial<ImportListener>
}

/** What a test reads of an outcome. */
const summarize = (outcome: Outcome) => {
  const { rows, compared, gone, state, kept } = outcome
  const cells = (wanted: string) =>
    compared.rows.flatMap((row) => row.cells.filter((cell) => cell.state === wanted).map((cell) => ({ row, cell })))
  const refused = toRefused(outcome)
  return {
    added: rows.filter(({ record }) => record === null).length,
    changed: rows.filter(({ record }) => record !== null).length,
    refused: refused.map(({ line, cells: own }) => [line, ...own.flatMap(({ message }) => message ?? [])]),
    kept: cells('conflict').map(({ cell: { column, present, after } }) => [column.path, present, after]),
    unchanged: compared.known + compared.added - rows.length - refused.length,
    gone: gone.map(({ _id }) => _id),
    keptPeople: kept,
    columns: Object.fromEntries(state.columns.map(({ header, field }) => [header, field])),
    lines: formatOutcome(outcome, { done: false }),
  }
}

/** Imports files into a server of this test file, and reads the results. */
export const createImporter = async () => {
  const folder = await createTemporaryFolder()
  afterAll(() => removeFolder(folder))
  const app: TestApp = await startApp()
  const { db } = app.context
  let files = 0

  /** Imports a file with this content, or with these rows under the usual header. */
  const importing = async (content: string | Uint8Array | readonly string[], options: ImportFileOptions = {}) => {
    const { name = `directory-${++files}.csv`, kind = 'charters', args = [], report, listener } = options
    const path = join(folder, name)
    const bytes = Buffer.from(
      typeof content === 'string' || content instanceof Uint8Array ? content : `${[HEADER, ...content].join('\n')}\n`,
    )
    await writeFile(path, bytes)
    const command = parseArguments([kind, path, ...args, ...(report === undefined ? [] : ['--report', report])])
    const quiet = { onPlanned: () => {}, onWritten: () => {}, onWaiting: () => {}, throwIfStopped: () => {} }
    return summarize(await importFile(app.context, { command, path, bytes, report }, { ...quiet, ...listener }))
  }

  /** The stored records for a directory id: the charter, its site and that site's facility. */
  const stored = async (id: string) => {
    const charter = await db.selectFrom('charter').selectAll().where('directory_id', '=', id).executeTakeFirstOrThrow()
    const sites = await db.selectFrom('site').selectAll().where('charter', '=', charter._id).execute()
    const [site] = sites
    if (site === undefined || sites.length > 1) throw new Error(`${id} has ${sites.length} sites`)
    const facility = await db.selectFrom('facility').selectAll().where('site', '=', site._id).executeTakeFirstOrThrow()
    return { charter, site, facility }
  }

  /** The number of rows in the change history, to verify that nothing was written. */
  const historyLength = async (): Promise<number> => {
    const { count } = await db
      .selectFrom('change')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  /** Changes a site as a user with an account would. */
  const editSite = async (_id: string, values: { phone?: string | null; region?: string }): Promise<void> => {
    const who = await app.as(6).who()
    await db.transaction().execute(async (tx) => {
      await setActor(tx, { account: who.account, name: 'An Administrator' })
      await tx.updateTable('site').set(values).where('_id', '=', _id).execute()
    })
  }

  return { ...app, folder, importing, stored, historyLength, editSite }
}
