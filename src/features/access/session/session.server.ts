import type { FastifyInstance } from 'fastify'

import type { AppContext } from '../../../platform/server/app-context.ts'
import type { Authenticate } from '../../../platform/server/handler.ts'
import { createAuthenticate } from './authenticate.server.ts'
import { forgetUnusedTokens, renewDirectoryTokens } from './directory-tokens.server.ts'
import { mountLocalProvider } from './local-provider.server.ts'
import { deleteOld } from './queries.server.ts'

const UPKEEP_EVERY = 60_000

/** What the platform needs of sign-in: who sends a request, and what is mounted beside the calls. */
export const makeSession = async (
  context: AppContext,
): Promise<{ authenticate: Authenticate; mount: (app: FastifyInstance) => Promise<void> }> => ({
  authenticate: createAuthenticate(context),
  mount: async (app) => {
    if (!context.configuration.serve.has('app')) return
    keepUp(app, context)
    if (context.configuration.oidc === undefined) await mountLocalProvider(app, context)
  },
})

/** Renews and clears away every minute while the server runs; one round at a time, and a round that fails waits for the next. */
const keepUp = (app: FastifyInstance, context: AppContext): void => {
  let round: Promise<void> | undefined
  const timer = setInterval(() => {
    round ??= upkeep(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'The upkeep of sessions failed'))
      .finally(() => {
        round = undefined
      })
  }, UPKEEP_EVERY)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await round
  })
}

/** The hourly renewal (D9), and an end to what can never be used again. */
export const upkeep = async (context: AppContext): Promise<void> => {
  await renewDirectoryTokens(context)
  await deleteOld(context.db, context.configuration)
  await forgetUnusedTokens(context)
}
