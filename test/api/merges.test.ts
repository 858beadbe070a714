import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { undoChangeset } from '../../src/features/changing/changesets/contract.ts'
import { dismissDuplicate } from '../../src/features/changing/duplicates/contract.ts'
import { readHistory } from '../../src/features/changing/history/contract.ts'
import { mergeRecords, previewMerge } from '../../src/features/changing/merges/contract.ts'
import { addFavorite, listFavorites } from '../../src/features/finding/favorites/contract.ts'
import { updateFacility } from '../../src/records/facility/contract.ts'
import { addSiteStaff } from '../../src/records/site-staff/contract.ts'
import { readSite, updateSite } from '../../src/records/sites/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { listMentionsOf, mergeTwo, readRow, readState, toBody, undo } from '../support/merges.ts'

describe('a merge of people', () => {
  test('gives everything of one to the other, in one changeset, and its undo restores all of it', async () => {
    const app = await startApp()
    const { make, as } = app
    const [kept, merged] = [
      await make.person({ name: 'Katherine Duplessis', email: null, phone: '209-555-0188', sql_person_id: '104412' }),
      await make.person({ name: 'Kathy Duplessis', email: 'kduplessis@network.test', phone: null }),
    ]
    const [site, other] = [await make.site(), await make.site()]
    await make.sitePerson(site._id, 'Counselor', kept._id)
    await make.sitePerson(site._id, 'Counselor', merged._id)
    await make.sitePerson(other._id, 'Counselor', merged._id)
    const me = as(6)
    const { account } = await me.who()
    await me.send(addFavorite, { params: { kind: 'person', id: merged._id } })
    await sql`insert into deadline (kind, source, site, title, date, responsible) values ('custom', 'custom', ${site._id}, 'Visit', '2027-01-02', ${merged._id})`.execute(
      app.context.db,
    )
    await sql`insert into planned_change (kind, record, day, changes, before, account, name, "createdAt") values
      ('person', ${merged._id}, '2099-01-01', '{"phone": "209-555-0100"}', '{"phone": null}', ${account}, 'Me', now()),
      ('site', ${other._id}, '2099-01-01', jsonb_build_object('roles.x', jsonb_build_array(${merged._id}::text, ${kept._id}::text)), '{}', ${account}, 'Me', now())`.execute(
      app.context.db,
    )
    await sql`insert into comment (kind, record, text, account, name, "createdAt") values ('site', ${site._id}, ${`Ask @{${merged._id}}`}, ${account}, 'Me', now())`.execute(
      app.context.db,
    )
    await sql`insert into comment_recipient (comment, person) select _id, ${merged._id} from comment`.execute(app.context.db)
    await sql`insert into calendar (hash, account, name, filter, "createdAt") values ('\\x01', ${account}, 'Mine', ${JSON.stringify({ responsible: merged._id })}::jsonb, now())`.execute(
      app.context.db,
    )
    const third = await make.person({ name: 'Kath Duplessis' })
    await me.send(dismissDuplicate, { body: { kind: 'person', a: merged._id, b: third._id } })
    await me.send(dismissDuplicate, { body: { kind: 'person', a: third._id, b: kept._id } })
    const before = await readState(app)

    const preview = await me.send(previewMerge, { body: { kind: 'person', keep: kept._id, merge: merged._id } })
    expect(preview.fields.map(({ path, isSame, suggested, fuller }) => [path, isSame, suggested, fuller])).toEqual([
      ['name', false, 'keep', 'keep'],
      ['phone', false, 'keep', 'keep'],
      ['email', false, 'merge', 'merge'],
      ['sql_person_id', false, 'keep', 'keep'],
    ])
    const moves = Object.fromEntries(preview.moves.map(({ noun, count }) => [noun[0], count]))
    expect(moves).toEqual({ role: 2, deadline: 1, favorite: 1, mention: 1, 'planned change': 1, 'history entry': 1 })

    const changeset = await mergeTwo(app, me, 'person', kept._id, merged._id, { name: 'Katherine M. Duplessis' })
    expect(await readRow(app, 'person', kept._id)).toMatchObject({
      name: 'Katherine M. Duplessis',
      email: 'kduplessis@network.test',
      phone: '209-555-0188',
      sql_person_id: '104412',
    })
    expect(await readRow(app, 'person', merged._id)).toMatchObject({
      mergedInto: kept._id,
      archivedReason: 'Merged into Katherine Duplessis',
    })
    expect((await listMentionsOf(app, merged._id)).toSorted()).toEqual(['person'])
    const roles = await app.context.db.selectFrom('site_person').select(['site', 'person']).execute()
    expect(roles.map(({ site: at, person }) => [at, person]).toSorted()).toEqual(
      [
        [site._id, kept._id],
        [other._id, kept._id],
      ].toSorted(),
    )
    const plans = await app.context.db.selectFrom('planned_change').select(['record', 'changes']).where('kind', '=', 'site').execute()
    expect(plans[0]?.changes).toEqual({ 'roles.x': [kept._id] })

    // Old addresses lead to the record that stays.
    for (const path of [`/locations-api/people_sites_slug/${merged.slug}`, `/locations-api/people_sites_slug/${merged._id}`])
      expect((await me.request('GET', path)).json()).toMatchObject({ _id: kept._id })
    expect((await me.send(listFavorites)).map(({ _id }) => _id)).toEqual([kept._id])
    const history = await me.send(readHistory, { params: { kind: 'person', id: merged._id } })
    expect(history.changes.map(({ action, title, canRestore }) => [action, title, canRestore])).toEqual(
      expect.arrayContaining([
        ['insert', null, false],
        ['insert', 'Kathy Duplessis', false],
        ['update', 'Kathy Duplessis', false],
      ]),
    )

    const { left } = await undo(me, changeset)
    expect(left).toEqual([])
    expect(await readState(app)).toEqual(before)
    expect((await me.request('GET', `/locations-api/people_sites_slug/${merged.slug}`)).json()).toMatchObject({ _id: merged._id })
  })
})

