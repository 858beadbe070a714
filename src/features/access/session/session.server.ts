import type { FastifyInstance } from 'fastify'

import type { AppContext } from '../../../platform/server/app-context.ts'
import type { Authenticate } from '../../../platform/server/handler.ts'
import { createAuthenticate } from './authenticate.server.ts'
import { deleteUnusedTokens, renewDirectoryTokens } from './directory-tokens.server.ts'
import { mountLocalProvider } from './local-provider.server.ts'
import { deleteExpired } from './mutations.server.ts'

const CLEANUP_INTERVAL_MS = 60_000

export const createSessionService = async (
  context: AppContext,
): Promise<{ authenticate: Authenticate; mount: (app: FastifyInstance) => Promise<void> }> => ({
  authenticate: createAuthenticate(context),
  mount: async (app) => {
    if (!context.configuration.serve.has('app')) return
    scheduleCleanup(app, context)
    if (context.configuration.oidc === undefined) await mountLocalProvider(app, context)
  },
})

/** Runs the maintenance every minute while the server runs, one run at a time. A failed run is repeated by the next. */
const scheduleCleanup = (app: FastifyInstance, context: AppContext): void => {
  let run: Promise<void> | undefined
  const timer = setInterval(() => {
    run ??= maintainSessions(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'Session maintenance failed'))
      .finally(() => {
        run = undefined
      })
  }, CLEANUP_INTERVAL_MS)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await run
  })
}

/** Renews directory tokens that are due and deletes what has expired. */
export const maintainSessions = async (context: AppContext): Promise<void> => {
  await renewDirectoryTokens(context)
  await deleteExpired(context.db, context.configuration)
  await deleteUnusedTokens(context)
}
