import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { chainAuditEvents, deleteOldAuditEvents, startAuditChain } from './audit-chain.ts'
import { verifyAuditTrail } from './audit-verification.ts'
import { getSystemActor, recordAudit } from './audit.ts'

const by = getSystemActor('A test')
const record = (app: TestApp, ...records: string[]) =>
  recordAudit(app.context.db, by, ...records.map((one) => ({ kind: 'settings.changed' as const, record: one, after: { one } })))

/** A trail of five rows. */
const startTrail = async () => {
  const app = await startApp()
  await record(app, 'a', 'b', 'c', 'd', 'e')
  await chainAuditEvents(app.context)
  return app
}

/** Acts as a database user with unrestricted rights. */
const tamper = (app: TestApp, statement: ReturnType<typeof sql>) =>
  app.context.db.transaction().execute(async (tx) => {
    await sql`alter table audit_event disable trigger user`.execute(tx)
    await statement.execute(tx)
    await sql`alter table audit_event enable trigger user`.execute(tx)
  })

const findDefects = async (app: TestApp): Promise<readonly string[]> => (await verifyAuditTrail(app.context.db)).defects

test('an untouched trail is valid, and so is an empty one', async () => {
  const app = await startTrail()
  const { rows, waiting, last, defects } = await verifyAuditTrail(app.context.db)
  expect({ rows, waiting, last: last?.sequence, defects }).toEqual({ rows: 5, waiting: 0, last: 5, defects: [] })
  const empty = await startApp()
  expect(await verifyAuditTrail(empty.context.db)).toMatchObject({ rows: 0, waiting: 0, last: null, defects: [] })
})

test.each([
  ['a changed value', sql`update audit_event set after = '{"one": "x"}' where sequence = 3`, ['Row 3 was changed']],
  ['a changed time', sql`update audit_event set at = at - interval '1 hour' where sequence = 1`, ['Row 1 was changed']],
  ['a changed last row', sql`update audit_event set actor = 'x' where sequence = 5`, ['Row 5 was changed']],
  [
    'a changed row with another hash',
    sql`update audit_event set hash = repeat('0', 64) where sequence = 2`,
    ['Row 2 was changed', 'Row 3 was changed'],
  ],
  ['a removed row', sql`delete from audit_event where sequence = 3`, ['Row 3 is missing']],
  ['removed rows at the beginning', sql`delete from audit_event where sequence < 3`, ['Rows 1 to 2 are missing']],
  ['removed rows at the end', sql`delete from audit_event where sequence > 3`, ['Rows 4 to 5 are missing']],
  ['all rows removed', sql`delete from audit_event`, ['Rows 1 to 5 are missing']],
  [
    'a row added at the end',
    sql`insert into audit_event (kind, sequence, hash) values ('settings.changed', 6, repeat('0', 64))`,
    ['Row 6 was changed', 'Row 6 was added'],
  ],
  [
    'two swapped rows',
    sql`update audit_event set sequence = 10 where sequence = 2; update audit_event set sequence = 2 where sequence = 4;
      update audit_event set sequence = 4 where sequence = 10`,
    ['Row 2 was changed', 'Row 3 was changed', 'Row 4 was changed', 'Row 5 was changed'],
  ],
  ['an emptied table', sql`truncate audit_event`, ['Rows 1 to 5 are missing']],
  [
    'removed rows at the end, with the stored end of the chain',
    sql`delete from audit_event where sequence = 5; update audit_chain set sequence = 4`,
    ['Row 4 was changed'],
  ],
  [
    'removed rows at the beginning, as if their retention period were over',
    sql`update audit_chain set "deletedSequence" = 3, "deletedHash" = (select hash from audit_event where sequence = 3);
      delete from audit_event where sequence <= 3`,
    ['Rows 1 to 3 are missing, and no row says that they were deleted'],
  ],
  [
    'removed rows before a row that begins a new chain',
    sql`delete from audit_event where sequence <= 3; update audit_chain set "deletedSequence" = 3, "deletedHash" = ''`,
    ['Rows 1 to 3 are missing, and no row says that they were deleted', 'Row 4 was changed'],
  ],
  [
    'a removed row, with later rows renumbered',
    sql`with removed as (delete from audit_event where sequence = 5 returning hash)
      update audit_event set hash = removed.hash from removed where sequence = 4`,
    ['Row 4 was changed', 'Row 5 is missing'],
  ],
])('%s is detected', async (_what, statement, defects) => {
  const app = await startTrail()
  await tamper(app, statement)
  expect(await findDefects(app)).toEqual(defects)
})

