import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyBaseLogger } from 'fastify'

/**
 * Work that every server repeats while it runs, one run at a time. What has to happen once for all servers, or at a certain time, is stored in the
 * database: a run claims what is due there, so that nothing is lost while no server runs.
 */
export interface Job {
  /** The pause before the first run; none by default. */
  readonly firstMs?: number
  /** The pause after a run. */
  readonly everyMs: number
  /** The pause after a failed run, if it is another one. */
  readonly retryMs?: number
  /** A long run ends early once the server is stopping. */
  readonly run: (stopping: AbortSignal) => Promise<unknown>
  /** The line of the log for a failed run; none if runs log their own failures. */
  readonly failure?: string
  readonly failureLevel?: 'warn' | 'error'
}

export interface RunningJob {
  /** Runs it now, or again if a run is in progress; after a failure it waits nevertheless. */
  readonly wake: () => void
  /** Waits for the run in progress, up to a limit. */
  readonly stop: () => Promise<void>
}

/** A run that takes longer when the server stops loses its database connection, and is repeated after the next start. */
const STOP_MS = 30_000

export const startJob = (
  log: FastifyBaseLogger,
  { firstMs = 0, everyMs, retryMs = everyMs, run, failure, failureLevel = 'warn' }: Job,
): RunningJob => {
  const stopping = new AbortController()
  let wakeUp = new AbortController()
  let isAbandoned = false
  const rest = (ms: number, { signal }: AbortController): Promise<void> =>
    pause(ms, undefined, { ref: false, signal }).catch(() => undefined)

  const repeat = async (): Promise<void> => {
    await rest(firstMs, wakeUp)
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController()
      try {
        await run(stopping.signal)
        await rest(everyMs, wakeUp)
      } catch (error) {
        if (failure !== undefined && !isAbandoned) log[failureLevel]({ err: error }, failure)
        await rest(retryMs, stopping)
      }
    }
  }
  const running = repeat()
  return {
    wake: () => wakeUp.abort(),
    stop: async () => {
      stopping.abort()
      wakeUp.abort()
      await Promise.race([running, pause(STOP_MS, undefined, { ref: false })])
      isAbandoned = true
    },
  }
}
