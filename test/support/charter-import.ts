import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll } from 'vitest'

import { setActor } from '../../src/database/connection.server.ts'
import { importCharters } from '../../src/records/directory-import/charter-import.server.ts'
import { openDirectoryFile } from '../../src/records/directory-import/directory-file.server.ts'
import type { Outcome } from '../../src/records/directory-import/outcome.ts'
import type { ImportOptions, ImportListener } from '../../src/records/directory-import/process-file.server.ts'
import { startApp, type TestApp } from './app.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

/** The default header, for tests that write only rows. */
export const HEADER = 'NCES_ID,SCHOOL_NAME,STATUS,STREET,CITY,STATE,ZIP,PHONE,COUNTY,GRADES,LATITUDE,LONGITUDE'

interface ImportFileOptions extends Partial<Omit<ImportOptions, 'file' | 'path'>> {
  /** The file name. */
  readonly name?: string
  readonly listener?: Partial<ImportListener>
}

/** Imports files into a server of this test file, and reads the results. */
export const createImporter = async () => {
  const folder = await createTemporaryFolder()
  afterAll(() => removeFolder(folder))
  const app: TestApp = await startApp()
  const { db } = app.context
  let files = 0

  /** Imports a file with this content, or with these rows under the usual header. */
  const importing = async (content: string | Uint8Array | readonly string[], fileOptions: ImportFileOptions = {}): Promise<Outcome> => {
    const { name = `directory-${++files}.csv`, listener, ...options } = fileOptions
    const path = join(folder, name)
    await writeFile(path, typeof content === 'string' || content instanceof Uint8Array ? content : `${[HEADER, ...content].join('\n')}\n`)
    return importCharters(
      db,
      { file: await openDirectoryFile(path), path, dryRun: false, mappings: [], report: undefined, ...options },
      { onPlanned: () => {}, onRead: () => {}, onWritten: () => {}, onWaiting: () => {}, throwIfStopped: () => {}, ...listener },
    )
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
