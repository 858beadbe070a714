import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'

import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { createDataFolder, removeFolder } from '../support/temporary-folder.ts'

// `homeroom import` as a program, with one data folder for all tests of a file.

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const folder = await createDataFolder()
export const dataDir = join(folder, 'data')
export const files = join(folder, 'my files')
export const HEADER = 'NCES_ID,SCHOOL_NAME,STATUS,CITY,STATE'
afterAll(() => removeFolder(folder))
beforeAll(async () => {
  await mkdir(files)
  await writeFile(join(files, 'two.csv'), `${HEADER}\n01,First School,Open,Fresno,CA\n02,Second School,Open,Reno,NV\n`)
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the import like npm, called from the folder with the files. `during` receives the output so far. */
export const runImport = (
  words: readonly string[],
  environment: Record<string, string> = {},
  during?: (printed: string, child: ChildProcess) => void,
) =>
  new Promise<Ended>((resolve) => {
    const { DATABASE_URL: _, ...inherited } = process.env
    const child = spawn(process.execPath, ['scripts/homeroom.mjs', 'import', ...words], {
      cwd: CHECKOUT,
      env: { ...inherited, DATA_DIR: dataDir, INIT_CWD: files, npm_lifecycle_event: 'import', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString()
      during?.(out, child)
    })
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })

/** Starts the private database while `work` uses it. */
export const withDatabase = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const own = await startPrivateDatabase({ dataDir, as: 'server', writeLine: () => {} })
  const client = new pg.Client(own.connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await own.stop()
  }
}
export const listCharterIds = (like = '%') =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>('select directory_id as id from charter where directory_id like $1 order by 1', [
      like,
    ])
    return rows.map(({ id }) => id)
  })
export const isDatabaseRunning = async (): Promise<boolean> => (await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid')
