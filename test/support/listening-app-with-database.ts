import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'

import { buildApp, createAppContext } from '../../src/app.server.ts'
import { openDatabase } from '../../src/database/connection.server.ts'
import { migrate } from '../../src/database/migrate.server.ts'
import type { AppContext } from '../../src/platform/server/app-context.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { followChanges } from '../../src/platform/server/database-changes.ts'
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { type Factories, factories } from './factories.ts'
import { getFreePort } from './free-port.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

/** A server in this process on an empty database, listening on loopback. */
export interface AppWithDatabase {
  readonly app: FastifyInstance
  readonly context: AppContext
  readonly make: Factories
  readonly connection: pg.PoolConfig
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a server whose handlers, rows and routes a proof can inspect; `beside` is another one whose database it shares. */
export const startAppWithDatabase = async (
  environment: Record<string, string> = {},
  beside?: AppWithDatabase,
): Promise<AppWithDatabase> => {
  const folder = await createTemporaryFolder()
  const own = beside
    ? undefined
    : await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {}, durable: false })
  const connection = own?.connection ?? beside?.connection ?? {}
  const port = await getFreePort()
  const configuration = readConfiguration({ PORT: String(port), SAMPLE: 'none', DATA_DIR: join(folder, 'data'), ...environment })
  const { db, pool } = openDatabase(connection, 8)
  await migrate(db)
  const context = createAppContext({ configuration, db, pool, log: pino({ level: 'silent' }) })
  const feed = await followChanges(context, connection)
  const app = await buildApp(context)
  await app.listen({ host: '127.0.0.1', port })
  return {
    app,
    context,
    make: factories(context),
    connection,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await app.close()
      await feed.stop()
      await pool.end()
      await own?.stop()
      await removeFolder(folder)
    },
  }
}