test('a trail that was built again is detected by a row hash recorded elsewhere', async () => {
  const app = await startTrail()
  const { last } = await verifyAuditTrail(app.context.db)
  await tamper(app, sql`update audit_event set sequence = null, hash = null, after = '{"one": "x"}'`)
  await sql`update audit_chain set sequence = 0, hash = ''`.execute(app.context.db)
  await chainAuditEvents(app.context)
  expect(await findDefects(app)).toEqual([])
  expect((await verifyAuditTrail(app.context.db, last ?? undefined)).defects).toEqual(['Row 5 is not the one that was noted'])
  await tamper(app, sql`delete from audit_event where sequence = 5`)
  expect((await verifyAuditTrail(app.context.db, last ?? undefined)).defects).toContain('Row 5, which was noted, is missing')
  await tamper(app, sql`update audit_chain set "deletedSequence" = 6, sequence = 6; delete from audit_event`)
  expect((await verifyAuditTrail(app.context.db, last ?? undefined)).defects).toContain(
    'Row 5, which was noted, is among those that were deleted: note a later one',
  )
})

test('rows cannot be changed, removed or inserted into the chain by SQL', async () => {
  const app = await startTrail()
  await record(app, 'f')
  const refused = 'Rows of the audit trail cannot be changed'
  for (const statement of [
    sql`update audit_event set actor = 'x' where sequence = 3`,
    sql`update audit_event set hash = 'x' where sequence = 3`,
    sql`update audit_event set actor = 'x', sequence = 6, hash = 'x' where sequence is null`,
    sql`delete from audit_event where sequence = 3`,
    sql`delete from audit_event where sequence is null`,
    sql`insert into audit_event (kind, sequence, hash) values ('settings.changed', 6, 'x')`,
    // Simulates the deletion at the end of the retention period.
    sql`with said as materialized (select set_config('homeroom.audit_retention', 'yes', true))
      delete from audit_event using said where sequence = 1`,
  ])
    await expect(statement.execute(app.context.db)).rejects.toThrow(refused)
  await chainAuditEvents(app.context)
  expect(await findDefects(app)).toEqual([])
})

test('two servers that record and chain at the same time produce one chain', async () => {
  const first = await startApp()
  const second = await first.startSecond()
  const names = Array.from({ length: 60 }, (_, at) => `event ${at}`)
  await Promise.all(
    names.flatMap((name, at) => {
      const app = at % 2 === 0 ? first : second
      return [
        // Transactions that commit in a different order than they inserted.
        app.context.db.transaction().execute(async (tx) => {
          await recordAudit(tx, by, { kind: 'settings.changed', record: name })
          await sql`select pg_sleep(${(at % 7) / 200}::float)`.execute(tx)
        }),
        chainAuditEvents(app.context),
      ]
    }),
  )
  await Promise.all([chainAuditEvents(first.context), chainAuditEvents(second.context)])
  const { rows, waiting, last, defects } = await verifyAuditTrail(first.context.db)
  expect({ rows, waiting, last: last?.sequence, defects }).toEqual({ rows: 60, waiting: 0, last: 60, defects: [] })
})

test('a row of a failed transaction is not in the trail', async () => {
  const app = await startTrail()
  const failing = app.context.db.transaction().execute(async (tx) => {
    await recordAudit(tx, by, { kind: 'settings.changed', record: 'x' })
    throw new Error('It fails')
  })
  await expect(failing).rejects.toThrow('It fails')
  await chainAuditEvents(app.context)
  expect((await verifyAuditTrail(app.context.db)).rows).toBe(5)
})

test('rows older than the retention period are deleted, and the others can still be verified', async () => {
  const app = await startApp()
  await record(app, 'a', 'b', 'c')
  await tamper(app, sql`update audit_event set at = now() - interval '800 days'`)
  await record(app, 'd', 'e')
  await chainAuditEvents(app.context)
  await deleteOldAuditEvents(app.context.db, 730)
  expect((await verifyAuditTrail(app.context.db)).defects).toEqual([])
  await chainAuditEvents(app.context)
  const { rows, last, defects } = await verifyAuditTrail(app.context.db)
  expect({ rows, last: last?.sequence, defects }).toEqual({ rows: 3, last: 6, defects: [] })
  const stored = await app.context.db.selectFrom('audit_event').select(['name', 'after']).where('sequence', '=', 6).executeTakeFirst()
  expect(stored).toEqual({ name: 'Homeroom', after: { sequence: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/), rows: 3 } })
  await tamper(app, sql`delete from audit_event where sequence = 4`)
  expect(await findDefects(app)).toEqual(['Row 4 is missing'])
  await tamper(app, sql`insert into audit_event (kind, sequence, hash) values ('settings.changed', 2, 'x')`)
  expect(await findDefects(app)).toContain('Row 2 was added')
})

test('a server chains new rows itself, and with AUDIT_LOG writes each row as a line of the log', async () => {
  const app = await startApp({ AUDIT_LOG: 'true' })
  const lines: unknown[] = []
  vi.spyOn(app.context.log, 'child').mockReturnValue({ info: (line: unknown) => lines.push(line) } as never)
  const stop = startAuditChain(app.context)
  await record(app, 'a', 'b')
  await expect.poll(() => lines.length).toBe(2)
  await record(app, 'c')
  await stop()
  expect(lines).toMatchObject(
    ['a', 'b', 'c'].map((one, at) => ({ audit: { sequence: at + 1, kind: 'settings.changed', record: one, hash: expect.any(String) } })),
  )
})
