import { spawnSync } from 'node:child_process'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'
import { afterEach, beforeEach, expect } from 'vitest'

import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { getFreePort } from '../support/free-port.ts'
import { type RunningProgram, startProgram } from '../support/server-process.ts'
import { createDataFolder } from '../support/temporary-folder.ts'

// `npm start` in this checkout, with separate data for each test.

export let folder: string
export let environment: Record<string, string>
/** The programs of the test; those still running are stopped after it. */
export const started: RunningProgram[] = []

beforeEach(async () => {
  folder = await createDataFolder()
  environment = { PORT: String(await getFreePort()), DATA_DIR: join(folder, 'data'), SAMPLE: '3' }
})
afterEach(async () => {
  for (const program of started.splice(0)) await stop(program)
  await rm(folder, { recursive: true, force: true })
})

export const npmStart = (more: Record<string, string> = {}): RunningProgram => {
  const program = startProgram('npm', ['start', '--silent'], { ...environment, ...more }, { group: true })
  started.push(program)
  return program
}
/** Ctrl C: the terminal signals npm and all its children at once. */
const ctrlC = ({ child }: RunningProgram): void => {
  if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGINT')
}
export const stop = async (program: RunningProgram): Promise<void> => {
  ctrlC(program)
  await program.ended
}
export const ready = async (program: RunningProgram): Promise<string> => (await program.waitForLine(/^Ready: (http:\/\/\S+)$/m))[1] ?? ''

/** The command lines of all processes that use this test's data folder. */
export const processesOnData = (): string[] =>
  spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(folder) && !line.startsWith('Z'))
export const postmaster = async (): Promise<string | undefined> =>
  (await readFile(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]
/** Finds the server's process by the data folder in its environment, which Linux exposes. */
export const serverProcess = async (): Promise<number> => {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const [program = '', ...words] = (await read('cmdline')).split('\0')
    if (program.endsWith('node') && words.includes('src/main.server.ts') && (await read('environ')).includes(`DATA_DIR=${folder}`))
      return Number(pid)
  }
  throw new Error('There is no server process')
}

/** Queries the private database while others use it. */
export const onDatabase = async <T extends object>(statement: string): Promise<T[]> => {
  const database = await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {} })
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query<T>(statement)
  await client.end()
  await database.stop()
  return rows
}

/** The expected end of a start that fails: this line, and exit code 1. */
export const expectRefusal = async (program: RunningProgram, line: RegExp): Promise<void> => {
  const { code } = await program.ended
  const lines = program.errors().trim().split('\n')
  expect(lines).toEqual([expect.stringMatching(line)])
  expect(code).toBe(1)
}
