import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'

import {
  downloadRows as download,
  editCell as edit,
  findColumn as column,
  readStoredSite as readSite,
  type Rows,
  startWithSites as start,
  toLetters as letters,
  toSheetFile as toFile,
  uploadSheet as preview,
} from '../../../../test/support/sheets.ts'
import { SHEET_KINDS, type SheetKind } from '../../../contract/sheets.ts'
import { addDistrict, addMember } from '../../../records/charter-affairs/contract.ts'
import { createSisSite } from '../../../records/sis-sites/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { readChangeset, undoChangeset } from '../changesets/contract.ts'
import {
  applySheet,
  downloadSheet,
  downloadSheetOfRecords,
  downloadSheetPreview,
  previewSheet,
  readSheetPreview,
  stopSheet,
} from './contract.ts'

describe('a sheet', () => {
  test.each(SHEET_KINDS)('of %s is unchanged when it is uploaded as downloaded', async (kind) => {
    const { app, me, sites, charter } = await start()
    await app.make.sitePerson(sites[0]!._id, 'Principal', (await app.make.person())._id)
    await me.send(createSisSite, { body: { site: sites[0]!._id, name: 'Lodi IS', type_array: ['Day', 'Evening'] } })
    const params = { id: charter._id }
    await me.send(addMember, { params, body: { board_member_name: 'Lena Park', board_term: '2026-2029' } })
    await me.send(addDistrict, { params, body: { center_name: 'Lodi', notes: 'Two\r\nlines' } })
    const rows = await download(me, kind)
    expect(rows.length).toBeGreaterThan(1)
    expect(rows[0]!.slice(0, 2)).toEqual(['_id', 'version'])
    expect(await preview(me, kind, await toFile(rows))).toMatchObject({
      rows: rows.length - 1,
      unchanged: rows.length - 1,
      cells: [],
      warnings: [],
    })
  })

  test('has the rows and the columns of its list, in the same order', async () => {
    const { app, me, charter, sites } = await start()
    const other = await app.make.region('Ohio')
    const far = await app.make.site({ displayName: 'Zebra', city: 'Galt', region: other._id, status: 'CLOSED - PERMANENTLY' })
    await me.send(createSisSite, { body: { site: far._id, name: 'Galt IS', type_array: ['Day'] } })
    const names = async (kind: SheetKind, query: object) => (await download(me, kind, query)).slice(1).map(([, , name]) => name)
    expect(await names('sites', { status: 'closed' })).toEqual(['Zebra'])
    expect(await names('sites', { status: 'CLOSED - PERMANENTLY' })).toEqual(['Zebra'])
    for (const region of [other.slug, other._id]) expect(await names('facilities', { region })).toEqual(['Zebra'])
    expect(await names('staff', { search: 'galt' })).toEqual(['Zebra'])
    expect(await names('sites', { where: 'name:Zebra|Site 01;city!', group: 'status' })).toEqual(['Site 01', 'Zebra'])
    expect(await names('sites', { group: 'status', sort: '-status' })).toEqual(['Zebra', 'Site 00', 'Site 01', 'Site 02'])
    expect(await names('sites', { charter: charter.slug, sort: '-name' })).toEqual(['Site 02', 'Site 01', 'Site 00'])
    expect(await names('enrollments', { list: 'charter_sites', of: charter.slug, status: 'active' })).toHaveLength(sites.length)
    expect(await names('sis_sites', { region: other.slug })).toHaveLength(1)
    expect(await names('sis_sites', { search: 'lodi' })).toEqual([])
    await app.make.charter()
    for (const kind of ['charters', 'charter_affairs'] as const)
      expect(await names(kind, { charter: charter.slug })).toEqual([charter.name])
    const heads = async (columns: string) => (await download(me, 'sites', { columns }))[0]!.slice(3)
    expect(await heads('city,principal,name')).toEqual(['Display name', 'Site name', 'City', 'State'])
    expect(await heads('address.zip,status')).toEqual(['Status', 'ZIP code'])
  })

  test('has the requested records, more than fit in a URL, for people who can edit them', async () => {
    const { app, me, sites, charter } = await start()
    const download = (kind: SheetKind, ids: string[], as = me) => as.trySend(downloadSheetOfRecords, { params: { kind }, body: { ids } })
    const response = await download('sites', [
      ...sites.map(({ _id }) => _id).toReversed(),
      ...Array.from({ length: 2000 }, () => sites[0]!.slug),
    ])
    expect(response.headers['content-disposition']).toContain('Sites%20to%20edit')
    const { sheets } = await readXlsx(response.rawPayload)
    expect(sheets[0]!.rows.slice(1).map(([, , name]) => name)).toEqual(['Site 02', 'Site 01', 'Site 00'])
    const shown = await me.trySend(downloadSheetOfRecords, {
      params: { kind: 'sites' },
      body: { ids: [sites[0]!._id], columns: 'city,name' },
    })
    expect((await readXlsx(shown.rawPayload)).sheets[0]!.rows[0]!.slice(3)).toEqual(['Display name', 'Site name', 'City', 'State'])
    expect((await download('sites', ['atlantis'])).statusCode).toBe(404)
    expect((await download('charter_affairs', [charter._id])).statusCode).toBe(200)
    expect((await download('charter_affairs', [charter._id], app.as(6))).statusCode).toBe(403)
  })

  test.each([
    ['sites', { columns: 'shoe_size' }, 'columns'],
    ['sites', { columns: 'principal' }, 'columns'],
    ['sites', { status: 'asleep' }, 'status'],
    ['sites', { region: 'atlantis' }, 'region'],
    ['sites', { sort: 'shoe_size' }, 'sort'],
    ['sites', { where: 'shoe_size:9' }, 'where'],
    ['sites', { list: 'charters' }, 'list'],
    ['charters', { region: 'atlantis' }, 'region'],
    ['people', { search: 'ada' }, 'list'],
  ] as const)('of %s with %j is refused', async (kind, query, path) => {
    const { me } = await start(0)
    const response = await me.trySend(downloadSheet, { params: { kind }, query })
    expect([response.statusCode, response.json().errors?.[0].path]).toEqual([422, path])
  })

  test('reports the changed cell that breaks a rule of two fields', async () => {
    const { me, sites } = await start(1)
    await me.send(updateSite, { params: { id: sites[0]!._id }, body: { address: { end_time: '11:00AM' } } })
    const rows = await download(me, 'sites')
    const file = edit(edit(rows, 1, 'City', 'Fresno'), 1, 'Start time', '1:00PM')
    const { cells } = await preview(me, 'sites', await toFile(file))
    expect(cells.map(({ field, state, message }) => [field, state, message]).toSorted()).toEqual([
      ['address.city', 'change', null],
      ['address.start_time', 'error', 'End time must be later than start time'],
    ])
  })

  test('shows the same error for a value as the form', async () => {
    const phones = ['559-555-01', '+1-559-555-0143', '5595550144', '559 555 0145', '(559)555-0146', 'none', '-', '1'.repeat(21)]
    const { me, sites } = await start(phones.length)
    const rows = await download(me, 'sites')
    const given = rows.slice(1).map(([_id], nth) => ({ id: String(_id), phone: phones[nth]! }))
    const file = given.reduce((edited, { phone }, nth) => edit(edited, nth + 1, 'Phone', phone), rows)
    const { cells } = await preview(me, 'sites', await toFile(file))
    expect(cells).toHaveLength(sites.length)
    for (const { id, phone } of given) {
      const saved = await me.trySend(updateSite, { params: { id }, body: { address: { phone } } })
      const cell = cells.find(({ record }) => record === id)
      const result = saved.statusCode === 200 ? ['change', null] : ['error', saved.json().errors[0].message]
      expect([phone, cell?.state, cell?.message]).toEqual([phone, ...result])
    }
  })

  test('with some of the columns changes only those, and recognizes a renamed column', async () => {
    const { me } = await start()
    const response = await me.trySend(downloadSheet, { params: { kind: 'sites' }, query: { columns: 'city,zip' } })
    const { sheets } = await readXlsx(response.rawPayload)
    const [head, ...body] = sheets[0]!.rows as Rows
    const upload = async (header: string) => {
      const main = { name: 'Sites', rows: [head!.map((one) => (one === 'ZIP code' ? header : one)), ...body] }
      const bytes = await writeXlsx({ sheets: [main, { name: 'Homeroom', rows: sheets.at(-1)!.rows }] })
      return preview(me, 'sites', new Blob([Buffer.from(bytes)]))
    }
    expect(await upload('ZIP code')).toMatchObject({ unchanged: 3, cells: [], warnings: [] })
    expect(await upload('Zip')).toMatchObject({ cells: [], warnings: [{ message: 'Renamed columns: “Zip” is read as ZIP code' }] })
  })

  test('hides and locks identifiers, offers choices, keeps dates as dates and leading zeros in text', async () => {
    const { me, charter } = await start()
    const response = await me.trySend(downloadSheet, { params: { kind: 'sites' } })
    const { sheets } = await readXlsx(response.rawPayload, { readStyles: true })
    const [main, help] = sheets
    expect(main!.rows[1]![column(main!.rows as Rows, 'ZIP code')]).toBe('05000')
    expect(main!.columns?.[0]?.hidden).toBe(true)
    expect(main!.protection, 'locked cells stay locked; filters and widths do not').toMatchObject({
      sheet: true,
      autoFilter: true,
      sort: true,
      formatColumns: true,
    })
    expect(main!.dataValidations?.length).toBeGreaterThan(3)
    expect(help!.rows.length).toBeGreaterThan(9)
    expect(JSON.stringify(sheets.find(({ name }) => name === 'Choices')!.rows)).toContain(charter.name)
    expect(sheets.at(-1)!.rows.slice(0, 3)).toEqual([
      ['kind', 'sites'],
      ['downloadedAt', expect.any(String)],
      ['record', expect.any(String)],
    ])
  })

  test('shows every changed cell with its address, and saves all of them as one change that can be undone', async () => {
    const { app, me, sites } = await start()
    const rows = edit(edit(await download(me, 'sites'), 1, 'City', 'Acampo'), 2, 'Display name', 'Site X')
    const found = await preview(me, 'sites', await toFile(rows))
    expect(found.cells.map(({ cell, field, before, after, state }) => [cell, field, before, after, state])).toEqual([
      [`${letters(column(rows, 'City'))}2`, 'address.city', 'Lodi', 'Acampo', 'change'],
      [`${letters(column(rows, 'Display name'))}3`, 'displayName', 'Site 01', 'Site X', 'change'],
    ])
    expect(await me.send(readSheetPreview, { params: { id: found._id } })).toEqual(found)
    expect((await app.as(5).trySend(readSheetPreview, { params: { id: found._id } })).statusCode).toBe(404)
    const saved = await me.send(applySheet, { params: { id: found._id }, body: {} })
    expect(saved.changed).toBe(2)
    expect((await readSite(app, sites[0]!._id)).city).toBe('Acampo')
    const params = { id: saved.changeset!._id }
    expect((await me.send(readChangeset, { params })).kind).toBe('sheet')
    expect((await me.trySend(applySheet, { params: { id: found._id }, body: {} })).statusCode).toBe(409)
    await me.send(undoChangeset, { params, body: {} })
    expect((await readSite(app, sites[0]!._id)).city).toBe('Lodi')
  })

  test('keeps what only others changed, and reports a conflict where both changed a value', async () => {
    const { app, me, sites } = await start()
    const rows = edit(await download(me, 'sites'), 1, 'City', 'Acampo')
    await app.as(6).send(updateSite, { params: { id: sites[0]!._id }, body: { address: { city: 'Galt', phone: '209-555-0199' } } })
    const found = await preview(me, 'sites', await toFile(rows))
    expect(found.cells).toMatchObject([
      { field: 'address.city', before: 'Lodi', after: 'Acampo', theirs: 'Galt', theirsBy: expect.any(String), state: 'conflict' },
    ])
    const [{ cell } = { cell: '' }] = found.cells
    const apply = (choices: object) =>
      me.trySend(applySheet, { params: { id: found._id }, body: { choices: choices as Record<string, 'mine'> } })
    expect((await apply({})).statusCode).toBe(409)
    expect((await apply({ [cell]: 'theirs' })).json()).toMatchObject({ changed: 0 })
    expect((await apply({ [cell]: 'mine' })).json()).toMatchObject({ changed: 1 })
    expect(await readSite(app, sites[0]!._id)).toMatchObject({ city: 'Acampo', phone: '209-555-0199' })
  })

  test('reports the cell of an error with the message of the form; the value is corrected or left out', async () => {
    const { app, me, sites } = await start()
    const rows = edit(edit(await download(me, 'sites'), 1, 'ZIP code', '12'), 2, 'Charter', 'No such charter')
    const found = await preview(me, 'sites', await toFile(rows))
    expect(found.cells.map(({ state, message }) => [state, message])).toEqual([
      ['error', 'Enter exactly five digits'],
      ['error', 'No charter is named “No such charter”'],
    ])
    const [zip, charter] = found.cells.map(({ cell }) => cell) as [string, string]
    const apply = (body: object) => me.trySend(applySheet, { params: { id: found._id }, body })
    const refused = await apply({})
    expect([refused.statusCode, refused.json().errors.map(({ path }: { path: string }) => path)]).toEqual([422, [zip, charter]])
    expect((await apply({ choices: { [zip]: { value: '95240' }, [charter]: 'leave' } })).json()).toMatchObject({ changed: 1 })
    expect((await readSite(app, sites[0]!._id)).zip).toBe('95240')
  })

  test('is downloaded again with its errors as comments, and after saving only with what was left out', async () => {
    const { me } = await start()
    const rows = edit(edit(await download(me, 'sites'), 1, 'ZIP code', '12'), 3, 'City', 'Acampo')
    const found = await preview(me, 'sites', await toFile(rows))
    const read = async (which: 'all' | 'left') => {
      const response = await me.trySend(downloadSheetPreview, { params: { id: found._id }, query: { rows: which } })
      expect(response.statusCode).toBe(200)
      const [sheet] = (await readXlsx(response.rawPayload, { readStyles: true })).sheets
      return {
        rows: sheet!.rows,
        comments: [...(sheet!.cells ?? [])].flatMap(([at, { comment }]) => (comment ? [[at, comment.text]] : [])),
      }
    }
    const zip = column(rows, 'ZIP code')
    const all = await read('all')
    expect(all.rows.map((cells) => cells[zip])).toEqual(rows.map((cells) => cells[zip]))
    expect(all.comments).toEqual([[`1,${zip}`, 'Enter exactly five digits']])
    const body = { choices: { [`${letters(zip)}2`]: 'leave' as const } }
    expect(await me.send(applySheet, { params: { id: found._id }, body })).toMatchObject({ changed: 1 })
    const saved = await me.send(readSheetPreview, { params: { id: found._id } })
    expect(saved).toMatchObject({ left: [`${letters(zip)}2`], progress: { state: 'saved', saved: 1, total: 1 } })
    const left = await read('left')
    expect([left.rows.length, left.comments]).toEqual([2, [[`1,${zip}`, 'Enter exactly five digits']]])
    expect((await me.trySend(stopSheet, { params: { id: found._id } })).statusCode).toBe(409)
  })

  test('saves only the chosen rows, and nothing if a value changed after the preview', async () => {
    const { app, me, sites } = await start()
    const rows = edit(edit(await download(me, 'sites'), 1, 'City', 'Acampo'), 2, 'City', 'Acampo')
    const found = await preview(me, 'sites', await toFile(rows))
    await app.as(6).send(updateSite, { params: { id: sites[0]!._id }, body: { address: { city: 'Galt' } } })
    expect((await me.trySend(applySheet, { params: { id: found._id }, body: {} })).statusCode).toBe(409)
    const elsewhere = await me.trySend(applySheet, { params: { id: found._id }, body: { choices: { ZZ9: 'mine' }, rows: [3] } })
    expect([elsewhere.statusCode, elsewhere.json().errors]).toEqual([
      422,
      [{ path: 'choices.ZZ9', message: 'This cell is not in the preview' }],
    ])
    expect(await me.send(applySheet, { params: { id: found._id }, body: { rows: [3] } })).toMatchObject({ changed: 1 })
    expect((await readSite(app, sites[0]!._id)).city).toBe('Galt')
  })

  test('is read from CSV with commas or semicolons, with a byte order mark or in Windows-1252, and with moved columns', async () => {
    const { me } = await start()
    const rows = edit(await download(me, 'sites'), 1, 'City', 'Peñasco')
    const moved = rows.map((cells) => [...cells.slice(1), cells[0] ?? null])
    const toCsv = (mark: string, of: Rows) =>
      of.map((cells) => cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(mark)).join('\r\n')
    const files = [
      new Blob([toCsv(',', rows)]),
      new Blob([`\ufeff${toCsv(';', rows)}`]),
      new Blob([Buffer.from(toCsv(',', rows), 'latin1')]),
      new Blob([toCsv(',', moved)]),
      await toFile(moved),
    ]
    for (const file of files)
      expect((await preview(me, 'sites', file)).cells).toMatchObject([{ field: 'address.city', after: 'Peñasco', state: 'change' }])
  })

  test('reads numbers stored as text and text stored as numbers, and dates in either form', async () => {
    const { me } = await start()
    const rows = await download(me, 'facilities')
    const file = await toFile(
      edit(edit(edit(rows, 1, 'Lease start', new Date('2027-03-04T00:00:00Z')), 2, 'Lease start', '3/4/2027'), 3, 'Square footage', 1200),
    )
    expect((await preview(me, 'facilities', file)).cells.map(({ field, after, state }) => [field, after, state])).toEqual([
      ['facility_info.lease_start', '2027-03-04', 'change'],
      ['facility_info.lease_start', '2027-03-04', 'change'],
      ['facility_info.sq_footage', '1200', 'change'],
    ])
  })

  test('warns of a column that was sorted alone, and saves it only once the warning is accepted', async () => {
    const { me } = await start(14)
    const rows = await download(me, 'sites')
    const at = column(rows, 'Display name')
    const names = rows
      .slice(1)
      .map((cells) => cells[at] ?? null)
      .toReversed()
    const sorted = rows.map((cells, row) =>
      row === 0 ? cells : cells.map((cell, index) => (index === at ? (names[row - 1] ?? null) : cell)),
    )
    const found = await preview(me, 'sites', await toFile(sorted))
    expect(found.warnings).toMatchObject([{ kind: 'sorted', message: expect.stringContaining('Was one column sorted alone?') }])
    const params = { id: found._id }
    expect((await me.trySend(applySheet, { params, body: {} })).json().errors[0].path).toBe('warningsAccepted')
    expect(await me.send(applySheet, { params, body: { warningsAccepted: true } })).toMatchObject({ changed: 14 })
  })

  test('warns of lost leading zeros, swapped dates and a column of which a third changed', async () => {
    const { app, me, sites } = await start(14)
    for (const { _id } of sites)
      await app.context.db.updateTable('facility').set({ lease_start: '2027-03-04' }).where('site', '=', _id).execute()
    const rows = await download(me, 'sites')
    const numbers = rows.map((cells, row) =>
      row === 0 ? cells : cells.map((cell, index) => (index === column(rows, 'ZIP code') ? Number(cell) : cell)),
    )
    expect((await preview(me, 'sites', await toFile(numbers))).warnings.map(({ kind }) => kind)).toEqual(['many', 'leading-zeros'])
  })

  test('that was not downloaded here, or is not a sheet, is refused with a clear message', async () => {
    const { me } = await start()
    const download = async (file: Blob) => {
      const response = await me.trySend(previewSheet, { params: { kind: 'sites' }, file })
      return [response.statusCode, response.json().errors?.[0]?.message] as const
    }
    expect(await download(await toFile([['Name'], ['Lodi']]))).toEqual([422, expect.stringContaining('not downloaded from Homeroom')])
    expect((await download(new Blob([Buffer.from([0xd0, 0xcf, 0x11, 0xe0])])))[1]).toContain('old Excel file')
    expect((await download(new Blob([Buffer.from('PK\x03\x04 nothing')])))[0]).toBe(422)
    expect((await download(new Blob([Buffer.from([1, 0, 2])])))[0]).toBe(422)
  })

  test('of charter affairs needs the permission to edit them', async () => {
    const { app } = await start()
    expect((await app.as(6).trySend(downloadSheet, { params: { kind: 'charter_affairs' } })).statusCode).toBe(403)
    expect((await app.as(10).trySend(downloadSheet, { params: { kind: 'sites' } })).statusCode).toBe(403)
  })
})
