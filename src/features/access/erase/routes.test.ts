import { readdir } from 'node:fs/promises'

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { createUsedPerson, EMAIL, NAME, PHONE, searchFiles, searchTables } from '../../../../test/support/erased-person.ts'
import { chainAuditEvents } from '../../../platform/server/audit-chain.ts'
import { verifyAuditTrail } from '../../../platform/server/audit-verification.ts'
import { readCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { listPeople, readPerson, updatePerson } from '../../../records/people/contract.ts'
import { readSite } from '../../../records/sites/contract.ts'
import { listComments } from '../../changing/comments/contract.ts'
import { readHistory, restoreFromHistory } from '../../changing/history/contract.ts'
import { readDeadline, readDeadlineSettings } from '../../deadlines/deadlines/contract.ts'
import { search } from '../../finding/search/contract.ts'
import { readOffline } from '../offline/contract.ts'
import { completeSignIn } from '../session/complete-sign-in.server.ts'
import type { Identity } from '../session/identity.server.ts'
import { getTenant } from '../session/provider-settings.server.ts'
import { erase, listErasures, readErasurePreview } from './contract.ts'
import { finishErasures } from './files.server.ts'
import { DELETED_ROWS, NAMED_ROWS, NAMELESS_COLUMNS } from './owned-rows.server.ts'

const KEY = 'the key of a server, which no database has'
const signInIdentity = (app: TestApp, objectId: string): Identity =>
  ({ tenant: getTenant(app.context.configuration), objectId, address: EMAIL, name: NAME, groups: null }) as never

const wait = (app: TestApp) => app.catchUp()

describe('an erased person', () => {
  test('is found in no table, file, list or answer, and the audit trail is still verified', async () => {
    const app = await startApp({ SECRET_KEY: KEY })
    const { context, as } = app
    const { db } = context
    const { admin, own, site, charter, person, account, deadline, mail, outbox } = await createUsedPerson(app)
    const before = await readHistoryOf(app, person._id)
    await chainAuditEvents(context)
    const device = as(10)
    const copy = await device.send(readOffline, { query: {} })
    expect(await verifyAuditTrail(db, undefined, { secretKey: KEY })).toMatchObject({ defects: [], redacted: { rows: 0 } })
    // Every place has something of them.
    const traced = new Set((await searchTables(db)).map((one) => one.split(':')[0]?.replace('bytes of ', '')))
    const places =
      'account api_token audit_event authorizer_board_member change check_mail comment deadline device directory_user enrollment error_log facility former_slug hr_person mail permission person planned_change proposal_field request saved_view search_miss setting sheet_preview site webhook webhook_delivery'
    for (const table of places.split(' ').filter((one) => !['change'].includes(one))) expect([...traced], table).toContain(table)
    expect((await readdir(outbox)).length).toBe(1)

    const preview = await admin.send(readErasurePreview, { params: { kind: 'person', id: person._id } })
    expect(preview).toMatchObject({ name: NAME, refusal: null, shared: [] })
    const erased = await admin.send(erase, { body: { kind: 'person', _id: person._id, reason: `Asked by ${NAME} on 11/28` } })
    expect(erased).toMatchObject({ number: 1, name: 'Erased person 1', reason: 'Asked by Erased person 1 on 11/28', _id: person._id })
    expect(erased.removed).toEqual(preview.removed)

    expect(await searchTables(db)).toEqual([])
    expect(await searchFiles(context.configuration.dataDir)).toEqual([])
    expect(await readdir(outbox)).not.toContain(`${mail}.eml`)

    // What was being written meanwhile is found once more.
    await db
      .insertInto('change')
      .values({
        at: new Date(),
        table: 'site',
        record: site._id,
        parent: site._id,
        action: 'update',
        actor: account,
        actorName: NAME,
        before: JSON.stringify({ fac: NAME }),
        after: JSON.stringify({ fac: EMAIL }),
      } as never)
      .execute()
    await finishErasures(context)
    expect(await searchTables(db)).not.toEqual([])
    await finishErasures({ ...context, now: () => new Date(Date.now() + 61_000) })
    expect(await searchTables(db)).toEqual([])

    await chainAuditEvents(context)
    const verified = await verifyAuditTrail(db, undefined, { secretKey: KEY })
    expect(verified).toMatchObject({ defects: [], redacted: { erasures: [1], isSealed: true } })
    expect(verified.redacted.rows).toBe(5)

    await wait(app)
    const page = await as(10).send(readPerson, { params: { slug: person._id } })
    expect(page).toMatchObject({
      name: 'Erased person 1',
      slug: 'erased-person-1',
      phone: null,
      email: null,
      fax: null,
      sql_person_id: null,
      roles: [],
    })
    expect((await as(10).trySend(readPerson, { params: { slug: 'adalie-quillfeather' } })).statusCode).toBe(404)
    expect((await as(10).send(listPeople)).map(({ _id }) => _id)).not.toContain(person._id)
    expect(JSON.stringify(await as(10).send(search, { query: { q: 'quillfeather' } }))).not.toContain(person._id)
    expect((await own.trySend(listPeople)).statusCode).toBe(401)
    const shown = await as(10).send(readSite, { params: { slug: site.slug } })
    expect(shown.address.description).toBe('Ask Erased person 1 (Erased person 1) or (209) 555-0199')
    expect(shown.address.phone).toBe('(209) 555-0199')
    expect(await db.selectFrom('enrollment').select('registrationEmail').where('site', '=', site._id).executeTakeFirst()).toEqual({
      registrationEmail: ['office@network.test'],
    })
    const { value } = await db.selectFrom('setting').select('value').where('name', '=', 'settings').executeTakeFirstOrThrow()
    expect(value).toMatchObject({ changeRequestsTo: [{ region: null, emails: ['office@network.test'] }], supportRequestsTo: [] })
    expect(await admin.send(readDeadline, { params: { id: deadline._id } })).toMatchObject({
      title: 'Review with Erased person 1',
      responsible: null,
    })
    expect((await admin.send(readDeadlineSettings)).kinds.find(({ kind }) => kind === 'lease')?.responsible).toBeNull()
    const affair = await as(5).send(readCharterAffair, { params: { id: charter.slug } })
    expect(JSON.stringify(affair)).toContain('Erased person 1')
    const comments = await admin.send(listComments, { params: { kind: 'site', id: site._id } })
    expect(comments.map(({ text, author }) => [text, author.name])).toEqual([
      ['Written by Erased person 1', 'Erased person 1'],
      ['@Erased person 1 please look', expect.any(String)],
    ])
    // Histories keep who did what, and what happened to the record.
    const after = await readHistoryOf(app, person._id)
    expect(after.length).toBeGreaterThan(before.length)
    const ofSite = await admin.send(readHistory, { params: { kind: 'site', id: site._id } })
    expect(ofSite.changes.some(({ by }) => by === 'Erased person 1')).toBe(true)
    // A device gets everything again.
    expect((await device.send(readOffline, { query: { since: (await device.send(readOffline, { query: {} })).token } })).isWhole).toBe(
      false,
    )
    const next = await device.send(readOffline, { query: { since: copy.token } })
    expect(next.isWhole).toBe(true)
    expect(JSON.stringify(next)).not.toMatch(/quillfeather/i)
    expect(await admin.send(listErasures)).toHaveLength(1)
  })

  test('does not come back: by an edit, a restored version, a plan, an old form, or a sign-in', async () => {
    const app = await startApp({ SECRET_KEY: KEY })
    const { context } = app
    const { admin, person, site, other } = await createUsedPerson(app)
    const history = await readHistoryOf(app, person._id)
    await admin.send(erase, { body: { kind: 'person', _id: person._id, reason: 'Asked' } })
    const edit = await admin.trySend(updatePerson, { params: { id: person._id }, body: { name: NAME, phone: PHONE } })
    expect([edit.statusCode, edit.json().title]).toEqual([409, 'This person is archived'])
    for (const { _id } of history) {
      const restored = await admin.trySend(restoreFromHistory, {
        params: { kind: 'person', id: person._id, change: _id },
        body: {},
      } as never)
      expect(restored.statusCode).not.toBe(500)
    }
    const identity = signInIdentity(app, 'f1a2b3c4-0713-4000-8000-00000e5550713')
    await expect(
      completeSignIn(context, { identity, idToken: 't', tokens: { accessToken: 'a', expiresAt: 0 }, browser: 'b', request: 'r' }),
    ).rejects.toThrow('erased')
    await finishErasures({ ...context, now: () => new Date(Date.now() + 61_000) })
    expect(await searchTables(context.db)).toEqual([])
    expect((await admin.send(readSite, { params: { slug: site.slug } })).people.map((one) => one.person._id)).toEqual([other._id])
  })
})

test('every column with an account is known to erasures', async () => {
  const { context } = await startApp()
  const { rows } = await sql<{ column: string }>`
    select c.relname || '.' || a.attname as column from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'uuid'::regtype and (a.attname in ('account', 'actor')
      or exists (select from pg_constraint as f where f.contype = 'f' and f.conrelid = c.oid and f.confrelid = 'account'::regclass and a.attnum = any(f.conkey)))
    order by 1`.execute(context.db)
  const isKnown = (column: string): boolean => {
    const [table = '', name] = column.split('.')
    return (
      NAMELESS_COLUMNS.includes(column) || NAMED_ROWS[table]?.account === name || (name === 'account' && DELETED_ROWS[table] !== undefined)
    )
  }
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(({ column }) => !isKnown(column))).toEqual([])
})

const readHistoryOf = async ({ as }: TestApp, id: string) => (await as(6).send(readHistory, { params: { kind: 'person', id } })).changes
