import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'

import {
  downloadRows,
  editCell,
  findColumn,
  readStoredSite,
  type Rows,
  startWithSites,
  toSheetFile,
  uploadSheet,
} from '../../../../test/support/sheets.ts'
import type { SheetKind } from '../../../contract/sheets.ts'
import { createSisSite } from '../../../records/sis-sites/contract.ts'
import { applySheet, previewSheet } from './contract.ts'

describe('a sheet', () => {
  test('reads phones, times, weekdays and days in the forms that people paste, and shows what was read', async () => {
    const { me } = await startWithSites(4)
    const cellsOf = async (kind: SheetKind, edits: readonly (readonly [row: number, header: string, value: string | number | Date])[]) => {
      const rows = edits.reduce<Rows>((edited, [row, header, value]) => editCell(edited, row, header, value), await downloadRows(me, kind))
      const { cells } = await uploadSheet(me, kind, await toSheetFile(rows))
      return cells.map(({ label, after, state, message }) => [label, after, message ?? state])
    }
    expect(
      await cellsOf('sites', [
        [1, 'Phone', '(559)\u00a0555.0142'],
        [1, 'Fax', '+1 559 555-0143'],
        [1, 'Start day', 'Tue'],
        [1, 'Start time', '8:30 AM'],
        [2, 'Start time', '08:30'],
        [3, 'Start time', new Date('1899-12-30T08:30:00Z')],
        [4, 'Start time', 0.354166666666667],
        [4, 'Phone', '209-555-014'],
        [4, 'City', 'Galt\u00a0East'],
        [4, 'Display name', new Date('2029-06-30T17:30:00Z')],
      ]),
    ).toEqual([
      ['Phone', '559-555-0142', 'change'],
      ['Fax', '5595550143', 'change'],
      ['Start day', 'Tuesday', 'change'],
      ['Start time', '8:30AM', 'change'],
      ['Start time', '8:30AM', 'change'],
      ['Start time', '8:30AM', 'change'],
      ['Display name', '06/30/2029 5:30 PM', 'change'],
      ['City', 'Galt East', 'change'],
      ['Phone', '209-555-014', 'A phone number has 10 digits, such as 209-555-0142. Leave out an extension'],
      ['Start time', '8:30AM', 'change'],
    ])
    expect(
      await cellsOf('facilities', [
        [1, 'Lease start', '6/24/28'],
        [2, 'Lease start', 'July 1, 2027'],
        [3, 'Lease start', '6/31/2027'],
      ]),
    ).toEqual([
      ['Lease start', '2028-06-24', 'change'],
      ['Lease start', '2027-07-01', 'change'],
      ['Lease start', '6/31/2027', 'Enter a date as MM/DD/YYYY, such as 11/20/2026'],
    ])
    expect(
      await cellsOf('charter_affairs', [
        [1, 'Overview: Charter grade levels', new Date('2026-06-08T00:00:00Z')],
        [1, 'Funding: Funding expiration', new Date('2028-06-30T00:00:00Z')],
      ]),
    ).toEqual([
      ['Overview: Charter grade levels', '06-08', 'change'],
      ['Funding: Funding expiration', '06/30/2028', 'change'],
    ])
  })

  test('finds the records of a cell whatever blanks their names have', async () => {
    const { app, me } = await startWithSites(2)
    await app.make.charter({ name: 'Stored\u00a0Charter' })
    const rows = editCell(editCell(await downloadRows(me, 'sites'), 1, 'Charter', 'Stored Charter'), 2, 'Charter', 'Stored\u2009 Charter')
    expect((await uploadSheet(me, 'sites', await toSheetFile(rows))).cells.map(({ state }) => state)).toEqual(['change', 'change'])
  })

  test('says which columns and sheets of a file are not read', async () => {
    const { me } = await startWithSites(2)
    const rows = await downloadRows(me, 'sites')
    const wide = rows.map((cells, at) => [...cells, at === 0 ? 'Phone' : '1', at === 0 ? 'Notes' : 'x'])
    const copy = { name: 'Sites (2)', rows: editCell(rows, 1, 'City', 'Galt') }
    const bytes = await writeXlsx({ sheets: [{ name: 'Sites', rows: wide }, copy] })
    const found = await uploadSheet(me, 'sites', new Blob([Buffer.from(bytes)]))
    expect(found.cells).toEqual([])
    expect(
      found.warnings.map(({ kind, message, isSuspicious }) => [kind, message.replace(/Column [A-Z]+/, 'Column'), isSuspicious]),
    ).toEqual([
      ['columns', 'Column (“Phone”) is not read: another column has the same header', false],
      ['columns', 'Column (“Notes”) is not read: Sites has no such column', false],
      ['sheets', 'Sheet “Sites (2)” is not read: only one sheet of a file is', false],
    ])
  })

  test('with an emptied column saves nothing of the column that is left out', async () => {
    const { app, me, sites } = await startWithSites(14)
    for (const [nth, { _id }] of sites.entries())
      await app.context.db
        .updateTable('site')
        .set({ finance_id: `7${nth}` })
        .where('_id', '=', _id)
        .execute()
    const rows = await downloadRows(me, 'sites')
    const at = findColumn(rows, 'Finance number')
    const values = rows.slice(1).map((cells) => cells[at] ?? null)
    const shifted = rows.map((cells, row) =>
      row === 0 ? cells : cells.map((cell, index) => (index === at ? (row === 14 ? null : values[row]!) : cell)),
    )
    const found = await uploadSheet(me, 'sites', await toSheetFile(editCell(shifted, 1, 'City', 'Acampo')))
    expect(found.warnings).toMatchObject([{ kind: 'sorted' }])
    expect(found.warnings[0]!.cells).toHaveLength(14)
    const saved = await me.send(applySheet, { params: { id: found._id }, body: { leaveWarnings: [0] } })
    expect(saved).toMatchObject({ changed: 1 })
    expect(await Promise.all(sites.map(async ({ _id }) => (await readStoredSite(app, _id)).finance_id))).toEqual(values)
  })

  test('warns of new rows whose values a spreadsheet damaged, and leaves out the whole row', async () => {
    const { me, sites } = await startWithSites(1)
    await me.send(createSisSite, { body: { site: sites[0]!._id, name: 'Lodi IS', siteId: '000734' } })
    const rows = await downloadRows(me, 'sis_sites')
    const added = (name: string, id: string) =>
      rows[0]!.map((header) => ({ Name: name, 'Associated site': 'Site 00', 'Site ID': id })[String(header)] ?? null)
    const found = await uploadSheet(me, 'sis_sites', await toSheetFile([...rows, added('Galt IS', '735'), added('Dixon Ã‰S', '000736')]))
    expect(found.warnings.map(({ kind }) => kind).toSorted()).toEqual(['accents', 'leading-zeros'])
    expect(await me.send(applySheet, { params: { id: found._id }, body: { leaveWarnings: [0, 1] } })).toMatchObject({ created: 0 })
  })
})

