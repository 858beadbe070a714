import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { migrateCommand } from '../../src/command-line/migrate.server.ts'
import { listMigrations } from '../../src/database/migrate.server.ts'
import { doctorCommand } from '../../src/doctor/command.server.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../src/platform/server/database.ts'
import { findPackagedPostgres, findSystemPostgres, startOtherPostgres } from '../support/other-postgres.ts'

const [NAME, OWNER, SERVER] = ['homeroom_rights', 'tables_owner', 'homeroom_server']
const PASSWORD = 'Vq7-wT2nZ9xLb4'
let postgres: { url: string; stop: () => Promise<void> }
let administrator: pg.Client
let urls: { owner: string; server: string }

const addressOf = (user: string): string => {
  const { host } = new URL(postgres.url)
  return `postgres://${user}:${PASSWORD}@${host}/${NAME}`
}

beforeAll(async () => {
  const found = findPackagedPostgres() ?? findSystemPostgres()
  if (!found) throw new Error('There is no PostgreSQL with passwords on this machine')
  postgres = await startOtherPostgres(found)
  administrator = new pg.Client(postgres.url)
  await administrator.connect()
  for (const role of [OWNER, SERVER]) await administrator.query(`create role ${role} login password '${PASSWORD}'`)
  await administrator.query(`create database ${NAME} owner ${OWNER}`)
  urls = { owner: addressOf(OWNER), server: addressOf(SERVER) }
})
afterAll(async () => {
  await administrator.end()
  await postgres.stop()
})

const migrate = async (...args: string[]): Promise<string> => {
  let text = ''
  const into = { write: (more: string) => (text += more) }
  const environment = { DATABASE_URL: urls.server, OWNER_DATABASE_URL: urls.owner, DATA_DIR: '/tmp' }
  await migrateCommand(args, { environment, out: into, err: into }).catch((error: unknown) => (text += String(error)))
  return text
}
const start = (): Promise<unknown> =>
  openConfiguredDatabase(readConfiguration({ DATABASE_URL: urls.server, SAMPLE: 'none' }), 'server', () => {}).then(({ stop }) => stop())
const asServer = async (statement: string): Promise<unknown[]> => {
  const client = new pg.Client(urls.server)
  await client.connect()
  return client
    .query(statement)
    .then(({ rows }) => rows as unknown[])
    .finally(() => client.end())
}

test('a server whose role cannot change tables refuses to start until the owner has migrated', async () => {
  const [first = ''] = await listMigrations()
  await expect(start()).rejects.toThrow(
    /^The tables lack \d+ migrations \(0001-tables\.sql, .*may not change the tables; run "homeroom migrate"/,
  )
  expect(await migrate('--dry-run')).toContain(`Missing: ${first}\n`)
  await expect(start()).rejects.toThrow('may not change the tables')

  const text = await migrate()
  expect(text).toContain(`Applied: ${first}\n`)
  expect(text).toContain(`The role "${SERVER}" may read, add, change and delete rows, and nothing else\n`)
  await start()
  expect(await migrate()).toMatch(/^The tables are up to date \(nothing was missing\)$/m)
})

test('the role of the server can write rows, also of later tables, and cannot change tables', async () => {
  const [site] = await asServer(`insert into brand (slug, "brandName") values ('rights', 'Rights') returning "brandName" as name`)
  expect(site).toEqual({ name: 'Rights' })
  await asServer(`delete from brand where slug = 'rights'`)
  const owner = new pg.Client(urls.owner)
  await owner.connect()
  await owner.query('create table later (_id int generated always as identity, name text)')
  await asServer(`insert into later (name) values ('x')`)
  await owner.query('drop table later')
  await owner.end()
  for (const refused of ['create table mine ()', 'alter table site add column mine text', 'truncate site', 'delete from migration'])
    await expect(asServer(refused)).rejects.toThrow(/permission denied|must be owner/)
})

test('a missing migration is reported at startup and by the doctor, a missing role by the command', async () => {
  const last = (await listMigrations()).at(-1) ?? ''
  const owner = new pg.Client(urls.owner)
  await owner.connect()
  const { rows } = await owner.query<{ name: string; digest: string }>('delete from migration where name = $1 returning name, digest', [
    last,
  ])
  await expect(start()).rejects.toThrow(`The tables lack a migration (${last})`)
  let text = ''
  await doctorCommand({
    environment: { DATABASE_URL: urls.server, DATA_DIR: '/tmp' },
    out: { write: (more) => (text += more) },
    timeoutMs: 10_000,
  })
  expect(text).toContain('1 migrations are missing, and its role may not change the tables; run "homeroom migrate"')
  await owner.query('insert into migration (name, digest) values ($1, $2)', [rows[0]?.name, rows[0]?.digest])
  await owner.end()
  urls = { ...urls, server: addressOf('no_such_role') }
  expect(await migrate()).toContain(
    'There is no role "no_such_role", which DATABASE_URL names; make it with "createuser --pwprompt no_such_role"',
  )
  urls = { ...urls, server: addressOf(SERVER) }
})
