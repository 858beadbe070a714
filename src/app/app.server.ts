import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'

import { mountScim } from '../features/access/provisioning/scim.server.ts'
import { createSessionService } from '../features/access/session/session.server.ts'
import { mountLive } from '../features/changing/live/queries.server.ts'
import { assignRecipients } from '../features/changing/requests/mutations.server.ts'
import { getDeadlineIndex } from '../features/deadlines/deadlines/deadline-index.server.ts'
import { mountAddressBooks } from '../features/exchange/address-books/carddav.server.ts'
import { mountMcp } from '../features/exchange/assistants/mcp.server.ts'
import { mountOAuth } from '../features/exchange/assistants/oauth.server.ts'
import { getSearchEngine } from '../features/finding/search/live-engine.server.ts'
import { createDefectHandler } from '../features/operations/error-log/mutations.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import { createAsOf } from '../platform/server/as-of.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { type ServerOptions, createServer } from '../platform/server/create-server.ts'
import type { OpenedDatabase } from '../platform/server/database.ts'
import { DiskWatch } from '../platform/server/disk.ts'
import { MAX_CONCURRENT_SAVES } from '../platform/server/edit-transaction.ts'
import type { Authenticate } from '../platform/server/handler.ts'
import { getInProcessCaller } from '../platform/server/in-process.ts'
import { ListCache } from '../platform/server/list-cache.ts'
import { MailQueue } from '../platform/server/mail/queue.ts'
import type { RetryPolicy } from '../platform/server/mail/store.ts'
import { Organization } from '../platform/server/organization.ts'
import { ReadModel } from '../platform/server/read-model/read-model.ts'
import { RecordCache } from '../platform/server/record-cache.ts'
import { SaveQueue } from '../platform/server/save-queue.ts'
import { Semaphore } from '../platform/server/semaphore.ts'
import { importer } from '../records/directory-import/importer.server.ts'
import { findEmployeesIfAvailable } from '../records/hr/queries.server.ts'
import { closeHrSource } from '../records/hr/source.server.ts'
import { getAddressBooks } from './address-books/books.server.ts'
import { createGetToolbox } from './assistants/toolbox.server.ts'
import { listRecordIds } from './exports/queries.server.ts'
import { kindPlans, recordKinds } from './kinds.server.ts'
import { createMetrics } from './metrics.server.ts'
import { routes } from './routes.server.ts'

/** Dependencies that outlive the app. */
type AppDependencies = Pick<AppContext, 'configuration' | 'db' | 'pool' | 'log'>

/** Creates the context of all handlers; `retryPolicy` overrides when failed mails are retried. */
export const createAppContext = (dependencies: AppDependencies, retryPolicy?: RetryPolicy, now = () => new Date()): AppContext => {
  const readModel = new ReadModel(dependencies.pool)
  const lists = new ListCache(readModel)
  const context: AppContext = {
    ...dependencies,
    readModel,
    lists,
    records: new RecordCache(readModel),
    kinds: recordKinds,
    plans: kindPlans,
    importer,
    listRecordIds,
    findEmployees: findEmployeesIfAvailable,
    saveSlots: new Semaphore(MAX_CONCURRENT_SAVES),
    saves: new SaveQueue(dependencies.pool),
    now,
    mail: new MailQueue(dependencies, retryPolicy),
    organization: new Organization({ ...dependencies, lists }),
    disk: new DiskWatch(dependencies),
    asOf: (day) => asOf(day),
  }
  const asOf = createAsOf(context)
  return context
}

/** The same for a command, which serves no requests and logs nothing. */
export const createCommandContext = (configuration: Configuration, { db, pool }: OpenedDatabase): AppContext =>
  createAppContext({ configuration, db, pool, log: pino({ enabled: false }) })

/** Builds the Fastify app: every feature's routes, authenticated by the session feature. */
export const buildApp = async (context: AppContext, options: Pick<ServerOptions, 'checkResponses'> = {}): Promise<FastifyInstance> => {
  const { authenticate: authenticateSession, mount } = await createSessionService(context)
  const authenticate: Authenticate = (request, call) => getInProcessCaller() ?? authenticateSession(request, call)
  return createServer({
    context,
    routes,
    authenticate,
    mount: async (app) => {
      await mount(app)
      await mountScim(app, context)
      await mountAddressBooks(app, context, getAddressBooks(context))
      mountLive(app, context)
      await mountOAuth(app, context)
      mountMcp(app, context, { authenticate, getToolbox: createGetToolbox(context) })
      app.addHook('onClose', () => closeHrSource(context))
    },
    onDefect: createDefectHandler(context),
    metrics: createMetrics(context),
    ...options,
  })
}

/** Loads the records into memory, builds the search index and extracts deadlines from text, before the first requests. */
export const warmUp = (context: AppContext): void =>
  void getSearchEngine(context.readModel)
    .prepare()
    .then(() => getDeadlineIndex(context))
    .catch((error: unknown) => context.log.warn({ err: error }, 'The records could not be read into memory'))

/** Starts the mail queue, unless this server only serves the web app. */
export const startMail = (context: AppContext): void => {
  const { serve } = context.configuration
  if (serve.has('app') || serve.has('locations')) context.mail.start(() => assignRecipients(context))
}
