import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { readPerson, updatePerson } from '../../../records/people/contract.ts'
import { readSite, updateSite } from '../../../records/sites/contract.ts'
import { applyBulkChange, undoChangeset } from '../../changing/changesets/contract.ts'
import { erase, listErasures, readErasurePreview } from './contract.ts'
import { finishErasures } from './files.server.ts'

describe('an erasure is refused', () => {
  test('below level 1, also with a token that has less access than its owner, and nothing changes', async () => {
    const { as, make, context } = await startApp()
    const person = await make.person({ name: 'Zora Kindling' })
    const body = { kind: 'person', _id: person._id, reason: 'Because' } as const
    const params = { kind: 'person', id: person._id } as const
    for (const caller of [as(10), as(6), as(5), await as(1).program(5)]) {
      expect((await caller.trySend(erase, { body })).statusCode).toBe(403)
      expect((await caller.trySend(readErasurePreview, { params })).statusCode).toBe(403)
      expect((await caller.trySend(listErasures)).statusCode).toBe(403)
    }
    expect(await context.db.selectFrom('erasure').select('number').execute()).toEqual([])
    expect(await context.db.selectFrom('person').select('name').where('_id', '=', person._id).executeTakeFirst()).toEqual({
      name: 'Zora Kindling',
    })
    expect((await (await as(1).program()).send(erase, { body })).name).toBe('Erased person 1')
  })

  test('for oneself, for someone in SUPER_ADMINS, for records that do not exist, twice, and without a reason', async () => {
    const { as, make } = await startApp({ SUPER_ADMINS: 'root@network.test' })
    const admin = as(1)
    const tryErase = async (_id: string, more: object = {}) => {
      const { statusCode, body } = await admin.trySend(erase, { body: { kind: 'person', _id, reason: 'Asked', ...more } })
      return [statusCode, JSON.parse(body).title]
    }
    const me = await make.person({ email: (await admin.who()).azureID.toUpperCase() })
    expect(await tryErase(me._id)).toEqual([403, 'You can’t erase yourself'])
    const root = await make.person({ email: 'Root@network.test' })
    expect(await tryErase(root._id)).toEqual([409, 'This person is in SUPER_ADMINS'])
    expect(await admin.send(readErasurePreview, { params: { kind: 'person', id: root._id } })).toMatchObject({
      refusal: expect.stringContaining('SUPER_ADMINS'),
    })
    const person = await make.person()
    expect(await tryErase(person._id, { reason: '   ' })).toEqual([422, 'One field needs to be corrected'])
    expect(await tryErase(person._id, { kind: 'site' })).toEqual([422, 'One field needs to be corrected'])
    const site = await make.site()
    expect(await tryErase(site._id)).toEqual([404, 'Person could not be found'])
    expect(await tryErase("' or 1=1 --")).toEqual([404, 'Person could not be found'])
    expect((await tryErase(person._id))[0]).toBe(200)
    expect(await tryErase(person._id)).toEqual([409, 'The personal data of this record was erased before: Erased person 1'])
  })

  test('two people at level 1 who erase each other: one of them stays', async () => {
    const { as, make } = await startApp()
    const pair = [as(1), as(1)] as const
    await as(5).who()
    const people = await Promise.all(pair.map(async (one) => make.person({ email: (await one.who()).azureID })))
    const answers = await Promise.all(
      pair.map((one, at) => one.trySend(erase, { body: { kind: 'person', _id: people[1 - at]?._id ?? '', reason: 'Asked' } })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, expect.toBeOneOf([401, 403])])
  })
})

