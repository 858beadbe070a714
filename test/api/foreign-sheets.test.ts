import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'
import * as SheetJs from 'xlsx'
import XlsxPopulate from 'xlsx-populate'

import type { SheetKind } from '../../src/contract/sheets.ts'
import { applySheet, downloadSheet, previewSheet, type SheetPreview } from '../../src/features/changing/sheets/contract.ts'
import { createZip } from '../../src/platform/server/zip.ts'
import { updateFacility } from '../../src/records/facility/contract.ts'
import { startApp } from '../support/app.ts'
import { HOSTILE_SHEETS } from '../support/hostile-sheets.ts'
import { createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'

// Sheets written by other programs: two libraries unrelated to the server's reader, and LibreOffice.

const start = async (count = 3) => {
  const app = await startApp()
  const charter = await app.make.charter({ name: 'Harbor Charter' })
  const sites = []
  for (let at = 0; at < count; at++)
    sites.push(
      await app.make.site({ displayName: `Site ${at}`, city: 'Lodi', zip: `0500${at}`, phone: '209-555-0142', charter: charter._id }),
    )
  const me = app.as(6)
  for (const site of sites)
    await me.send(updateFacility, {
      params: { id: site._id },
      body: { facility_info: { lease_start: '2024-07-01', county: 'San Joaquin' } },
    })
  const download = async (kind: SheetKind): Promise<Buffer> => (await me.trySend(downloadSheet, { params: { kind } })).rawPayload
  const upload = (kind: SheetKind, file: Uint8Array | string) =>
    me.trySend(previewSheet, { params: { kind }, file: new Blob([file as Uint8Array<ArrayBuffer>]) })
  const preview = async (kind: SheetKind, file: Uint8Array | string): Promise<SheetPreview> => {
    const response = await upload(kind, file)
    expect(response.statusCode, response.body.slice(0, 500)).toBe(200)
    return response.json()
  }
  const refuse = async (file: Uint8Array | string): Promise<[number, string]> => {
    const response = await upload('sites', file)
    return [response.statusCode, response.json().errors?.[0]?.message ?? response.json().title]
  }
  return { app, me, sites, download, upload, preview, refuse }
}

const toRows = (book: SheetJs.WorkBook): unknown[][] =>
  SheetJs.utils.sheet_to_json(book.Sheets[book.SheetNames[0]!]!, { header: 1, raw: false, defval: '' })
const write = (book: SheetJs.WorkBook, bookType: SheetJs.BookType = 'xlsx'): Buffer =>
  SheetJs.write(book, { type: 'buffer', bookType }) as Buffer
const openWithSheetJs = (file: Buffer) => {
  const book = SheetJs.read(file, { cellStyles: true, cellNF: true })
  const sheet = book.Sheets[book.SheetNames[0]!]!
  const head = toRows(book)[0]!.map(String)
  const addressOf = (row: number, header: string): string => SheetJs.utils.encode_cell({ r: row - 1, c: head.indexOf(header) })
  return { book, sheet, head, addressOf }
}
const changesOf = ({ cells }: SheetPreview) => cells.map(({ cell, label, after, state }) => [cell, label, after, state])

describe('a sheet written by SheetJS', () => {
  test('is accepted without changes; a changed cell has its address, also among hidden rows and after 200 empty ones', async () => {
    const { download, preview } = await start()
    const { book, sheet, addressOf } = openWithSheetJs(await download('sites'))
    expect(await preview('sites', write(book))).toMatchObject({ rows: 3, unchanged: 3, cells: [], warnings: [] })
    sheet[addressOf(3, 'City')] = { t: 's', v: 'Galt' }
    sheet['!rows'] = [{}, { hidden: true }, { hidden: true }]
    sheet['!autofilter'] = { ref: sheet['!ref']! }
    const range = SheetJs.utils.decode_range(sheet['!ref']!)
    for (let row = range.e.r + 1; row <= range.e.r + 200; row++) sheet[SheetJs.utils.encode_cell({ r: row, c: 3 })] = { t: 's', v: ' ' }
    sheet['!ref'] = SheetJs.utils.encode_range({ ...range, e: { ...range.e, r: range.e.r + 200 } })
    expect(changesOf(await preview('sites', write(book)))).toEqual([[addressOf(3, 'City'), 'City', 'Galt', 'change']])
  })

  test('uses the stored value of a formula and reports it, and reports a missing value or an error', async () => {
    const { download, preview } = await start()
    const { book, sheet, addressOf } = openWithSheetJs(await download('sites'))
    sheet[addressOf(2, 'City')] = { t: 's', f: 'CONCATENATE("Ga","lt")', v: 'Galt' }
    sheet[addressOf(3, 'City')] = { t: 'e', v: 0x2a, f: 'NA()' }
    const found = await preview('sites', write(book))
    expect(found.cells.map(({ after, state, message }) => [after, state, message])).toEqual([
      ['Galt', 'change', null],
      ['#N/A', 'error', 'This cell has the spreadsheet error #N/A'],
    ])
    expect(found.warnings).toMatchObject([{ kind: 'formula', cells: [addressOf(2, 'City'), addressOf(3, 'City')], isSuspicious: false }])
    const bare = openWithSheetJs(await download('sites'))
    bare.sheet[bare.addressOf(2, 'City')] = { t: 's', f: 'B1', v: '' }
    expect((await preview('sites', write(bare.book))).cells).toMatchObject([
      { state: 'error', message: expect.stringContaining('no stored value') },
    ])
  })

  test('leaves cells covered by a merged cell unchanged', async () => {
    const { download, preview } = await start()
    const { book, sheet, addressOf } = openWithSheetJs(await download('sites'))
    const [from, to] = [addressOf(2, 'City'), addressOf(4, 'City')]
    sheet['!merges'] = [SheetJs.utils.decode_range(`${from}:${to}`)]
    sheet[from] = { t: 's', v: 'Galt' }
    for (const row of [3, 4]) delete sheet[addressOf(row, 'City')]
    const found = await preview('sites', write(book))
    expect(changesOf(found)).toEqual([[from, 'City', 'Galt', 'change']])
    expect(found.warnings).toMatchObject([{ kind: 'merged', cells: [addressOf(3, 'City'), to] }])
  })

  test('reads dates that count from 1900 and from 1904, formatted or not', async () => {
    const { download, preview } = await start()
    const table = toRows(openWithSheetJs(await download('facilities')).book) as (string | number)[][]
    const at = table[0]!.indexOf('Lease start')
    const DAY_FROM_1900 = 46_450 // 03/04/2027
    for (const [date1904, offset] of [
      [false, 0],
      [true, 1462],
    ] as const) {
      const sheet = SheetJs.utils.aoa_to_sheet(
        table.map((row) => row.map((cell, index) => (index === at && cell !== 'Lease start' ? '' : cell))),
      )
      const address = (row: number) => SheetJs.utils.encode_cell({ r: row, c: at })
      sheet[address(1)] = { t: 'n', v: DAY_FROM_1900 - offset, z: 'mm/dd/yyyy' }
      sheet[address(2)] = { t: 'n', v: DAY_FROM_1900 - offset }
      sheet[address(3)] = { t: 's', v: '3/4/2027' }
      const book: SheetJs.WorkBook = { SheetNames: ['Any name'], Sheets: { 'Any name': sheet }, Workbook: { WBProps: { date1904 } } }
      const cells = (await preview('facilities', write(book))).cells.filter(({ label }) => label === 'Lease start')
      expect([date1904, cells.map(({ after }) => after)]).toEqual([date1904, ['2027-03-04', '2027-03-04', '2027-03-04']])
    }
  })

  test('finds moved and renamed columns, lists missing ones, and accepts text and numbers for each other', async () => {
    const { download, preview } = await start()
    const table = toRows(openWithSheetJs(await download('sites')).book) as string[][]
    const [city, zip, fax] = ['City', 'ZIP code', 'Fax'].map((header) => table[0]!.indexOf(header)) as [number, number, number]
    const moved = table.map((row, nth) => {
      const cells: (string | number)[] = row.filter((_, at) => at !== fax && at !== city)
      return [...cells, nth === 0 ? ' CITY ' : nth === 1 ? 'Galt' : row[city]!, nth === 0 ? 'My own notes' : 'x']
    })
    moved[2]![zip - 1] = 95_240
    const sheet = SheetJs.utils.aoa_to_sheet(moved)
    const found = await preview('sites', write({ SheetNames: ['Sheet1'], Sheets: { Sheet1: sheet } }))
    expect(found.cells.map(({ label, after, state }) => [label, after, state])).toEqual([
      ['City', 'Galt', 'change'],
      ['ZIP code', '95240', 'change'],
    ])
    expect(found.warnings).toMatchObject([
      { kind: 'columns', message: 'Column Fax is missing; it is left as it is' },
      { kind: 'columns', message: expect.stringMatching(/^Column [A-Z]+ \(“My own notes”\) is not read: Sites has no such column$/) },
    ])
    const renamed = openWithSheetJs(await download('sites'))
    renamed.sheet[renamed.addressOf(1, 'City')] = { t: 's', v: 'Town' }
    expect((await preview('sites', write(renamed.book))).warnings).toMatchObject([
      { kind: 'columns', message: 'Renamed columns: “Town” is read as City' },
    ])
  })

  test('is read as CSV of every kind, with its row numbers', async () => {
    const { download, preview } = await start()
    const { book, sheet, addressOf } = openWithSheetJs(await download('sites'))
    sheet[addressOf(3, 'City')] = { t: 's', v: 'Peñasco' }
    const toCsv = (mark: string) => SheetJs.utils.sheet_to_csv(book.Sheets[book.SheetNames[0]!]!, { FS: mark })
    for (const file of [
      toCsv(','),
      `\ufeff${toCsv(';')}`,
      Buffer.from(toCsv(';'), 'latin1'),
      toCsv('\t'),
      Buffer.from(`\ufeff${toCsv(',')}`, 'utf16le'),
    ])
      expect(changesOf(await preview('sites', file))).toEqual([[addressOf(3, 'City'), 'City', 'Peñasco', 'change']])
  })

  test('shows its age, and which rows are missing or duplicated', async () => {
    const { app, me, download, preview } = await start(4)
    const file = await download('sites')
    const table = toRows(openWithSheetJs(file).book) as string[][]
    const book = SheetJs.read(file)
    const city = table[0]!.indexOf('City')
    const [head, first, second, , fourth] = table as [string[], string[], string[], string[], string[]]
    const copied = second.map((cell, at) => (at === city ? 'Galt' : cell))
    book.Sheets[book.SheetNames[0]!] = SheetJs.utils.aoa_to_sheet([head, first, copied, second, fourth])
    const origin = book.Sheets['Homeroom']!
    origin['B2'] = { t: 's', v: new Date(app.context.now().getTime() - 40 * 86_400_000).toISOString() }
    const found = await preview('sites', write(book))
    expect(found.downloadedAt).toBe((origin['B2'] as { v: string }).v)
    expect(found.warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ['duplicate', 'Rows 3 and 4 are both Site 1. Was a row copied over another?'],
      ['old', 'Sheet Sites and file are 40 days old'],
      ['missing-rows', '1 row is missing; it is kept: Site 2'],
    ])
    const suspects = found.cells.filter(({ row }) => row === 3 || row === 4).map(({ cell }) => cell)
    expect(found.warnings[0]!.cells).toEqual(suspects)
    const body = { leaveWarnings: [0] }
    expect(await me.send(applySheet, { params: { id: found._id }, body })).toEqual({ changeset: null, changed: 0, created: 0 })
  })
})