describe('a merge of sites', () => {
  test('unites their parts and lists, and leaves alone in its undo what was changed since', async () => {
    const app = await startApp()
    const { make, as, context } = app
    const [kept, merged] = [
      await make.site({ displayName: 'Lodi', phone: null }),
      await make.site({ displayName: 'Lodi Resource Center', phone: '209-555-0101' }),
    ]
    const programs = [await make.programType(), await make.programType(), await make.programType()]
    const [a, b, c] = programs.map(({ _id }) => _id)
    for (const program of [a!, b!]) await make.siteProgram(kept._id, program)
    for (const program of [b!, c!]) await make.siteProgram(merged._id, program)
    await make.enrollment(kept._id, { registrationEmail: ['one@network.test'] })
    await make.enrollment(merged._id, { registrationEmail: ['one@network.test', 'two@network.test'] })
    await make.sisSite({ site: merged._id })
    await make.sitePerson(merged._id)
    const me = as(6)
    await me.send(updateFacility, { params: { id: merged._id }, body: { county: 'San Joaquin', lease_end: '2027-06-30' } })
    await sql`insert into request (kind, site, text) values ('change', ${merged._id}, 'Hello')`.execute(context.db)
    await sql`insert into deadline (kind, source, record, field, site, text, date, responsible) values ('lease_end', 'facility', ${merged._id}, 'lease_end', ${merged._id}, '06/30/2027', '2027-06-30', null)`.execute(
      context.db,
    )
    const before = await readState(app)
    const changeset = await mergeTwo(app, me, 'site', kept._id, merged._id, { 'facility_info.county': 'Kern' })
    const read = await me.send(readSite, { params: { slug: merged.slug } })
    expect(read).toMatchObject({
      _id: kept._id,
      address: { phone: '209-555-0101' },
      facility_info: { county: 'Kern', lease_end: '2027-06-30' },
      enrollment_info: { registrationEmail: ['one@network.test', 'two@network.test'] },
    })
    expect(new Set(read.enrollment_info.programTypes.map(({ _id }) => _id))).toEqual(new Set([a, b, c]))
    expect([read.people.length, read.sis_sites.length]).toEqual([1, 1])
    // Its facility and enrollment are columns of the merged record.
    expect(new Set(await listMentionsOf(app, merged._id))).toEqual(new Set(['site', 'facility', 'enrollment']))

    await undo(me, changeset)
    const after = await readState(app)
    expect(after).toEqual(before)

    const again = await mergeTwo(app, me, 'site', kept._id, merged._id)
    await me.send(updateSite, { params: { id: kept._id }, body: { address: { phone: '209-555-0999' } } })
    const role = await make.role()
    const person = await make.person()
    await me.send(addSiteStaff, { params: { id: kept._id }, body: { person: person._id, role_match: role._id } })
    const { left } = await undo(me, again)
    expect(left).toMatchObject([{ record: kept._id, field: 'phone', present: '209-555-0999' }])
    expect((await readRow(app, 'site', kept._id))['phone']).toBe('209-555-0999')
    expect((await me.send(readSite, { params: { slug: merged.slug } }))._id).toBe(merged._id)
    expect((await me.send(readSite, { params: { slug: kept._id } })).people.map(({ person: { _id } }) => _id)).toEqual([person._id])
  })
})

