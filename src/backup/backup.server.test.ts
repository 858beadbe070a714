import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { startApp, type TestApp } from '../../test/support/app.ts'
import { onDatabase } from '../../test/support/database.ts'
import { calls } from '../app/routes.server.ts'
import { callName } from '../contract/call.ts'
import { toSlug } from '../contract/slugs.ts'
import { openDatabase, type Db } from '../database/connection.server.ts'
import { listAppliedMigrationNames, migrate } from '../database/migrate.server.ts'
import { readUser } from '../features/access/session/contract.ts'
import { insertSignIn, insertTicket, insertApiToken, consumeSignIn, consumeTicket } from '../features/access/session/mutations.server.ts'
import { sendSupportRequest } from '../features/changing/requests/contract.ts'
import { createWebhook, listDeliveries, listWebhooks, sendTestEvent } from '../features/exchange/webhooks/contract.ts'
import { saveCharterAffair } from '../records/charter-affairs/contract.ts'
import { saveSettings } from '../records/settings/contract.ts'
import { updateSite } from '../records/sites/contract.ts'
import { checkBackupFile, InvalidBackup } from './backup-file.server.ts'
import { createBackup } from './backup.server.ts'
import { createDailyBackup, formatBackupName } from './daily.server.ts'
import { DatabaseNotEmpty, restore } from './restore.server.ts'
import { listBackupTables } from './tables.server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-backup-'))
})
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  await rm(folder, { recursive: true, force: true })
})
const file = (): string => join(folder, `${randomBytes(6).toString('hex')}.backup`)

