import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { RECORD_KINDS } from '../../src/contract/records.ts'
import { mergeRecords } from '../../src/features/changing/merges/contract.ts'
import { NAMING_TABLES, TEXTS_WITH_IDS } from '../../src/features/changing/merges/rules.ts'
import { startApp } from '../support/app.ts'
import { mergeTwo, readRow, readState, toBody, undo } from '../support/merges.ts'

describe('a merge is refused', () => {
  test('for one record, unknown and archived records, other versions, lower levels, and wrong values', async () => {
    const app = await startApp()
    const [kept, merged, gone] = [await app.make.person(), await app.make.person(), await app.make.person()]
    const site = await app.make.site()
    const me = app.as(6)
    const body = await toBody(app, 'person', kept._id, merged._id)
    const before = await readState(app)
    const statusOf = async (changes: object, caller = me) =>
      (await caller.trySend(mergeRecords, { body: { ...body, ...changes } })).statusCode
    expect(await statusOf({ merge: kept.slug })).toBe(422)
    expect(await statusOf({ merge: site._id })).toBe(404)
    expect(await statusOf({ version: 7 })).toBe(412)
    expect(await statusOf({ mergedVersion: 7 })).toBe(412)
    expect(await statusOf({}, app.as(10))).toBe(403)
    expect(await statusOf({ values: { planet: 'Mars' } })).toBe(422)
    expect(await statusOf({ values: { email: 'nothing' } })).toBe(422)
    expect(await statusOf({ values: { email: gone.email } })).toBe(422)
    expect(await statusOf({ kind: 'region' })).toBe(422)
    expect(await readState(app)).toEqual(before)
    await sql`update person set "archivedAt" = now() where _id = ${gone._id}`.execute(app.context.db)
    expect(await statusOf({ merge: gone._id })).toBe(409)
    expect(await statusOf({ keep: gone._id })).toBe(409)
    await me.send(mergeRecords, { body })
    expect(await statusOf({})).toBe(409)
  })

  test('for one of two that would chain: A into B while B goes into C', async () => {
    const app = await startApp()
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [await app.make.person(), await app.make.person(), await app.make.person()]
      const bodies = [await toBody(app, 'person', b._id, a._id), await toBody(app, 'person', c._id, b._id)]
      const callers = [app.as(6), app.as(6)]
      for (const caller of callers) await caller.who()
      const answers = await Promise.all(bodies.map((body, at) => callers[at]!.trySend(mergeRecords, { body })))
      const done = answers.filter(({ statusCode }) => statusCode === 200).length
      // The first may have been saved before the second began.
      expect(done).toBeGreaterThan(0)
      for (const { statusCode } of answers) expect([200, 409, 412]).toContain(statusCode)
      const rows = await Promise.all([a, b, c].map(({ _id }) => readRow(app, 'person', _id)))
      // Whatever was saved, all three addresses lead to records that are not archived.
      const found = await Promise.all([a, b, c].map(({ slug }) => callers[0]!.request('GET', `/locations-api/people_sites_slug/${slug}`)))
      const ends = found.map((answer) => rows.find(({ _id }) => _id === answer.json()._id))
      expect(ends.map((row) => row?.['archivedAt'])).toEqual([null, null, null])
    }
  })
})

