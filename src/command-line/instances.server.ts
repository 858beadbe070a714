import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

import { getErrorReason, StartupError } from '../platform/server/startup-errors.ts'

/** A server on this machine, run by the unit `homeroom@PORT.service`. */
interface Instance {
  readonly unit: string
  readonly port: number
}

const MAX_START_MS = 120_000
/** Longer than the time for which nginx avoids a server that has refused a connection (fail_timeout in deploy/nginx.conf). */
const SETTLE_MS = 6000

const systemctl = (...args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync('systemctl', args, { encoding: 'utf8' })
  if (error) throw new StartupError(`systemctl cannot be run: ${getErrorReason(error)}`)
  if (status !== 0) throw new StartupError(`"systemctl ${args.join(' ')}" failed: ${stderr.trim()}`)
  return stdout
}

/** The running servers, ordered by port. */
const listInstances = (): Instance[] =>
  systemctl('list-units', '--type=service', '--plain', '--no-legend', 'homeroom@*')
    .split('\n')
    .flatMap((line) => {
      const [unit = '', , state] = line.trim().split(/\s+/)
      const port = Number(/^homeroom@(\d+)\.service$/.exec(unit)?.[1])
      return Number.isInteger(port) && state === 'active' ? [{ unit, port }] : []
    })
    .toSorted((a, b) => a.port - b.port)

const isReady = (port: number, host: string): Promise<boolean> =>
  fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const restart = async ({ unit, port }: Instance, host: string, writeLine: (line: string) => void): Promise<void> => {
  const began = Date.now()
  systemctl('restart', unit)
  while (!(await isReady(port, host))) {
    if (Date.now() - began > MAX_START_MS) throw new StartupError(`${unit} is not ready after two minutes; see "journalctl -u ${unit}"`)
    await pause(200)
  }
  writeLine(`Restarted ${unit}: ready after ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

/**
 * Restarts the servers one after the other, so that one of them is always available. If one does not become ready, runs `undo` and restarts those
 * already restarted.
 */
export const restartInstances = async (
  environment: NodeJS.ProcessEnv,
  writeLine: (line: string) => void,
  undo: () => void = () => {},
): Promise<void> => {
  const { HOST = '127.0.0.1' } = environment
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST
  const instances = listInstances()
  if (instances.length === 0) writeLine('No server runs; start one with "systemctl enable --now homeroom@3000"')
  if (instances.length === 1) writeLine(`Only ${instances[0]?.unit} runs: no server answers while it restarts`)
  const restarted: Instance[] = []
  for (const instance of instances) {
    if (restarted.length > 0) await pause(SETTLE_MS)
    restarted.push(instance)
    try {
      await restart(instance, host, writeLine)
    } catch (error) {
      undo()
      for (const one of restarted) await restart(one, host, writeLine).catch((again: unknown) => writeLine(getErrorReason(again)))
      throw error
    }
  }
}
