import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { type RunningProgram, startProgram } from './server-process.ts'

/** A server in a separate process with its own data folder, which a proof can kill and start. */
export interface RestartableServer {
  readonly url: string
  /** Starts the program and waits until `/readyz` returns 200; returns the milliseconds from process start. */
  readonly start: () => Promise<number>
  /** Starts the program without waiting for it. */
  readonly spawn: () => RunningProgram
  /** `kill -9` of only the program; its private database keeps running. */
  readonly kill: () => Promise<void>
  /** Finds the process of the private database, for when its folder can no longer be read. */
  readonly locateDatabase: () => Promise<void>
  /** `kill -9` of the private database: its first process and all its children. */
  readonly killDatabase: () => Promise<void>
  /** Waits until `/readyz` returns 200; returns the milliseconds it took. */
  readonly waitUntilReady: () => Promise<number>
  readonly isRunning: () => boolean
  /** Stops everything still running in order. */
  readonly stop: () => Promise<void>
}

const TIMEOUT_MS = 120_000
const LAST_WORDS = 3000

export const createRestartableServer = (environment: Record<string, string> & { readonly PORT: string }): RestartableServer => {
  const url = `http://127.0.0.1:${environment.PORT}`
  let program: RunningProgram | undefined
  let since = 0
  const isRunning = (): boolean => program !== undefined && program.child.exitCode === null && program.child.signalCode === null
  const spawn = (): RunningProgram => {
    since = performance.now()
    program = startProgram(process.execPath, ['src/main.server.ts'], { SERVE: 'app,locations', LOG_LEVEL: 'fatal', ...environment })
    return program
  }
  const waitUntilReady = async (): Promise<number> => {
    const from = performance.now()
    while (performance.now() - from < TIMEOUT_MS) {
      if (!isRunning()) throw new Error(`The server has ended: ${program?.output().slice(-LAST_WORDS)}`)
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.status === 200) return performance.now() - from
      await pause(20)
    }
    throw new Error(`The server is not ready after ${TIMEOUT_MS / 1000} s: ${program?.output().slice(-LAST_WORDS)}`)
  }
  let database: { readonly pid: number; readonly cluster: string } | undefined
  const locateDatabase = async (): Promise<void> => {
    const dataDir = environment['DATA_DIR'] ?? ''
    const cluster = await readFile(join(dataDir, 'postgres.location'), 'utf8').then(
      (text) => text.trim(),
      () => join(dataDir, 'postgres'),
    )
    const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
    if (pid > 0) database = { pid, cluster }
  }
  /** The number in the file may belong to another program by now. */
  const databaseProcesses = async (): Promise<number[]> => {
    if (database === undefined) return []
    const { pid, cluster } = database
    const isIt = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(cluster)
    return isIt ? [pid, ...(await childrenOf(pid))] : []
  }
  const killDatabase = async (): Promise<void> => {
    await locateDatabase()
    for (const pid of await databaseProcesses()) kill(pid)
  }
  return {
    url,
    spawn,
    waitUntilReady,
    isRunning,
    start: async () => {
      spawn()
      await waitUntilReady()
      return performance.now() - since
    },
    kill: async () => {
      program?.child.kill('SIGKILL')
      await program?.ended
    },
    locateDatabase,
    killDatabase,
    stop: async () => {
      if (isRunning()) program?.child.kill('SIGTERM')
      await program?.ended
      await killDatabase()
    },
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has already exited
  }
}

/** Linux reports the parent of every process. */
const childrenOf = async (parent: number): Promise<number[]> => {
  const found: number[] = []
  for (const name of await readdir('/proc').catch((): string[] => [])) {
    if (!/^\d+$/.test(name)) continue
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    if (line.slice(line.lastIndexOf(')') + 2).split(' ')[1] === String(parent)) found.push(Number(name))
  }
  return found
}
