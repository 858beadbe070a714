import { readXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'

import { startApp } from '../../../../../test/support/app.ts'
import { chartersSheet, handKeptSites, hrExport, largeDirectory, stateDirectory, toXlsx } from '../../../../../test/support/import-files.ts'
import type { ImportKind } from '../../../../contract/imports.ts'
import { listCharters, updateCharter } from '../../../../records/charters/contract.ts'
import { searchStaff } from '../../../../records/hr/contract.ts'
import { listPeople } from '../../../../records/people/contract.ts'
import { listSites, readSite } from '../../../../records/sites/contract.ts'
import { search } from '../../../finding/search/contract.ts'
import { readChangeset, undoChangeset } from '../../changesets/contract.ts'
import { applySheet, downloadSheetPreview, readSheetPreview } from '../contract.ts'
import { applyImport, createImport, listImports, mapImport, readImport } from './contract.ts'

const start = async () => {
  const app = await startApp()
  return { app, me: app.as(5) }
}
type Me = Awaited<ReturnType<typeof start>>['me']
const upload = (me: Me, kind: ImportKind | 'any', file: Blob) => me.send(createImport, { params: { kind }, file })
const fieldsOf = ({ columns }: Awaited<ReturnType<typeof upload>>) =>
  Object.fromEntries(columns.map(({ header, field }) => [header, field]))
const apply = (me: Me, id: string, body = {}) => me.send(applyImport, { params: { id }, body })

describe('a file of another program', () => {
  test('of a state in another layout becomes charters and sites without help', async () => {
    const { me } = await start()
    const state = await upload(me, 'charters', stateDirectory())
    expect(state).toMatchObject({ headerLine: 4, rows: 4 })
    expect(fieldsOf(state)).toEqual({
      IRN: 'directory_id',
      'Organization Name': 'name',
      'Operational Status': 'status',
      'Mailing Address': 'address_1',
      'City, State, Zip': 'place',
      Telephone: 'phone',
      '': null,
      GSLO: 'grade_low',
      GSHI: 'grade_high',
    })
    expect(state.columns.filter(({ field, confidence }) => field !== null && confidence < 0.7)).toEqual([])
    expect(state.values).toEqual([
      expect.objectContaining({ field: 'status', value: 'Open/Operational', count: 3, target: 'ACTIVE', confidence: 1 }),
      expect.objectContaining({ field: 'status', value: 'Closed 06/2024', count: 1, target: 'CLOSED - PERMANENTLY' }),
    ])
    const preview = await me.send(readImport, { params: { id: state._id } })
    expect(preview.counts).toEqual({ new: 4, changed: 0, unchanged: 0, conflicts: 0, errors: 1 })
    expect(preview.cells.filter((cell) => cell.state === 'error')).toMatchObject([{ cell: 'F7', field: 'phone', after: '(419) 555-01' }])
    expect(await apply(me, state._id, { choices: { F7: { value: '419-555-0144' } } })).toMatchObject({ created: 4, changed: 0 })
    const sites = await me.send(listSites)
    expect(
      sites.map(({ displayName, address: { city, state: code, zip, phone } }) => [displayName, city, code, zip, phone]).toSorted(),
    ).toEqual([
      ['BUCKEYE PREPARATORY', 'COLUMBUS', 'OH', '43205-2217', '614-300-3685'],
      ['BUCKEYE PREPARATORY', 'DAYTON', 'OH', '45402', '937-555-0123'],
      ['LAKE ERIE ACADEMY', 'TOLEDO', 'OH', '43606', '419-475-6620 x12'],
      ['OLD FORT COLLEGIATE', 'LIMA', 'OH', '45801', '419-555-0144'],
    ])
    expect(new Set(sites.map(({ region }) => region?.name))).toEqual(new Set(['Ohio']))
    const charters = await me.send(listCharters)
    expect(charters.map(({ charter_grade_levels: grades, status }) => [grades, status]).toSorted()).toEqual([
      ['09-12', 'CLOSED - PERMANENTLY'],
      ['KG-06', 'ACTIVE'],
      ['KG-08', 'ACTIVE'],
      ['PK-05', 'ACTIVE'],
    ])
  })

  test('of an HR system becomes people with their roles, wherever the words are known', async () => {
    const { app, me } = await start()
    const lodi = await app.make.site({ displayName: 'Lodi Resource Center' })
    const galt = await app.make.site({ displayName: 'Galt Resource Center' })
    const state = await upload(me, 'staff', hrExport())
    expect(fieldsOf(state)).toEqual({
      'Worker ID': 'PersonID',
      'Worker Name': 'full_name',
      'Job Profile': 'Title',
      'Location Description': 'location',
      'Work Contact: Work Email': 'EmailAddress',
      'Work Phone': 'phone',
      'Hire Date': null,
    })
    const words = Object.fromEntries(state.values.map(({ value, target }) => [value, target]))
    expect([words['014 - Lodi Resource Center'], words['Galt RC'], words['Lead Teacher III']]).toEqual([lodi._id, galt._id, null])
    const roles = new Map(state.choices['Title']!.map(({ value, label }) => [value, label]))
    expect(['Principal', 'Principal - Elementary', 'Vice Principal', 'Registrar'].map((word) => roles.get(words[word]!))).toEqual([
      'Principal',
      'Principal',
      'Assistant Principal',
      'Registrar',
    ])
    expect(state.fields.find(({ key }) => key === 'Title')).toMatchObject({
      none: 'No role',
      about: expect.stringContaining('The roles are fixed'),
    })
    const chosen = await me.send(mapImport, {
      params: { id: state._id },
      body: { mapping: { values: { Title: { 'Lead Teacher III': words['Registrar']! } } } },
    })
    expect(chosen.values.find(({ value }) => value === 'Lead Teacher III')).toMatchObject({
      target: words['Registrar'],
      reason: 'Chosen by you',
    })
    await me.send(mapImport, { params: { id: state._id }, body: { mapping: { values: { Title: { 'Lead Teacher III': null } } } } })
    const preview = await me.send(readImport, { params: { id: state._id } })
    expect(preview.cells.filter((cell) => cell.state === 'error').map(({ cell, message }) => [cell, message])).toEqual([
      ['E4', 'This is not an email address'],
      ['E6', 'Row 2 has this email address, too'],
    ])
    await apply(me, state._id)
    const people = await me.send(listPeople)
    expect(
      people.map(({ name, email, phone, locations }) => [name, email, phone, ...locations.map(({ role }) => role.name)]).toSorted(),
    ).toEqual([
      ['Ana María de la Cruz', null, null],
      ['Ben Okafor', 'bokafor@school.test', '209-555-0143', 'Principal'],
      ['Linh Nguyen', null, '209-555-0146', 'Registrar'],
      ['Maria Rivera', 'mrivera@school.test', '209-555-0142 x7', 'Principal'],
      ["Pat O'Brien Jr.", 'pobrien@school.test', '209-555-0145', 'Assistant Principal'],
    ])
    const again = await upload(me, 'staff', hrExport())
    expect((await me.send(readImport, { params: { id: again._id } })).counts).toMatchObject({ new: 0, changed: 0, unchanged: 3, errors: 2 })
  })

  test('kept by hand, with titles, groups and two phones in a cell, becomes sites', async () => {
    const { app, me } = await start()
    const charter = await app.make.charter({ name: 'Harbor Charter' })
    const state = await upload(me, 'sites', await handKeptSites())
    expect(state).toMatchObject({ sheet: 'Centers', headerLine: 4, rows: 3 })
    expect(fieldsOf(state)).toMatchObject({
      Center: 'name',
      'Street Address': 'address_1',
      'City / State / Zip': 'place',
      'Phone(s)': 'phone',
      Notes: 'description',
    })
    const mapped = await me.send(mapImport, {
      params: { id: state._id },
      body: { mapping: { 'What is it': 'category', 'Run by': 'charter' } },
    })
    expect(mapped.values.map(({ field, value, target }) => [field, value, target])).toEqual([
      ['category', 'Learning center', 'Resource Center'],
      ['category', 'Distribution', 'Distribution Center'],
      ['charter', 'Harbor Charter', charter._id],
      ['charter', 'Harbor', charter._id],
    ])
    await apply(me, state._id)
    const stored = await app.context.db
      .selectFrom('site')
      .innerJoin('facility', 'facility.site', 'site._id')
      .select(['displayName', 'category', 'charter', 'city', 'state', 'zip', 'phone', 'phone_2'])
      .orderBy('displayName')
      .execute()
    expect(stored.map((site) => Object.values(site))).toEqual([
      ['Galt', 'Resource Center', charter._id, 'Galt', 'CA', '95632', '209-555-0110', '209-555-0111'],
      ['Lodi', 'Resource Center', charter._id, 'Lodi', 'CA', '95242', '209-555-0100', '209-555-0101'],
      ['Warehouse', 'Distribution Center', charter._id, 'Fresno', 'CA', '93650', '559-555-0120', null],
    ])
    const next = await upload(me, 'sites', await handKeptSites())
    expect(next.isRemembered).toBe(true)
    expect(fieldsOf(next)).toMatchObject({ 'What is it': 'category', 'Run by': 'charter' })
  })

  test('of sites without a charter becomes sites that are found and shown like all others', async () => {
    const { app, me } = await start()
    await app.make.site()
    await me.send(search, { query: { q: 'office' } })
    const { _id } = await upload(me, 'any', new Blob(['Site Name,Type,City,State,ZIP\r\nHead Office,Office,Lodi,CA,95240\r\n']))
    await apply(me, _id)
    // The first search of the index that has the new site, and one of an index that was built with it.
    const second = await app.startSecond()
    for (const { groups } of [
      await me.send(search, { query: { q: 'head office' } }),
      await second.as(5).send(search, { query: { q: 'head office' } }),
    ])
      expect(groups.flatMap(({ hits }) => hits.map(({ name }) => name))).toContain('Head Office')
    const [office] = (await me.send(listSites)).filter(({ displayName }) => displayName === 'Head Office')
    expect(office).toMatchObject({ charter: null })
    expect(await me.send(readSite, { params: { slug: office!.slug } })).toMatchObject({ displayName: 'Head Office' })
  })

  test('of charters without codes and addresses becomes charters only, with their brands', async () => {
    const { app, me } = await start()
    const state = await upload(me, 'charters', chartersSheet())
    expect(fieldsOf(state)).toMatchObject({
      Charter: 'name',
      'Short name': 'abbreviation',
      CMO: 'brand',
      Status: 'status',
      'Main phone': 'phone',
      Website: 'website',
      Students: 'studentCount',
      'Grade span': 'grades',
      Renewal: null,
    })
    const { changeset } = await apply(me, state._id)
    const charters = await me.send(listCharters)
    expect(charters.map(({ name, brandName, status, studentCount }) => [name, brandName, status, studentCount])).toEqual([
      ['Harbor Charter', 'Bright Path', 'ACTIVE', 412],
      ['Summit Charter', 'Bright Path', 'PENDING', null],
      ['Valley, The Charter', 'Independent', 'CLOSED - TEMPORARILY', 1],
    ])
    expect(await me.send(listSites)).toEqual([])
    expect((await me.send(readChangeset, { params: { id: changeset!._id } })).kind).toBe('import')
    await me.send(undoChangeset, { params: { id: changeset!._id }, body: {} })
    expect(await me.send(listCharters)).toEqual([])
    expect(await app.context.db.selectFrom('brand').select('brandName').where('brandName', '=', 'Bright Path').execute()).toEqual([])
  })

  test('changes only what differs, keeps what someone edited, and is undone as one', async () => {
    const { me } = await start()
    const rows = (phone: string, city: string) =>
      new Blob([
        `CDSCode,School,Status,Street,City,State,Zip,Phone\n01611190130229,Acorn High,Active,1 Oak St,${city},CA,94501,${phone}\n1611190130230,Birch High,Active,2 Oak St,${city},CA,94501,${phone}\n`,
      ])
    await apply(me, (await upload(me, 'charters', rows('510-555-0101', 'Alameda')))._id)
    const [acorn] = await me.send(listCharters)
    await me.send(updateCharter, { params: { id: acorn!._id }, body: { charterContactnumber: '510-555-0199' } })
    const next = await upload(me, 'charters', rows('510-555-0102', 'Oakland'))
    const preview = await me.send(readImport, { params: { id: next._id } })
    expect(preview.counts).toEqual({ new: 0, changed: 3, unchanged: 0, conflicts: 1, errors: 0 })
    expect(preview.cells.find(({ state }) => state === 'conflict')).toMatchObject({ cell: 'H2', field: 'phone', after: '510-555-0102' })
    const { changeset, changed } = await apply(me, next._id)
    expect(changed).toBe(2)
    const cities = async () => (await me.send(listSites)).map(({ address: { city, phone } }) => [city, phone])
    expect(await cities()).toEqual([
      ['Oakland', '510-555-0102'],
      ['Oakland', '510-555-0102'],
    ])
    await me.send(undoChangeset, { params: { id: changeset!._id }, body: {} })
    expect(await cities()).toEqual([
      ['Alameda', '510-555-0101'],
      ['Alameda', '510-555-0101'],
    ])
  })

  test('checks no record, and what was undone comes back by undoing that, with every value', async () => {
    const { app, me } = await start()
    const { changeset } = await apply(me, (await upload(me, 'charters', stateDirectory()))._id)
    const read = async () => {
      const { db } = app.context
      const sites = await db.selectFrom('site').innerJoin('facility', 'facility.site', 'site._id').selectAll().orderBy('slug').execute()
      const charters = await db.selectFrom('charter').selectAll().orderBy('slug').execute()
      return [...sites, ...charters].map(({ version: _version, updatedAt: _at, updatedBy: _by, ...values }) => values)
    }
    const before = await read()
    expect(new Set(before.map(({ checkedAt }) => checkedAt))).toEqual(new Set([null]))
    const undone = await me.send(undoChangeset, { params: { id: changeset!._id }, body: {} })
    expect(await read()).toEqual([])
    const again = await me.send(undoChangeset, { params: { id: undone.changeset!._id }, body: {} })
    expect([again.left, await read()]).toEqual([[], before])
    // What came back is not emptied by undoing that, too: records that exist are closed.
    await me.send(undoChangeset, { params: { id: again.changeset!._id }, body: {} })
    const closed = before.map((values) => ('status' in values ? { ...values, status: 'CLOSED - PERMANENTLY' } : values))
    expect(await read()).toEqual(closed)
  })

  test('gives Add Staff its employees; an undo removes them and undoing that restores them, unless a later file names them', async () => {
    const { app, me } = await start()
    const toFile = (...rows: string[]) => new Blob([['Employee ID,Name,Job Title,Department', ...rows].join('\r\n')])
    const find = async (query: string) =>
      (await app.as(6).send(searchStaff, { params: { query } })).recordset.map(({ PersonID, Title, Department }) => [
        PersonID,
        Title,
        Department,
      ])
    const first = await apply(me, (await upload(me, 'staff', toFile('71,Ana Ruiz,Tutor,Math', '72,Bo Li,Coach,Sports')))._id)
    const second = await apply(me, (await upload(me, 'staff', toFile('71,Ana Ruiz,Head Tutor,Math')))._id)
    const undo = async (_id: string) => (await me.send(undoChangeset, { params: { id: _id }, body: {} })).changeset!._id
    const undone = await undo(second.changeset!._id)
    expect(await find('ruiz')).toEqual([['71', 'Tutor', 'Math']])
    await undo(undone)
    expect(await find('ruiz')).toEqual([['71', 'Head Tutor', 'Math']])
    const removed = await undo(first.changeset!._id)
    expect([await find('ruiz'), await find('bo li')]).toEqual([[['71', 'Head Tutor', 'Math']], []])
    const again = await undo(removed)
    expect(await find('bo li')).toEqual([['72', 'Coach', 'Sports']])
    await undo(again)
    expect(await find('bo li')).toEqual([])
    // A later file says all of it: nothing of the undone one returns.
    await apply(me, (await upload(me, 'staff', new Blob(['Employee ID,Name\r\n72,Bo Li\r\n'])))._id)
    expect(await find('bo li')).toEqual([['72', null, null]])
  })

  test('is refused with a reason if it has no rows or is another kind of file', async () => {
    const { me } = await start()
    const messages = async (file: Blob) => {
      const response = await me.trySend(createImport, { params: { kind: 'charters' }, file })
      return [response.statusCode, response.json().errors?.[0].message]
    }
    expect(await messages(new Blob(['Name,City\n']))).toEqual([422, 'This file has a header and no rows below it'])
    expect(await messages(new Blob([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2])]))).toEqual([
      422,
      expect.stringContaining('old Excel file'),
    ])
    expect(await messages(new Blob([new Uint8Array([0, 1, 2, 3])]))).toEqual([422, expect.stringContaining('neither a workbook')])
    expect(await messages(new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])]))).toEqual([422, expect.stringContaining('cannot be read')])
    expect((await messages(await toXlsx({ name: 'Empty', rows: [] })))[0]).toBe(422)
  })

  test('is seen, mapped and saved only by the person who uploaded it, at level 5', async () => {
    const { app, me } = await start()
    const { _id } = await upload(me, 'charters', chartersSheet())
    const params = { id: _id }
    expect((await app.as(6).trySend(createImport, { params: { kind: 'charters' }, file: chartersSheet() })).statusCode).toBe(403)
    for (const other of [app.as(1)])
      expect([
        (await other.trySend(readImport, { params })).statusCode,
        (await other.trySend(mapImport, { params, body: { mapping: {} } })).statusCode,
        (await other.trySend(applyImport, { params })).statusCode,
      ]).toEqual([404, 404, 404])
    expect((await me.trySend(applySheet, { params, body: {} })).statusCode).toBe(404)
    const { changeset } = await apply(me, _id)
    expect((await me.trySend(applyImport, { params })).statusCode).toBe(409)
    expect(await me.send(readSheetPreview, { params })).toMatchObject({ progress: { state: 'saved', changeset }, left: [] })
  })

  test('with an unknown column or field is refused', async () => {
    const { me } = await start()
    const { _id } = await upload(me, 'charters', chartersSheet())
    for (const mapping of [{ Planet: 'name' }, { columns: { '0': 'shoe_size' } }]) {
      const response = await me.trySend(mapImport, { params: { id: _id }, body: { mapping } })
      expect(response.statusCode).toBe(422)
    }
    const cleared = await me.send(mapImport, { params: { id: _id }, body: { mapping: { columns: [{ index: 3, field: null }] } } })
    expect(cleared.columns[3]).toMatchObject({ header: 'CMO', field: null })
  })

  test('is one of several of the same day, listed in the order in which they refer to each other', async () => {
    const { app, me } = await start()
    const toFile = async (blob: Blob, name: string) => new File([await blob.arrayBuffer()], name)
    const staff = await upload(me, 'any', await toFile(hrExport(), 'staff.csv'))
    const schools = await upload(me, 'any', await toFile(stateDirectory(), 'schools.csv'))
    await apply(me, schools._id)
    expect(await me.send(listImports)).toEqual([
      { _id: schools._id, kind: 'charters', fileName: 'schools.csv', at: schools.at, isSaved: true },
      { _id: staff._id, kind: 'staff', fileName: 'staff.csv', at: staff.at, isSaved: false },
    ])
    expect(await app.as(1).send(listImports)).toEqual([])
  })

  test('that was recognized as something else is read again as what the user says', async () => {
    const { me } = await start()
    const guessed = await upload(me, 'any', stateDirectory())
    expect(guessed.kind).toBe('charters')
    const params = { id: guessed._id }
    const sites = await me.send(mapImport, { params, body: { kind: 'sites', mapping: { 'Organization Name': 'name' } } })
    expect(sites).toMatchObject({ kind: 'sites', headerLine: 4 })
    expect(sites.fields.map(({ key }) => key)).toContain('category')
    expect((await me.trySend(mapImport, { params, body: {} })).statusCode).toBe(422)
    await apply(me, guessed._id)
    expect(await me.send(listSites)).toHaveLength(4)
    expect((await me.trySend(mapImport, { params, body: { kind: 'charters' } })).statusCode).toBe(409)
  })

  test('that looks like nothing is refused with what to do', async () => {
    const { me } = await start()
    const response = await me.trySend(createImport, { params: { kind: 'any' }, file: new Blob(['one,two\r\nred,blue\r\n']) })
    expect([response.statusCode, response.json().errors]).toEqual([
      422,
      [{ path: 'file', message: 'Homeroom does not recognize what is in this file. On the page Import, first choose what it has.' }],
    ])
  })

  test('gives back the rows that were left out, with the reasons as comments and the columns of the file', async () => {
    const { me } = await start()
    const state = await upload(me, 'charters', stateDirectory())
    await apply(me, state._id)
    const response = await me.trySend(downloadSheetPreview, { params: { id: state._id }, query: { rows: 'left' } })
    expect(response.statusCode).toBe(200)
    const [sheet] = (await readXlsx(response.rawPayload, { readStyles: true })).sheets
    const comments = [...(sheet!.cells ?? [])].flatMap(([at, { comment }]) => (comment ? [[at, comment.text]] : []))
    expect(sheet!.rows.map((row) => row[1])).toEqual(['Organization Name', 'OLD FORT COLLEGIATE'])
    expect(comments).toEqual([['1,5', expect.stringContaining('digits')]])
    const again = await upload(me, 'any', new Blob([new Uint8Array(response.rawPayload)]))
    expect(again).toMatchObject({ kind: 'charters', isRemembered: true, rows: 1 })
  })

  test('of 10,000 rows is previewed with five seconds of work', async () => {
    const { me } = await start()
    const { _id } = await upload(me, 'charters', largeDirectory(10_000))
    // Work of this thread instead of time, because other tests run beside this one.
    const before = process.threadCpuUsage()
    const { counts } = await me.send(readImport, { params: { id: _id } })
    const { user, system } = process.threadCpuUsage(before)
    process.stdout.write(`10,000 rows: previewed with ${((user + system) / 1_000_000).toFixed(1)} s of work\n`)
    expect(counts).toMatchObject({ new: 10_000, errors: 0 })
    expect(user + system).toBeLessThan(5_000_000)
  })
})