describe('pasted cells', () => {
  const pasteRows = (me: Awaited<ReturnType<typeof startWithSites>>['me'], rows: readonly (readonly (string | number)[])[]) =>
    me.send(previewSheet, {
      params: { kind: 'sites' },
      query: { pasted: 'true' },
      file: new Blob([rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')]),
    })

  test('name their columns by the paths of fields, and change only the cells that were pasted', async () => {
    const { me, sites } = await startWithSites(3)
    const preview = await pasteRows(me, [
      ['_id', 'version', 'address.phone', 'Principal', 'address.start_time'],
      [sites[0]!._id, 1, '(209) 555-0161', 'Hannah Ashworth', '8:30 AM'],
      [sites[1]!._id, 1, '209-555', '', 'noonish'],
    ])
    expect(preview.cells.map(({ cell, name, label, after, state }) => [cell, name, label, after, state])).toEqual([
      ['C2', 'Site 00', 'Phone', '209-555-0161', 'change'],
      ['E2', 'Site 00', 'Start time', '8:30AM', 'change'],
      ['C3', 'Site 01', 'Phone', '209-555', 'error'],
      ['E3', 'Site 01', 'Start time', 'noonish', 'error'],
    ])
    expect(preview.warnings.map(({ message }) => message)).toEqual(['Column D (“Principal”) is not read: it cannot be pasted'])
    expect(await me.send(applySheet, { params: { id: preview._id }, body: { choices: { C3: 'leave', E3: 'leave' } } })).toMatchObject({
      changed: 1,
    })
  })

  test('are all meant to change, but wait if they look like an accident', async () => {
    const { me, sites } = await startWithSites(20)
    const phones = (write: (at: number) => string) =>
      pasteRows(me, [['_id', 'version', 'address.phone'], ...sites.map(({ _id }, at) => [_id, 1, write(at)])])
    expect((await phones((at) => `209-555-${String(3000 + at * 7)}`)).warnings).toEqual([])
    expect((await phones(() => '209-555-0142')).warnings).toMatchObject([{ kind: 'filled', isSuspicious: true }])
  })
})
