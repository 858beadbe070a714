import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { openDatabase } from '../../src/database/connection.server.ts'
import { migrate } from '../../src/database/migrate.server.ts'
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { createDataFolder, removeFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the tests' databases, and the migrated template database that they are copied from. */
    readonly testDatabase: { readonly server: pg.PoolConfig; readonly template: string }
  }
}

/**
 * One PostgreSQL and one migrated template for the whole run. TEST_DATABASE_URL names a server whose user may create databases;
 * without it, the private PostgreSQL runs in a temporary folder.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const url = process.env['TEST_DATABASE_URL']
  const folder = await createDataFolder()
  const own =
    url === undefined
      ? await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {}, durable: false })
      : undefined
  const server: pg.PoolConfig = own?.connection ?? { connectionString: url }
  const template = `homeroom_test_${randomBytes(4).toString('hex')}`

  const administrator = new pg.Client(server)
  await administrator.connect()
  await administrator.query(`create database ${template}`)
  const { db, pool } = openDatabase(onDatabase(server, template), 2)
  await migrate(db)
  await pool.end()
  project.provide('testDatabase', { server, template })

  return async () => {
    const { rows } = await administrator.query<{ datname: string }>('select datname from pg_database where datname like $1', [
      `${template}%`,
    ])
    for (const { datname } of rows) await administrator.query(`drop database "${datname}" with (force)`)
    await administrator.end()
    await own?.stop()
    await removeFolder(folder)
  }
}

/** The value of DATABASE_URL for a private database, which listens on a socket in a folder. */
export const toDatabaseUrl = ({ host = '', port, user = '', database = '' }: pg.PoolConfig): string =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/** The same server, with another database. */
export const onDatabase = (server: pg.PoolConfig, database: string): pg.PoolConfig => {
  if (server.connectionString === undefined) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { ...server, connectionString: url.href }
}