describe('a merge of charters', () => {
  const makeAffairs = async ({ make }: TestApp) => {
    const [kept, merged] = [await make.charter({ name: 'Delta' }), await make.charter({ name: 'Delta Charter' })]
    const own = await make.affair({ charter: kept._id, overview: JSON.stringify({ fein: '12-3456789' }) })
    const other = await make.affair({ charter: merged._id, overview: JSON.stringify({ fein: '98-7654321', authorizer: 'Lodi Unified' }) })
    const member = await make.member({ charter_affair: other._id })
    const district = await make.district({ charter_affair: other._id })
    const site = await make.site({ charter: merged._id })
    return { kept, merged, own, other, member, district, site }
  }

  test('unites two charter affairs, with fields, members and districts, and its undo parts them', async () => {
    const app = await startApp()
    const made = await makeAffairs(app)
    const { kept, merged, own, other } = made
    const me = app.as(5)
    const date = (title: string, values: object) => ({ kind: 'other', date: '2027-01-02', charter: merged._id, note: title, ...values })
    const ofText = (record: string, field: string, more: object = {}) => ({
      source: 'charter_affair',
      record,
      section: 'overview',
      field,
      ...more,
    })
    await app.context.db
      .insertInto('deadline')
      .values([
        date('added', { source: 'custom', title: 'Visit' }),
        date('of one', ofText(other._id, 'authorizer')),
        date('of both, open', ofText(other._id, 'fein')),
        date('of both, handled', ofText(other._id, 'oversight', { state: 'handled' })),
        date('own', ofText(own._id, 'fein', { charter: kept._id })),
        date('own', ofText(own._id, 'oversight', { charter: kept._id })),
      ] as never)
      .execute()
    const before = await readState(app)
    const preview = await me.send(previewMerge, { body: { kind: 'charter', keep: kept._id, merge: merged._id } })
    expect(preview.fields.filter(({ path }) => path.startsWith('charter_affair.')).map(({ path, suggested }) => [path, suggested])).toEqual(
      [
        ['charter_affair.overview.fein', 'keep'],
        ['charter_affair.overview.authorizer', 'merge'],
      ],
    )
    expect(preview.fields.map(({ path }) => path)).not.toContain('slug')
    const changeset = await mergeTwo(app, me, 'charter', kept._id, merged._id, { 'charter_affair.overview.fein': '98-7654321' })
    expect((await readRow(app, 'charter_affair', own._id))['overview']).toMatchObject({ fein: '98-7654321', authorizer: 'Lodi Unified' })
    for (const [table, row] of [
      ['authorizer_board_member', made.member],
      ['center_district', made.district],
    ] as const)
      expect((await readRow(app, table, row._id))['charter_affair']).toBe(own._id)
    expect((await readRow(app, 'site', made.site._id))['charter']).toBe(kept._id)
    expect(await listMentionsOf(app, other._id)).toEqual([])
    // A date of a text that both have is that of the united affair; a handled one stays as its past.
    const dates = await app.context.db.selectFrom('deadline').select(['note', 'record', 'charter', 'isCurrent']).orderBy('note').execute()
    expect(dates).toEqual([
      { note: 'added', record: null, charter: kept._id, isCurrent: true },
      { note: 'of both, handled', record: own._id, charter: kept._id, isCurrent: false },
      { note: 'of one', record: own._id, charter: kept._id, isCurrent: true },
      { note: 'own', record: own._id, charter: kept._id, isCurrent: true },
      { note: 'own', record: own._id, charter: kept._id, isCurrent: true },
    ])
    for (const path of [`charterview/${merged._id}`, `charterview/${merged.slug}`, `charterbyslug/${merged.slug}`])
      expect((await me.request('GET', `/locations-api/${path}`)).json(), path).toMatchObject({ _id: kept._id })
    expect(new Set(await listMentionsOf(app, merged._id))).toEqual(new Set(['charter']))
    const history = await me.request('GET', `/api/history/charter_affair/${kept._id}`)
    expect(history.json().changes.filter(({ part }: { part: string }) => part === 'charter_affair').length).toBeGreaterThan(2)
    await undo(me, changeset)
    expect(await readState(app)).toEqual(before)
  })

  test('with a charter affair needs the level to edit it, and gives it as a whole to one that has none', async () => {
    const app = await startApp()
    const [kept, merged] = [await app.make.charter(), await app.make.charter()]
    const affair = await app.make.affair({ charter: merged._id, overview: JSON.stringify({ fein: '1' }) })
    const body = await toBody(app, 'charter', kept._id, merged._id)
    expect((await app.as(6).trySend(mergeRecords, { body })).statusCode).toBe(403)
    const before = await readState(app)
    const me = app.as(5)
    const { changeset } = await me.send(mergeRecords, { body })
    expect((await readRow(app, 'charter_affair', affair._id))['charter']).toBe(kept._id)
    expect((await app.as(6).trySend(undoChangeset, { params: { id: changeset._id }, body: {} })).statusCode).toBe(403)
    await undo(me, changeset._id)
    expect(await readState(app)).toEqual(before)
  })
})

