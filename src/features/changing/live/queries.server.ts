import type { FastifyInstance } from 'fastify'

import type { AppContext } from '../../../platform/server/app-context.ts'
import { getLiveFeed } from './feed.server.ts'

/** The number of open streams of this server. */
export const countStreams = (context: AppContext): number => getLiveFeed(context).streams.size

/** Ends the streams when the server stops, which would otherwise wait for them. */
export const mountLive = (app: FastifyInstance, context: AppContext): void => {
  app.addHook('preClose', async () => getLiveFeed(context).close())
}