describe('a sheet changed by xlsx-populate', () => {
  test('keeps everything else, and is read with its shared strings, hidden rows, formulas and merged cells', async () => {
    const { download, preview } = await start()
    const book = await XlsxPopulate.fromDataAsync(await download('sites'))
    const sheet = book.sheet(0)
    const head = sheet.usedRange().value()[0]!.map(String)
    const at = (header: string) => head.indexOf(header) + 1
    expect(await preview('sites', await book.outputAsync())).toMatchObject({ unchanged: 3, cells: [], warnings: [] })
    sheet.cell(2, at('City')).value('Galt')
    sheet.cell(3, at('ZIP code')).value(95_240)
    sheet.cell(4, at('City')).formula('"Ga"&"lt"')
    sheet.row(3).hidden(true)
    const found = await preview('sites', await book.outputAsync())
    expect(found.cells.map(({ label, row, after, state }) => [label, row, after, state])).toEqual([
      ['City', 2, 'Galt', 'change'],
      ['ZIP code', 3, '95240', 'change'],
      ['City', 4, '', 'error'],
    ])
    expect(found.downloadedAt).not.toBeNull()
  })
})

describe('a file that is not a sheet of the list', () => {
  const toZip = async (entries: Readonly<Record<string, Iterable<string>>>): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of createZip(
      (function* () {
        for (const [name, text] of Object.entries(entries)) yield { name, text }
      })(),
    ))
      chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  test('is refused with a clear message: unreadable, old, with macros, with external links, or of another list', async () => {
    const { download, refuse } = await start()
    const UNREADABLE = 'This file cannot be read. Save it in Excel as .xlsx and drop it again.'
    const { book } = openWithSheetJs(await download('sites'))
    const file = await download('sites')
    expect(await refuse(write(book, 'biff8'))).toEqual([422, expect.stringContaining('old Excel file')])
    expect(await refuse(file.subarray(0, file.length / 2))).toEqual([422, UNREADABLE])
    expect(await refuse('PK\u0003\u0004 and nothing')).toEqual([422, UNREADABLE])
    expect(await refuse(Buffer.from([1, 0, 2, 0]))).toEqual([422, UNREADABLE])
    const macros: SheetJs.WorkBook = { ...book, vbaraw: Buffer.from('macro') }
    expect(await refuse(SheetJs.write(macros, { type: 'buffer', bookType: 'xlsm', bookVBA: true }) as Buffer)).toEqual([
      422,
      expect.stringContaining('has macros'),
    ])
    const linked = await toZip({ 'xl/workbook.xml': ['<workbook/>'], 'xl/externalLinks/externalLink1.xml': ['<externalLink/>'] })
    expect(await refuse(linked)).toEqual([422, expect.stringContaining('links to other workbooks')])
    expect(await refuse(await download('people'))).toEqual([422, expect.stringContaining('another list (people)')])
    const foreign = SheetJs.utils.aoa_to_sheet([
      ['Name', 'City'],
      ['Lodi', 'Lodi'],
    ])
    expect(await refuse(write({ SheetNames: ['A'], Sheets: { A: foreign } }))).toEqual([
      422,
      expect.stringMatching(/^This file was not downloaded from Homeroom/),
    ])
  })

  test('is refused under a title about the file, not about a field', async () => {
    const { upload } = await start(1)
    expect((await upload('sites', 'Name,City\nLodi,Lodi\n')).json().title).toBe('This file cannot be used')
  })

  test('has an error in the row of a record that does not exist; the other rows are read', async () => {
    const { sites, preview } = await start(1)
    const found = await preview('sites', `_id,City\nnowhere,Galt\n${sites[0]!._id},Galt\n`)
    expect(found.cells.map(({ cell, state, message }) => [cell, state, message])).toEqual([
      ['A2', 'error', 'This record does not exist'],
      ['B3', 'change', null],
    ])
  })

  test('is refused if it would use too much memory: a zip bomb, 50 MB, too many rows', async () => {
    const { refuse } = await start(1)
    const zeros = '0'.repeat(1_048_576)
    const bomb = await toZip({ 'xl/workbook.xml': ['<workbook/>'], 'xl/worksheets/sheet1.xml': Array.from({ length: 600 }, () => zeros) })
    expect(bomb.length).toBeLessThan(2_000_000)
    expect(await refuse(bomb)).toEqual([422, expect.stringContaining('unpacks to 600 MB')])
    expect(await refuse(Buffer.alloc(50 * 1_048_576, 'a'))).toEqual([413, expect.stringContaining('larger than 20 MB')])
    for (const { what, make, refusal } of HOSTILE_SHEETS.slice(0, 2))
      expect(await refuse(await make()), what).toEqual([422, expect.stringMatching(refusal ?? '')])
    expect(await refuse(`_id,City\n${'x,y\n'.repeat(20_002)}`)).toEqual([422, expect.stringContaining('more than 20,000 rows')])
  }, 60_000)
})

