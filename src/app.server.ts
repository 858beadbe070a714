import type { FastifyInstance } from 'fastify'

import { calls } from './calls.ts'
import { scheduleCleanup } from './cleanup.server.ts'
import { createSessionService } from './features/access/session/session.server.ts'
import { addressMails } from './features/changing/requests/queries.server.ts'
import { closeHrSource } from './features/exchange/hr/source.server.ts'
import { createDefectHandler } from './features/operations/error-log/mutations.server.ts'
import { createMetrics } from './metrics.server.ts'
import type { AppContext } from './platform/server/app-context.ts'
import { type ServerOptions, createServer } from './platform/server/create-server.ts'
import { DiskWatch } from './platform/server/disk.ts'
import { ListCache } from './platform/server/list-cache.ts'
import { MailQueue } from './platform/server/mail/queue.ts'
import type { RetryPolicy } from './platform/server/mail/store.ts'
import { routes } from './routes.server.ts'

/** What is there before anything is furnished. */
type AppDependencies = Pick<AppContext, 'configuration' | 'db' | 'pool' | 'log'>

/** A house on an open database; `patience` is how its mails wait for their next try, where not as usual. */
export const createAppContext = (foundation: AppDependencies, patience?: RetryPolicy): AppContext => ({
  ...foundation,
  lists: new ListCache(foundation),
  mail: new MailQueue(foundation, patience),
  disk: new DiskWatch(foundation),
})

/** The whole server of a house: every feature's calls, answered by their handlers, behind the session feature's guard. */
export const buildApp = async (context: AppContext, wishes: Pick<ServerOptions, 'checkResponses'> = {}): Promise<FastifyInstance> => {
  const { authenticate, mount } = await createSessionService(context)
  return createServer({
    context,
    calls,
    routes,
    authenticate,
    mount: async (app) => {
      await mount(app)
      scheduleCleanup(app, context)
      app.addHook('onClose', () => closeHrSource(context))
    },
    onDefect: createDefectHandler(context),
    metrics: createMetrics(context),
    ...wishes,
  })
}

/** Begins to send the mails of a house; where it only serves the web app, another server does. */
export const startMail = async (context: AppContext): Promise<void> => {
  const { serve } = context.configuration
  if (serve.has('app') || serve.has('locations')) await context.mail.start(() => addressMails(context))
}
