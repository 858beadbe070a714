import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'

import { buildApp, createAppContext } from '../../src/app/app.server.ts'
import { openDatabase } from '../../src/database/connection.server.ts'
import { migrate } from '../../src/database/migrate.server.ts'
import type { AppContext } from '../../src/platform/server/app-context.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { followChanges } from '../../src/platform/server/database-changes.ts'
import { startDatabase, type TestDatabase } from './database.ts'
import { type Factories, factories } from './factories.ts'
import { getFreePort } from './free-port.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

/** A server in this process on an empty database, listening on loopback. */
export interface AppWithDatabase extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly context: AppContext
  readonly make: Factories
  readonly database: TestDatabase
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a server whose handlers, rows and routes a proof can inspect; `beside` is another one whose database it shares. */
export const startAppWithDatabase = async (
  environment: Record<string, string> = {},
  beside?: AppWithDatabase,
): Promise<AppWithDatabase> => {
  const folder = await createTemporaryFolder()
  const database = beside?.database ?? (await startDatabase())
  const port = await getFreePort()
  const configuration = readConfiguration({ PORT: String(port), SAMPLE: 'none', DATA_DIR: join(folder, 'data'), ...environment })
  const { db, pool } = openDatabase(database.connection, 8)
  await migrate(db)
  const context = createAppContext({ configuration, db, pool, log: pino({ level: 'silent' }) })
  const feed = await followChanges(context, database.connection)
  const app = await buildApp(context, { checkResponses: true })
  await app.listen({ host: '127.0.0.1', port })
  const stop = async (): Promise<void> => {
    await app.close()
    await feed.stop()
    await pool.end()
    if (!beside) await database.stop()
    await removeFolder(folder)
  }
  return { app, context, make: factories(context), database, url: `http://127.0.0.1:${port}`, stop, [Symbol.asyncDispose]: stop }
}