describe('what belongs to others', () => {
  test('stays: a phone number of the front desk, the name of someone else, and an address that someone else has by now', async () => {
    const { as, make, context } = await startApp()
    const admin = as(1)
    const site = await make.site({ phone: '(209) 555-0155', description: 'Call 209-555-0155 or Sam Arbor' })
    const namesake = await make.person({ name: 'Sam Arbor', slug: 'sam-arbor-2', phone: '209-555-0155' })
    const person = await make.person({ name: 'Sam Arbor', phone: '209-555-0155', email: 'old@network.test' })
    await admin.send(updatePerson, { params: { id: person._id }, body: { email: 'sam@network.test' } })
    await make.person({ name: 'Kim Later', email: 'old@network.test' })
    const { shared } = await admin.send(readErasurePreview, { params: { kind: 'person', id: person._id } })
    expect(shared.toSorted()).toEqual(['209-555-0155', 'Sam Arbor'])
    await admin.send(erase, { body: { kind: 'person', _id: person._id, reason: 'Asked' } })
    expect((await admin.send(readSite, { params: { slug: site.slug } })).address).toMatchObject({
      phone: '(209) 555-0155',
      description: 'Call 209-555-0155 or Sam Arbor',
    })
    expect(await admin.send(readPerson, { params: { slug: namesake._id } })).toMatchObject({
      name: 'Sam Arbor',
      slug: 'sam-arbor-2',
      phone: '209-555-0155',
    })
    expect(await admin.send(readPerson, { params: { slug: person._id } })).toMatchObject({ name: 'Erased person 1', phone: null })
    const own = await context.db.selectFrom('change').select(['before', 'after']).where('record', '=', person._id).execute()
    expect(JSON.stringify(own)).not.toMatch(/Sam Arbor|555-0155|old@network/)
    expect((await context.db.selectFrom('person').select('email').where('name', '=', 'Kim Later').executeTakeFirst())?.email).toBe(
      'old@network.test',
    )
  })

  test('records that were merged into a person are erased with them', async () => {
    const { as, make, context } = await startApp()
    const keep = await make.person({ name: 'Ola Finch', email: 'ola@network.test' })
    const merged = await make.person({ name: 'Ola Finch', slug: 'ola-finch-2', email: 'o.finch@network.test', phone: '209-555-0166' })
    await context.db.updateTable('person').set({ mergedInto: keep._id, archivedAt: new Date() }).where('_id', '=', merged._id).execute()
    expect(await as(1).send(erase, { body: { kind: 'person', _id: merged._id, reason: 'Asked' } })).toMatchObject({ _id: keep._id })
    const rows = await context.db
      .selectFrom('person')
      .select(['slug', 'name', 'phone', 'email'])
      .where('_id', 'in', [keep._id, merged._id])
      .orderBy('slug')
      .execute()
    expect(rows).toEqual([
      { slug: 'erased-person-1', name: 'Erased person 1', phone: null, email: null },
      { slug: 'erased-person-1-2', name: 'Erased person 1', phone: null, email: null },
    ])
    await expect(context.db.updateTable('person').set({ phone: '209-555-0166' }).where('_id', '=', merged._id).execute()).rejects.toThrow(
      'erased',
    )
  })
})

test('a board member is erased in the affair, its history and the deadlines', async () => {
  const { as, make, context } = await startApp()
  const charter = await make.charter()
  const affair = await make.affair({ charter: charter._id })
  const member = await make.member({ charter_affair: affair._id, board_member_name: 'Wilhelmina Ostrow', board_term: 'June 30, 2031' })
  const answer = await as(1).send(erase, { body: { kind: 'authorizer_board_member', _id: member._id, reason: 'Asked' } })
  expect(answer.name).toBe('Erased board member 1')
  const { rows } = await sql<{
    text: string
  }>`select to_jsonb(t)::text as text from authorizer_board_member as t union all select to_jsonb(c)::text from change as c`.execute(
    context.db,
  )
  expect(rows.filter(({ text }) => /ostrow/i.test(text))).toEqual([])
  expect(rows.some(({ text }) => text.includes('Erased board member 1') && text.includes('June 30, 2031'))).toBe(true)
})

