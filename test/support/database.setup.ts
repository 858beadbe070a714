import { randomBytes } from 'node:crypto'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { openDatabase } from '../../src/database/connection.server.ts'
import { migrate } from '../../src/database/migrate.server.ts'
import { onDatabase, startDatabase } from './database.ts'

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
  const own = url === undefined ? await startDatabase() : undefined
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
  }
}
