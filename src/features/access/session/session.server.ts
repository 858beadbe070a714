import type { FastifyInstance } from 'fastify'

import type { AppContext } from '../../../platform/server/app-context.ts'
import type { Authenticate } from '../../../platform/server/handler.ts'
import { createAuthenticate } from './authenticate.server.ts'
import { deleteUnusedTokens, renewDirectoryTokens } from './directory-tokens.server.ts'
import { mountLocalProvider } from './local-provider.server.ts'
import { deleteExpired } from './mutations.server.ts'

export const createSessionService = async (
  context: AppContext,
): Promise<{ authenticate: Authenticate; mount: (app: FastifyInstance) => Promise<void> }> => ({
  authenticate: createAuthenticate(context),
  mount: async (app) => {
    if (!context.configuration.serve.has('app')) return
    if (context.configuration.oidc === undefined) await mountLocalProvider(app, context)
  },
})

/** Renews directory tokens that are due and deletes what has expired. */
export const maintainSessions = async (context: AppContext): Promise<void> => {
  await renewDirectoryTokens(context)
  await deleteExpired(context.db, context.configuration)
  await deleteUnusedTokens(context)
}
