import type { FastifyInstance } from 'fastify'

import type { WhoIs } from '../../../platform/server/handler.ts'
import type { House } from '../../../platform/server/house.ts'
import { forgetUnusedTokens, renewDirectoryTokens } from './directory-tokens.server.ts'
import { mountLocalProvider } from './local-provider.server.ts'
import { deleteOld } from './queries.server.ts'
import { whoIs } from './who-is.server.ts'

const UPKEEP_EVERY = 60_000

/** What the platform needs of sign-in: who sends a request, and what is mounted beside the calls. */
export const makeSession = async (house: House): Promise<{ whoIs: WhoIs; mount: (app: FastifyInstance) => Promise<void> }> => ({
  whoIs: whoIs(house),
  mount: async (app) => {
    if (!house.configuration.serve.has('app')) return
    keepUp(app, house)
    if (house.configuration.oidc === undefined) await mountLocalProvider(app, house)
  },
})

/** Renews and clears away every minute while the server runs; one round at a time, and a round that fails waits for the next. */
const keepUp = (app: FastifyInstance, house: House): void => {
  let round: Promise<void> | undefined
  const timer = setInterval(() => {
    round ??= upkeep(house)
      .catch((error: unknown) => house.log.warn({ err: error }, 'The upkeep of sessions failed'))
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
export const upkeep = async (house: House): Promise<void> => {
  await renewDirectoryTokens(house)
  await deleteOld(house.db, house.configuration)
  await forgetUnusedTokens(house)
}