describe('no one gains access by a merge', () => {
  test.each([
    ['into someone without access', false],
    ['of someone without access into them', true],
  ])('of a person with a permission %s', async (_what, isReversed) => {
    const app = await startApp()
    const [chief, attacker] = [app.as(1), app.as(6)]
    const [one, other] = [await chief.who(), await attacker.who()]
    const people = [
      await app.make.person({ name: 'Ada Chief', email: one.azureID }),
      await app.make.person({ name: 'Ada Chieff', email: other.azureID }),
    ]
    await app.context.db.updateTable('permission').set({ person: people[0]!._id }).where('account', '=', one.account).execute()
    const levels = async () =>
      (await app.context.db.selectFrom('permission').select(['account', 'azureID', 'accessLevel']).orderBy('_id').execute()).map((row) =>
        JSON.stringify(row),
      )
    const before = await levels()
    const [merged, kept] = isReversed ? people.toReversed() : people
    const email = isReversed ? other.azureID : one.azureID
    const changeset = await mergeTwo(app, attacker, 'person', kept!._id, merged!._id, { email })
    expect(await levels()).toEqual(before)
    expect((await app.asAccount(other.account).request('GET', '/api/audit')).statusCode).toBe(403)
    expect((await app.asAccount(one.account).request('GET', '/api/audit')).statusCode).toBe(200)
    const holders = await app.context.db.selectFrom('permission').select('person').where('person', 'is not', null).execute()
    expect(holders.map(({ person }) => person)).toEqual(isReversed ? [kept!._id] : [])
    await undo(attacker, changeset)
    expect(await levels()).toEqual(before)
    expect((await app.asAccount(other.account).request('GET', '/api/audit')).statusCode).toBe(403)
    expect(await app.context.db.selectFrom('permission').select('person').where('account', '=', one.account).execute()).toEqual([
      { person: people[0]!._id },
    ])
  })
})

test('no table that names records is forgotten', async () => {
  const { context } = await startApp()
  const { rows: columns } = await sql<{ table: string; column: string; type: string; isKey: boolean }>`
    select t.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
      exists (select from pg_constraint as c where c.conrelid = t.oid and c.contype = 'f' and a.attnum = any(c.conkey)) as "isKey"
    from pg_class as t join pg_attribute as a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace order by 1, 2`.execute(context.db)
  const named = Object.entries(NAMING_TABLES).flatMap(([table, own]) => own.map((column) => `${table}.${column}`))
  const NAMES = new Set(['a', 'b', 'record', 'parent', ...RECORD_KINDS, 'responsible', 'kept', 'merged'])
  const forgotten = columns.filter(({ table, column, isKey }) => NAMES.has(column) && !isKey && !named.includes(`${table}.${column}`))
  // History, logs and earlier addresses, which lead on; dates and their queue name the row of a text, which the merge gives to the other record.
  expect(forgotten.map(({ table, column }) => `${table}.${column}`)).toEqual([
    'audit_event.record',
    'change.parent',
    'change.record',
    'deadline.record',
    'deadline_pending.record',
    'erasure.merged',
    'erasure.record',
    'former_slug.record',
    'merge.kept',
    'merge.merged',
    'webhook_delivery.record',
    'webhook_queue.record',
  ])
  const isListed = ({ table, column }: { table: string; column: string }) => TEXTS_WITH_IDS[table]?.includes(column) === true
  const json = columns.filter((column) => /jsonb?$/.test(column.type) && !isListed(column)).map(({ table, column }) => `${table}.${column}`)
  // Fields of records without ids of others, logs, and previews of files that are read again when they are saved.
  expect(json).toEqual([
    'assistant_client.metadata',
    'assistant_grant.payload',
    'assistant_token.payload',
    'audit_event.after',
    'audit_event.before',
    'change.after',
    'change.before',
    'charter.schoolTypeUrls',
    'charter_affair.charter_no_cds',
    'charter_affair.charter_terms',
    'charter_affair.funding',
    'charter_affair.mou',
    'charter_affair.notice_website',
    'charter_affair.overview',
    'deadline.proposedDates',
    'departure.permissions',
    'directory_user.resource',
    'enrollment.recurring_dates',
    'enrollment.selected_dates',
    'erasure.removed',
    'hr_person.lastImport',
    'import_mapping.mapping',
    'insight_day.cells',
    'kept_insight.filter',
    'merge.moved',
    'setup_state.value',
    'sheet_preview.import',
    'sheet_preview.left',
    'sheet_preview.preview',
    'sheet_preview_part.rows',
    'sign_in.result',
  ])
})