/** A new, empty database. */
const newDatabase = async (): Promise<Db> => {
  const { server } = inject('testDatabase')
  const name = `restored_${randomBytes(6).toString('hex')}`
  const administer = async (statement: string) => {
    const client = new pg.Client(server)
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await administer(`create database ${name}`)
  const { db } = openDatabase(onDatabase(server, name), 3)
  closing.push(async () => {
    await db.destroy()
    await administer(`drop database ${name} with (force)`)
  })
  return db
}
const into = (db: Db) => async () => ({ db, stop: async () => undefined })

/** Names that a database's default collation would sort differently. */
const SORTED_OTHERWISE = ['Zoo', 'apple', 'Äpfel', 'a-b', 'ab', 'Banana', 'a D'] as const

/** A network with every kind of data, created through the API where a call exists. */
const filled = async (): Promise<TestApp> => {
  const app = await startApp()
  const { as, make, context } = app
  const charter = await make.charter()
  const site = await make.site({ charter: charter._id, displayName: 'Lodi "é" \\ \n Center' })
  await make.sitePerson(site._id)
  await make.sisSite({ site: site._id })
  const affair = await make.affair({ charter: charter._id })
  for (const name of SORTED_OTHERWISE) {
    const person = await make.person({ name })
    await make.brand({ brandName: name, slug: toSlug(`a brand ${name}`) })
    await make.charter({ name, slug: toSlug(`a charter ${name}`) })
    await make.site({ displayName: name, slug: toSlug(`a site ${name}`) })
    await make.sitePerson(site._id, 'Registrar', person._id)
    await make.sisSite({ site: site._id, name })
    await make.member({ charter_affair: affair._id, board_member_name: name })
    await make.district({ charter_affair: affair._id, center_name: name })
  }
  await as(6).send(updateSite, { params: { id: site._id }, body: { finance_id: '00017' } })
  await as(5).send(saveCharterAffair, {
    params: { id: charter._id },
    body: { overview: { notes: 'Two\nlines, “quotes” and \u2028 more' } },
  })
  await as(10).send(sendSupportRequest, { body: { request: 'The printer is on fire' } })
  const bytes = randomBytes(300_000)
  await context.db
    .insertInto('picture')
    .values({ _id: 'a'.repeat(64), type: 'image/png', width: 1, height: 1, bytes })
    .execute()
  return app
}

/** Tables that a restore empties. */
const ENDED = { session: [], api_token: [], account: [] }
/** The restore itself is recorded. */
const RECORDED = { audit_event: [] }

const contents = async (db: Db): Promise<Record<string, string[]>> => {
  const all: Record<string, string[]> = {}
  for (const { table } of await listBackupTables(db)) {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} as t`.execute(db)
    all[table] = rows.map(({ row }) => row).toSorted()
  }
  return all
}

describe('a backup', () => {
  test('restored into a new database with another collation gives identical responses to every GET, including pictures and histories', async () => {
    const app = await filled()
    const headers = { ...(await app.as(1).headers()), host: '127.0.0.1:3000' }
    const site = await app.context.db.selectFrom('site').select('_id').executeTakeFirstOrThrow()
    const charter = await app.context.db.selectFrom('charter').select('_id').executeTakeFirstOrThrow()
    const path = file()
    await createBackup(app.context.db, path)
    const restored = await startApp({}, undefined, 'en-US')
    await restore(into(restored.context.db), path)
    const [there, here] = [await contents(restored.context.db), await contents(app.context.db)]
    expect({ ...there, ...ENDED, ...RECORDED }).toEqual({ ...here, ...ENDED, ...RECORDED })
    expect(there['audit_event']?.filter((row) => row.includes('backup.restored'))).toHaveLength(1)
    // No one is signed in after a restore, so the test signs someone in for the comparison.
    expect((await restored.app.inject({ url: '/auth', headers })).statusCode).toBe(401)
    await sql`update session set "endedAt" = null`.execute(restored.context.db)
    // Activity and offline include history numbers, which continue differently in a restored database; findings are about the server.
    const readCalls = calls.filter(
      ({ method, path: at, response }) =>
        method === 'GET' &&
        response !== 'events' &&
        !at.startsWith('/auth') &&
        !/profile-photo|exports|vcard|audit|api\/activity$|api\/offline$|setup\/findings/.test(at),
    )
    expect(readCalls.length).toBeGreaterThan(30)
    for (const call of readCalls) {
      const url = call.path
        .replace(':appId', 'homeroom')
        .replace(':kind', 'site')
        .replace(':group', 'LEADERSHIP')
        .replace(':query', 'per')
        .replace(/charter(view|byslug|_affair)?\/:(id|slug)/, `charter$1/${charter._id}`)
        .replace('/api/pictures/:id', `/api/pictures/${'a'.repeat(64)}`)
        .replace(/:\w+/g, site._id)
      const [before, after] = [
        await app.app.inject({ method: 'GET', url, headers }),
        await restored.app.inject({ method: 'GET', url, headers }),
      ]
      expect([callName(call), after.statusCode]).toEqual([callName(call), before.statusCode])
      expect(after.rawPayload.equals(before.rawPayload), callName(call)).toBe(true)
    }
  })

  test('is a consistent snapshot while others write', async () => {
    const { context, make } = await startApp()
    const over = new AbortController()
    const write = async () => {
      for (let at = 0; !over.signal.aborted; at++)
        await context.db.transaction().execute(async (tx) => {
          const { _id } = await tx
            .insertInto('brand')
            .values({ slug: `b${at}`, brandName: `B ${at}` })
            .returning('_id')
            .executeTakeFirstOrThrow()
          await tx
            .insertInto('charter')
            .values({ slug: `c${at}`, name: `C ${at}`, brand: _id })
            .execute()
        })
    }
    await make.brand({ slug: 'first' })
    const writing = write()
    const path = file()
    const counts = await createBackup(context.db, path)
    over.abort()
    await writing
    expect(counts.get('charter') ?? 0).toBe((counts.get('brand') ?? 0) - 1)
    const db = await newDatabase()
    await restore(into(db), path)
    // New rows continue the numbering of the network.
    await db.insertInto('brand').values({ slug: 'next', brandName: 'Next' }).execute()
    const { rows } = await sql<{ twice: number }>`select count(*) - count(distinct _id) as twice from change`.execute(db)
    expect(rows[0]?.twice).toBe(0)
  })

  test.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['truncated in its header', (bytes: Buffer) => bytes.subarray(0, 30)],
    ['empty', () => Buffer.alloc(0)],
    ['changed in one bit', (bytes: Buffer) => bytes.with(Math.floor(bytes.length / 2), (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1)],
    ['followed by extra bytes', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['another kind of file', () => Buffer.from('PK\u0003\u0004 a workbook')],
  ])('is refused before anything is read if it is %s', async (_what, damage) => {
    const { context } = await startApp()
    const path = file()
    await createBackup(context.db, path)
    await checkBackupFile(path)
    await writeFile(path, damage(await readFile(path)))
    let isOpened = false
    const open = async () => {
      isOpened = true
      return { db: context.db, stop: async () => undefined }
    }
    await expect(restore(open, path)).rejects.toThrow(InvalidBackup)
    expect(isOpened).toBe(false)
  })

  test('is not restored into a folder or database in use, which stays unchanged', async () => {
    const app = await filled()
    const path = file()
    await createBackup(app.context.db, path)
    const before = await contents(app.context.db)
    await expect(restore(into(app.context.db), path)).rejects.toThrow(DatabaseNotEmpty)
    expect(await contents(app.context.db)).toEqual(before)
  })

  test('is not restored into a database that contains only the HR directory or a setting', async () => {
    const { context } = await startApp()
    const path = file()
    await createBackup(context.db, path)
    const target = await startApp()
    await target.as(1).send(saveSettings, { body: { organisation: 'Ours', supportRequestsTo: [] } })
    await sql`truncate account, permission, session cascade`.execute(target.context.db)
    await expect(restore(into(target.context.db), path)).rejects.toThrow(DatabaseNotEmpty)
    const other = await startApp()
    await other.make.hrPerson()
    await expect(restore(into(other.context.db), path)).rejects.toThrow(DatabaseNotEmpty)
    expect(await other.context.db.selectFrom('hr_person').select('PersonID').execute()).toHaveLength(1)
  })

  test('restores permissions, but no sessions, API tokens, pending sign-ins or provider tokens', async () => {
    const { context, as, app } = await startApp()
    const [super1, browser] = [as(1), as(6)]
    const { account, headers } = await browser.who()
    const program = await insertApiToken(context.db, { account, name: 'Sync', accessLevel: 6, days: 30 })
    const ended = await insertApiToken(context.db, { account, name: 'Old', accessLevel: 6, days: 30 })
    await sql`update api_token set "endedAt" = now() - interval '1 day' where _id = ${ended._id}`.execute(context.db)
    await sql`update account set "directoryTokens" = '\\x01', "directoryTokensDue" = now()`.execute(context.db)
    await sql`insert into device (hash, account, username, name, "createdAt") values ('\\x01', ${account}, 'x', 'Phone', now())`.execute(
      context.db,
    )
    await sql`insert into address_book (key) values ('all-staff')`.execute(context.db)
    await sql`update session set "idToken" = '\\x01'`.execute(context.db)
    await insertSignIn(context.db, 'browser', 'state', { nonce: 'n', verifier: 'v' })
    const ticket = await insertTicket(context.db, 'browser', account, null)
    await super1.send(readUser)
    const [url, authority] = ['/auth', '127.0.0.1:3000']
    const asProgram = { authorization: `Bearer ${program.token}` }
    for (const sent of [headers, asProgram]) expect((await app.inject({ url, authority, headers: sent })).statusCode).toBe(200)

    const path = file()
    await createBackup(context.db, path)
    const there = await startApp()
    await restore(into(there.context.db), path)
    for (const sent of [headers, asProgram, await super1.headers(), { ...headers, authorization: '', 'x-auth-token': program.token }])
      expect((await there.app.inject({ url, authority, headers: sent })).statusCode).toBe(401)
    // Sends only the cookie, as for pictures.
    expect((await there.app.inject({ url: '/api/profile-photo/me', authority, headers: { cookie: headers.cookie } })).statusCode).toBe(401)
    expect(await consumeTicket(there.context.db, 'browser', ticket)).toBeUndefined()
    expect(await consumeSignIn(there.context.db, 'browser', 'state')).toBeUndefined()
    const left = await sql<{ left: number }>`select
      (select count(*) from session where "endedAt" is null or "idToken" is not null)
      + (select count(*) from api_token where "endedAt" is null)
      + (select count(*) from device) + (select count(*) from address_book)
      + (select count(*) from account where "directoryTokens" is not null or "directoryTokensDue" is not null) as left`.execute(
      there.context.db,
    )
    expect(Number(left.rows[0]?.left)).toBe(0)
    const earlier = await sql`select from api_token where name = 'Old' and "endedAt" < now() - interval '1 hour'`.execute(there.context.db)
    expect(earlier.rows).toHaveLength(1)
    const levels = (of: TestApp) => of.context.db.selectFrom('permission').select(['azureID', 'accessLevel']).orderBy('azureID').execute()
    expect(await levels(there)).toEqual(await levels({ context } as TestApp))
  })

  test('is restored with webhooks paused and pending deliveries dropped, so that a copy sends nothing', async () => {
    const { context, as } = await startApp()
    const top = as(1)
    const body = { url: 'https://intake.example.org/', events: ['site.changed' as const] }
    const { _id: id } = await top.send(createWebhook, { body })
    await top.send(sendTestEvent, { params: { id } })
    const path = file()
    await createBackup(context.db, path)
    const there = await startApp()
    await restore(into(there.context.db), path)
    const reader = there.as(1)
    expect(await reader.send(listWebhooks)).toMatchObject([{ ...body, state: 'paused', waiting: 0, failed: 1, version: 2 }])
    expect(await reader.send(listDeliveries, { params: { id } })).toMatchObject([{ state: 'failed', problem: 'A backup was restored' }])
    expect(await there.context.db.selectFrom('webhook_queue').select('record').execute()).toEqual([])
  })

  test('from an older version is migrated; one from a newer version is refused', async () => {
    const old = await newDatabase()
    const all = await listAppliedMigrationNames((await startApp()).context.db)
    await migrate(old, all.slice(0, -1))
    await sql`insert into person (slug, name, email) values ('albert', 'Albert', 'albert@network.test')`.execute(old)
    const path = file()
    await createBackup(old, path)
    const db = await newDatabase()
    await restore(into(db), path)
    expect(await listAppliedMigrationNames(db)).toEqual(all)
    expect(await db.selectFrom('person').select(['name', 'leftAt']).execute()).toEqual([{ name: 'Albert', leftAt: null }])

    await sql`insert into migration (name, digest) values ('9999-tomorrow.sql', 'x')`.execute(db)
    const newer = file()
    await createBackup(db, newer)
    await expect(restore(into(await newDatabase()), newer)).rejects.toThrow('belongs to a newer version')

    await sql`update migration set name = '0001-records.sql' where name = ${all[0]}`.execute(db)
    const development = file()
    await createBackup(db, development)
    await expect(restore(into(await newDatabase()), development)).rejects.toThrow(
      'created by a development version before the first release',
    )
  })
})

test('one backup is written per day and the last seven are kept; other files stay', async () => {
  const { context } = await startApp()
  const daily = join(folder, 'daily')
  const day = (at: number) => new Date(Date.UTC(2026, 10, at, 3))
  const schedule = { backupDir: daily, backupAt: '02:30', backupKeep: 7, backupPassphrase: undefined, timeZone: 'UTC' }
  for (let at = 1; at <= 10; at++) {
    expect(await createDailyBackup(context.db, schedule, day(at))).toBeDefined()
    expect(await createDailyBackup(context.db, schedule, new Date(day(at).getTime() + 23 * 3_600_000))).toBeUndefined()
  }
  await writeFile(join(daily, 'homeroom-mine.backup'), 'x')
  const both = await Promise.all([1, 2].map(() => createDailyBackup(context.db, schedule, day(11))))
  expect(both.filter(Boolean)).toHaveLength(1)
  expect((await readdir(daily)).toSorted()).toEqual([
    ...[5, 6, 7, 8, 9, 10, 11].map((at) => formatBackupName(day(at))),
    'homeroom-mine.backup',
  ])
})
