import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import type { SheetKind } from '../../../contract/sheets.ts'
import { addMember, readCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { createSisSite, readSisSite } from '../../../records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../records/site-staff/contract.ts'
import { readSite } from '../../../records/sites/contract.ts'
import { readChangeset, undoChangeset } from '../changesets/contract.ts'
import { applySheet, downloadSheet, previewSheet } from './contract.ts'

type App = Awaited<ReturnType<typeof startApp>>
type Me = ReturnType<App['as']>
type Row = Record<string, unknown>

/** The rows of a downloaded sheet as objects, and a function to upload them again. */
const openSheet = async (me: Me, kind: SheetKind) => {
  const response = await me.trySend(downloadSheet, { params: { kind } })
  expect(response.statusCode).toBe(200)
  const [sheet] = (await readXlsx(response.rawPayload)).sheets
  const [head = [], ...body] = sheet!.rows
  const rows: Row[] = body.map((cells) => Object.fromEntries(head.map((name, at) => [String(name), cells[at] ?? null])))
  const upload = async () => {
    const written = rows.map((row) => head.map((name) => (row[String(name)] ?? null) as string | null))
    const file = new Blob([Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet', rows: [head, ...written] }] }))])
    return me.send(previewSheet, { params: { kind }, file })
  }
  return { rows, upload, find: (name: string) => rows.find((row) => String(row['Record']).includes(name))! }
}
const save = (me: Me, id: string, body: object = {}) => me.send(applySheet, { params: { id }, body })
const undo = (me: Me, id: string) => me.send(undoChangeset, { params: { id }, body: {} })

describe('the sheet of staff', () => {
  const start = async () => {
    const app = await startApp()
    const site = await app.make.site({ displayName: 'Lodi' })
    const ada = await app.make.person({ name: 'Ada Byron' })
    const deepak = await app.make.person({ name: 'Deepak Banerjee' })
    await app.make.sitePerson(site._id, 'Principal', ada._id)
    const role = await app.context.db.selectFrom('role').selectAll().where('name', '=', 'Principal').executeTakeFirstOrThrow()
    const principals = async () => {
      const { people } = await app.as(10).send(readSite, { params: { slug: site._id } })
      return people.flatMap((held) => (held.role_match._id === role._id ? [held.person.name] : [])).toSorted()
    }
    return { app, me: app.as(6), site, ada, deepak, role, principals }
  }

  test('has a column for each role with the people in it, and saves who was added and removed', async () => {
    const { me, principals } = await start()
    const { find, upload } = await openSheet(me, 'staff')
    expect(find('Lodi')['Principal']).toBe('Ada Byron')
    find('Lodi')['Principal'] = 'Deepak Banerjee; ada byron'
    const added = await upload()
    expect(added.cells).toMatchObject([{ label: 'Principal', state: 'change' }])
    const { changeset } = await save(me, added._id)
    expect(await principals()).toEqual(['Ada Byron', 'Deepak Banerjee'])
    expect((await me.send(readChangeset, { params: { id: changeset!._id } })).changes).toMatchObject([
      { action: 'insert', table: 'site_person' },
    ])
    await undo(me, changeset!._id)
    expect(await principals()).toEqual(['Ada Byron'])
  })

  test('shows which names match no one, and suggests similar ones', async () => {
    const { me } = await start()
    const { find, upload } = await openSheet(me, 'staff')
    find('Lodi')['Principal'] = 'D. Banerje'
    expect((await upload()).cells).toMatchObject([
      { state: 'error', message: 'No one is named “D. Banerje”. Did you mean Deepak Banerjee?' },
    ])
  })

  test('identifies people with the same name by their email addresses', async () => {
    const { app, me, site } = await start()
    const [one, other] = [
      await app.make.person({ name: 'Kim Lee', email: 'kim1@lee.test' }),
      await app.make.person({ name: 'Kim Lee', slug: 'kim-lee-2', email: 'kim2@lee.test' }),
    ]
    await app.make.sitePerson(site._id, 'Registrar', one._id)
    const { find, upload } = await openSheet(me, 'staff')
    expect(find('Lodi')['Registrar']).toBe('kim1@lee.test')
    find('Lodi')['Registrar'] = 'Kim Lee'
    expect((await upload()).cells).toMatchObject([{ state: 'error', message: expect.stringContaining('More than one person') }])
    find('Lodi')['Registrar'] = 'kim2@lee.test'
    expect((await upload()).cells).toMatchObject([{ state: 'change', after: [other._id] }])
  })

  test('keeps what others changed since, and reports a conflict where both changed a value', async () => {
    const { app, me, site, ada, deepak, role, principals } = await start()
    const { find, upload } = await openSheet(me, 'staff')
    const third = await app.make.person({ name: 'Third Person' })
    const params = { id: site._id }
    await app.as(6).send(addSiteStaff, { params, body: { person: deepak._id, role_match: role._id } })
    await app.as(6).send(removeSiteStaff, { params, body: { person_id: ada._id, role_id: role._id } })
    expect((await upload()).cells).toEqual([])
    find('Lodi')['Principal'] = 'Third Person'
    const found = await upload()
    expect(found.cells).toMatchObject([
      { state: 'conflict', before: [ada._id], after: [third._id], theirs: [deepak._id], theirsBy: expect.any(String) },
    ])
    await save(me, found._id, { choices: { [found.cells[0]!.cell]: 'mine' } })
    expect(await principals()).toEqual(['Third Person'])
  })
})

describe('the sheets of rows of records', () => {
  test('change SIS sites, move them to another site, and add and remove them', async () => {
    const app = await startApp()
    const me = app.as(6)
    const [lodi] = [await app.make.site({ displayName: 'Lodi' }), await app.make.site({ displayName: 'Galt' })]
    const sis = await me.send(createSisSite, { body: { site: lodi._id, name: 'Lodi IS' } })
    const sheet = await openSheet(me, 'sis_sites')
    Object.assign(sheet.find('Lodi IS'), { 'Associated site': 'Galt', 'Site ID': '00417', Types: 'Day; Evening', Active: 'No' })
    sheet.rows.push({ Name: 'Galt ES', 'Associated site': 'Galt' })
    const found = await sheet.upload()
    expect(found).toMatchObject({ rows: 1, newRows: 1 })
    const saved = await save(me, found._id)
    expect(saved).toMatchObject({ changed: 1, created: 1 })
    expect(await me.send(readSisSite, { params: { id: sis._id } })).toMatchObject({
      siteId: '00417',
      type_array: ['Day', 'Evening'],
      status: false,
    })
    expect((await openSheet(me, 'sis_sites')).rows).toHaveLength(2)
    expect(await undo(me, saved.changeset!._id)).toMatchObject({ left: [] })
    expect((await openSheet(me, 'sis_sites')).rows).toMatchObject([{ 'Associated site': 'Lodi', Active: 'Yes' }])
  })

  test('change board members and add some, which stay with their charter', async () => {
    const app = await startApp()
    const me = app.as(5)
    const [harbor, other] = [await app.make.charter({ name: 'Harbor Charter' }), await app.make.charter({ name: 'Other Charter' })]
    const params = { id: harbor._id }
    await me.send(addMember, { params, body: { board_member_name: 'Lena Park', board_term: '2026' } })
    const sheet = await openSheet(me, 'board_members')
    const lena = sheet.find('Lena Park')
    expect(lena).toMatchObject({ Record: 'Harbor Charter: Lena Park', Charter: 'Harbor Charter' })
    lena['Charter'] = 'Other Charter'
    expect((await sheet.upload()).cells).toMatchObject([{ state: 'error', message: expect.stringContaining('for new rows') }])
    Object.assign(lena, { Charter: 'Harbor Charter', 'Board term': '2027' })
    sheet.rows.push({ Charter: 'other charter', 'Board member name': 'Sam Roe' })
    const found = await sheet.upload()
    expect(found.cells.map(({ state }) => state)).toEqual(['change', 'new', 'new'])
    const { changeset } = await save(me, found._id)
    const membersOf = async (id: string) => {
      const [affair] = (await me.send(readCharterAffair, { params: { id } })).charter_affair_info
      return (affair?.authorizer_board_member ?? []).map(({ board_member_name, board_term }) => [board_member_name, board_term])
    }
    expect([await membersOf(harbor._id), await membersOf(other._id)]).toEqual([[['Lena Park', '2027']], [['Sam Roe', null]]])
    expect((await app.as(6).trySend(downloadSheet, { params: { kind: 'board_members' } })).statusCode).toBe(403)
    await undo(me, changeset!._id)
    expect([await membersOf(harbor._id), await membersOf(other._id)]).toEqual([[['Lena Park', '2026']], []])
  })
})

describe('new rows', () => {
  const newSite = {
    'Display name': 'Fresno Annex',
    'Site name': 'Fresno Annex',
    Charter: 'Harbor Charter',
    'Address line 1': '1180 Shaw Avenue',
    City: 'Fresno',
    'ZIP code': '93711',
    Phone: '559-555-0142',
    'Registration email': 'a@b.test; c@d.test',
    'Interest email': 'a@b.test',
  }
  const start = async () => {
    const app = await startApp()
    const region = await app.make.region()
    await app.make.charter({ name: 'Harbor Charter' })
    const me = app.as(6)
    return { app, me, sheet: await openSheet(me, 'sites'), site: { ...newSite, Region: region.name } }
  }

  test('become sites with the defaults of the form; undone, these sites are closed', async () => {
    const { me, sheet, site } = await start()
    sheet.rows.push({ ...site })
    const found = await sheet.upload()
    expect(found.newRows).toBe(1)
    expect(new Set(found.cells.map(({ state, record, name }) => `${state} ${record} ${name}`))).toEqual(new Set(['new null Fresno Annex']))
    const { changeset, created } = await save(me, found._id)
    expect(created).toBe(1)
    const params = { slug: 'fresno-annex' }
    expect(await me.send(readSite, { params })).toMatchObject({
      displayName: 'Fresno Annex',
      status: 'ACTIVE',
      address: { state: 'CA', start_time: '9:00AM', zip: '93711' },
      enrollment_info: { registrationEmail: ['a@b.test', 'c@d.test'] },
    })
    expect(await undo(me, changeset!._id)).toMatchObject({
      changed: 1,
      left: [{ table: 'site', message: expect.stringContaining('closed') }],
    })
    expect((await me.send(readSite, { params })).status).toBe('CLOSED - PERMANENTLY')
  })

  test('report which field is missing or invalid; a row without a required value is left out completely', async () => {
    const { me, sheet, site } = await start()
    sheet.rows.push({ ...site, Phone: '', Fax: 'none' }, { ...site, 'Display name': 'Fresno Two', Fax: 'none' })
    const found = await sheet.upload()
    const errors = found.cells.filter(({ state }) => state === 'error')
    expect(errors.map(({ label, row, message }) => [label, row, message])).toEqual([
      ['Phone', 2, 'This field is required'],
      ['Fax', 2, expect.any(String)],
      ['Fax', 3, expect.any(String)],
    ])
    expect((await me.trySend(applySheet, { params: { id: found._id }, body: {} })).statusCode).toBe(422)
    const choices = Object.fromEntries(errors.map(({ cell }) => [cell, 'leave']))
    expect(await save(me, found._id, { choices })).toMatchObject({ changed: 0, created: 1 })
    expect((await openSheet(me, 'sites')).rows.map((row) => row['Display name'])).toEqual(['Fresno Two'])
  })

  test('of people and charters obey the rules that involve several records', async () => {
    const { app, me } = await start()
    await app.make.person({ name: 'Ada Byron', email: 'ada@byron.test' })
    const people = await openSheet(me, 'people')
    people.rows.push({ Name: 'Ada Two', Email: 'ADA@byron.test' }, { Name: 'Bea Three', Email: 'bea@three.test' })
    const found = await people.upload()
    expect(found.cells.filter(({ state }) => state === 'error')).toMatchObject([
      { label: 'Email', message: 'Ada Byron already has this email address' },
    ])
    const charters = await openSheet(me, 'charters')
    charters.rows.push({
      'Charter name': 'harbor charter',
      Abbreviation: 'HC',
      Brand: String(charters.rows[0]!['Brand']),
      Website: 'https://h.test',
    })
    expect((await charters.upload()).cells.filter(({ state }) => state === 'error')).toMatchObject([{ label: 'Charter name' }])
  })

  test('are refused in sheets of parts, which are created with their site', async () => {
    const { app, me } = await start()
    await app.make.site()
    const sheet = await openSheet(me, 'facilities')
    sheet.rows.push({ 'Lease holder': 'Someone' })
    expect((await sheet.upload()).cells).toMatchObject([{ state: 'error', message: expect.stringContaining('Add the record on its page') }])
  })
})