test('an older changeset that is undone leaves the erased person out, and restores the others', async () => {
  const { as, make, context } = await startApp()
  const admin = as(1)
  const [erased, other] = [await make.person({ name: 'Ivo Sandberg', phone: '209-555-0101' }), await make.person({ phone: '209-555-0102' })]
  const changes = { phone: '209-555-0103' }
  const { changeset } = await admin.send(applyBulkChange, { body: { kind: 'person', ids: [erased._id, other._id], changes } } as never)
  await admin.send(erase, { body: { kind: 'person', _id: erased._id, reason: 'Asked' } })
  const undone = await admin.trySend(undoChangeset, { params: { id: changeset?._id ?? '' }, body: {} })
  expect(undone.statusCode).toBe(200)
  const phoneOf = async (_id: string) =>
    (await context.db.selectFrom('person').select('phone').where('_id', '=', _id).executeTakeFirst())?.phone
  expect([await phoneOf(erased._id), await phoneOf(other._id)]).toEqual([null, '209-555-0102'])
})

test('a past day and another server show the erased name', async () => {
  const first = await startApp()
  const second = await first.startSecond()
  const admin = first.as(1)
  const site = await first.make.site({ description: 'Ask Runa Halloway' })
  const person = await first.make.person({ name: 'Runa Halloway', phone: '209-555-0109' })
  await sql`update change set at = now() - interval '5 days'`.execute(first.context.db)
  await admin.send(updatePerson, { params: { id: person._id }, body: { phone: '209-555-0110' } })
  const on = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  const reader = second.as(6)
  const read = async (address: string) => (await reader.request('GET', address)).body
  const past = [
    `/locations-api/people_sites_slug/${person._id}?on=${on}`,
    `/locations-api/people?on=${on}`,
    `/locations-api/people_sites_slug/${person._id}`,
  ]
  expect(await read(past[0] ?? '')).toContain('209-555-0109')
  await admin.send(erase, { body: { kind: 'person', _id: person._id, reason: 'Asked' } })
  await finishErasures({ ...first.context, now: () => new Date(Date.now() + 61_000) })
  await second.catchUp()
  for (const address of [
    ...past,
    `/locations-api/siteslugprograms/${site.slug}`,
    `/api/history/person/${person._id}`,
    '/api/search?q=halloway',
  ])
    expect(await read(address), address).not.toMatch(/Runa|Halloway"|555-0109|555-0110/)
  expect(await read(past[0] ?? '')).toContain('"name":"Erased person 1"')
  expect(await read(`/locations-api/siteslugprograms/${site.slug}`)).not.toContain('Halloway')
})

test('10,000 history rows are erased in one request while others save', async () => {
  const { context, as, make } = await startApp()
  const { db } = context
  const person = await make.person({ name: 'Tobias Wren', phone: '209-555-0177' })
  await sql`insert into change (at, "table", record, parent, action, "actorName", before, after)
    select now() - n * interval '1 minute', 'person', ${person._id}, ${person._id}, 'update', 'Tobias Wren',
      jsonb_build_object('_id', ${person._id}::text, 'name', 'Tobias Wren', 'slug', 'tobias-wren', 'phone', '209-555-' || 1000 + n % 50, 'version', n, 'pad', repeat('x ', 500)),
      jsonb_build_object('_id', ${person._id}::text, 'name', 'Tobias Wren', 'slug', 'tobias-wren', 'phone', '209-555-0177', 'version', n + 1, 'pad', repeat('x ', 500))
    from generate_series(1, 10000) as n`.execute(db)
  const site = await make.site()
  const startedAt = performance.now()
  const erasing = as(1).send(erase, { body: { kind: 'person', _id: person._id, reason: 'Asked' } })
  await as(6).send(updateSite, { params: { id: site._id }, body: { address: { description: 'Saved beside it' } } })
  const { removed } = await erasing
  const seconds = (performance.now() - startedAt) / 1000
  expect(removed.find(({ table }) => table === 'change')?.rows).toBeGreaterThanOrEqual(10_000)
  const { rows } =
    await sql`select from change where before::text ~* 'wren' or after::text ~* 'wren' or "actorName" ~* 'wren' or before::text like '%209-555%'`.execute(
      db,
    )
  expect(rows).toEqual([])
  expect(seconds, 'at most a minute').toBeLessThan(60)
})
