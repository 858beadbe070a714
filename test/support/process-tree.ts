import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux reports the parent of every process. */
const getParent = (pid: string): number | undefined => {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

/** Sends a signal to a process and its children: each server process of PostgreSQL leads its own process group. */
export const signalProcessTree = (pid: number, signal: NodeJS.Signals): void => {
  const names = existsSync('/proc') ? readdirSync('/proc') : []
  const children = names.filter((name) => /^\d+$/.test(name) && getParent(name) === pid)
  for (const each of [pid, ...children.map(Number)]) {
    try {
      process.kill(each, signal)
    } catch {
      // it has already exited
    }
  }
}
