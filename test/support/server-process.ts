import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** A started program, its output so far, and how it ended. */
export interface RunningProgram {
  readonly child: ChildProcess
  readonly output: () => string
  /** Its stderr output. */
  readonly errors: () => string
  /** Waits for a line; fails with all output if the program ends without it. */
  readonly waitForLine: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a program in the checkout (or elsewhere) with these variables on top of a clean environment. */
export const startProgram = (
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  { cwd = REPOSITORY, group = false }: { cwd?: string; group?: boolean } = {},
): RunningProgram => {
  const child = spawn(program, args, { cwd, env: cleanEnvironment(environment), stdio: ['ignore', 'pipe', 'pipe'], detached: group })
  let text = ''
  const waiting = new Set<() => void>()
  const add = (chunk: Buffer): void => {
    text += chunk.toString()
    for (const look of waiting) look()
  }
  let errors = ''
  child.stdout.on('data', add)
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
    add(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code as number | null, signal: signal as NodeJS.Signals | null }))
  return {
    child,
    output: () => text,
    errors: () => errors,
    ended,
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(text)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${text}`)))
      }),
  }
}

/** Homeroom as `npm start` runs it, with the same variables and flags. */
export const startHomeroom = (environment: Record<string, string>): RunningProgram => {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [before = '', after = ''] = scripts.start.split('node ')
  const variables = before.split(' ').flatMap((word) => (word.includes('=') ? [word.split('=') as [string, string]] : []))
  return startProgram(process.execPath, after.split(' '), { ...Object.fromEntries(variables), ...environment })
}

/** The environment that a started program inherits: no variables of Homeroom or npm. */
const cleanEnvironment = (environment: Record<string, string>): Record<string, string> => {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, LANG: 'C.UTF-8', ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...environment }
}
