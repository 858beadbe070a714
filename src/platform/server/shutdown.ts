import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

interface ShutdownOptions {
  /** How long a balancer is given to notice that `/readyz` says no. */
  readonly drainMs: number
  /** How long answers under way, downloads among them, may take. */
  readonly finishMs: number
  /** Skips the drain, as when someone presses Ctrl-C. */
  readonly skipDrain: AbortSignal
}

const SWEEP_MS = 200

/** Stops serving in order: says so, continues for a while, listens no more, answers what has been asked, and cuts what takes too long. */
export const shutDown = async (app: FastifyInstance, { drainMs, finishMs, skipDrain }: ShutdownOptions): Promise<void> => {
  app.stopSoon()
  if (drainMs > 0) await pause(drainMs, undefined, { signal: skipDrain }).catch(() => undefined)
  // A connection that was kept alive when its answer began is idle only after it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => app.server.closeAllConnections(), finishMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}
