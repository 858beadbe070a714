import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

interface ShutdownOptions {
  /** How long a load balancer gets to notice that `/readyz` fails. */
  readonly drainMs: number
  /** How long responses in progress may take, including downloads. */
  readonly finishMs: number
  /** Skips the drain, as when someone presses Ctrl-C. */
  readonly skipDrain: AbortSignal
}

const SWEEP_MS = 200

/**
 * Shuts down in order: reports "not ready", keeps serving for a while, stops listening, finishes requests in progress, and aborts those that take too
 * long.
 */
export const shutDown = async (app: FastifyInstance, { drainMs, finishMs, skipDrain }: ShutdownOptions): Promise<void> => {
  app.stopSoon()
  if (drainMs > 0) await pause(drainMs, undefined, { signal: skipDrain }).catch(() => undefined)
  // A keep-alive connection becomes idle only when its response has ended.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => app.server.closeAllConnections(), finishMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}