const OFFICE = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice'].find((path) =>
  existsSync(path),
)
const run = promisify(execFile)

describe('a sheet written by LibreOffice', () => {
  test.runIf(OFFICE !== undefined && process.env['TEST_ALL'] === '1')(
    'is unchanged as a workbook and as CSV with semicolons in Windows-1252, and a changed cell is found',
    async () => {
      const { download, preview } = await start()
      const folder = await createTemporaryFolder()
      const convert = async (from: string, to: string, filter: string): Promise<Buffer> => {
        await run(OFFICE!, [
          `-env:UserInstallation=file://${folder}/profile`,
          '--headless',
          '--convert-to',
          filter,
          '--outdir',
          join(folder, to),
          join(folder, from),
        ])
        const name = from.replace(/^.*\//, '').replace(/\.\w+$/, `.${filter.split(':')[0]}`)
        return readFile(join(folder, to, name))
      }
      try {
        for (const kind of ['sites', 'facilities'] as const) {
          const { book, sheet, addressOf } = openWithSheetJs(await download(kind))
          const header = kind === 'sites' ? 'City' : 'County'
          sheet[addressOf(3, header)] = { t: 's', v: 'Peñasco' }
          await writeFile(join(folder, `${kind}.xlsx`), await download(kind))
          await writeFile(join(folder, `${kind}-edited.xlsx`), write(book))
          const same = await preview(kind, await convert(`${kind}.xlsx`, 'out', 'xlsx'))
          expect(same, kind).toMatchObject({ rows: 3, unchanged: 3, cells: [], warnings: [] })
          expect(same.downloadedAt).not.toBeNull()
          const changed = [[addressOf(3, header), header, 'Peñasco', 'change']]
          expect(changesOf(await preview(kind, await convert(`${kind}-edited.xlsx`, 'out', 'xlsx')))).toEqual(changed)
          const csv = await convert(`${kind}-edited.xlsx`, 'out', 'csv:Text - txt - csv (StarCalc):59,34,1,1')
          expect(changesOf(await preview(kind, csv))).toEqual(changed)
        }
      } finally {
        await removeFolder(folder)
      }
    },
    180_000,
  )
})