test('brands are merged with their charters, and an equal name is not refused', async () => {
  const app = await startApp()
  const [kept, merged] = [
    await app.make.brand({ brandName: 'Delta', slug: 'delta-a' }),
    await app.make.brand({ brandName: 'Delta', slug: 'delta-b' }),
  ]
  const charter = await app.make.charter({ brand: merged._id })
  const before = await readState(app)
  const me = app.as(6)
  const changeset = await mergeTwo(app, me, 'brand', kept._id, merged._id)
  expect((await readRow(app, 'charter', charter._id))['brand']).toBe(kept._id)
  expect(await listMentionsOf(app, merged._id)).toEqual(['brand'])
  // On every server, also for another one's reads by the old address.
  const second = await app.startSecond()
  for (const one of [app, second])
    for (const path of ['brand', 'brandview'].flatMap((call) => [merged._id, merged.slug].map((key) => `/locations-api/${call}/${key}`)))
      expect((await one.as(10).request('GET', path)).json(), path).toMatchObject({ _id: kept._id })
  await undo(me, changeset)
  expect(await readState(app)).toEqual(before)
})

test('a merge of merged records leads all addresses to the last one, and is undone in the reverse order', async () => {
  const app = await startApp()
  const [a, b, c] = [await app.make.person(), await app.make.person(), await app.make.person()]
  const me = app.as(6)
  const before = await readState(app)
  const first = await mergeTwo(app, me, 'person', b._id, a._id)
  const second = await mergeTwo(app, me, 'person', c._id, b._id)
  for (const one of [a, b])
    expect((await me.request('GET', `/locations-api/people_sites_slug/${one.slug}`)).json()).toMatchObject({ _id: c._id })
  const history = await me.send(readHistory, { params: { kind: 'person', id: c._id } })
  expect(new Set(history.changes.map(({ title }) => title))).toEqual(new Set([null, a.name, b.name]))
  const refused = await me.trySend(undoChangeset, { params: { id: first }, body: {} })
  expect([refused.statusCode, refused.json().detail]).toEqual([409, 'Undo the later merge first.'])
  const undone = await undo(me, second)
  expect((await me.trySend(undoChangeset, { params: { id: undone.changeset!._id }, body: {} })).statusCode).toBe(409)
  await undo(me, first)
  expect(await readState(app)).toEqual(before)
})
