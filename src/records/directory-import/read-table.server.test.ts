import { type CellValue, writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import { zip } from '../../../test/support/zip.ts'
import { readTable } from './read-table.server.ts'

const read = (content: string | Uint8Array) => readTable(Buffer.from(content), 'charters')
/** The header and the rows below it. */
const rowsOf = async (content: string | Uint8Array): Promise<(readonly string[])[]> => {
  const { headers, rows } = await read(content)
  return [headers, ...rows.map(({ cells }) => cells)]
}

const LETTERS = 'Escuela Peñasco “Nuevo” – José’s €'

test('UTF-8 is read with or without a byte order mark', async () => {
  expect(await rowsOf(`name\n${LETTERS}\n`)).toEqual([['name'], [LETTERS]])
  expect(await rowsOf(`\uFEFFname\n${LETTERS}\n`)).toEqual([['name'], [LETTERS]])
})

test('text that is not UTF-8 is read as Windows-1252, including its quotation marks and dashes', async () => {
  const bytes = Buffer.concat([
    Buffer.from('name\nPe'),
    Buffer.from([0xf1]),
    Buffer.from('asco '),
    Buffer.from([0x93, 0x94, 0x96, 0x92, 0x80]),
    Buffer.from('\n'),
  ])
  expect(await rowsOf(bytes)).toEqual([['name'], ['Peñasco “”–’€']])
})

test('an invalid byte far from the beginning makes the whole file Windows-1252', async () => {
  const rows = await rowsOf(Buffer.concat([Buffer.from('name\n'), Buffer.from('plain\n'.repeat(15_000)), Buffer.from([0xe9, 0x0a])]))
  expect(rows).toHaveLength(15_002)
  expect(rows.at(-1)).toEqual(['é'])
})

test('a multi-byte character may be split between two chunks', async () => {
  // 65,535 bytes, so that the first chunk ends within the letter.
  const text = `name,city\n${`${'x'.repeat(98)},\n`.repeat(655)}${'x'.repeat(24)}ñ,${LETTERS}`
  expect((await rowsOf(text)).at(-1)).toEqual([`${'x'.repeat(24)}ñ`, LETTERS])
})

test("Excel's Unicode text (UTF-16, tabs) is read", async () => {
  expect(await rowsOf(Buffer.from(`\uFEFFname\tcity\r\n${LETTERS}\tFresno\r\n`, 'utf16le'))).toEqual([
    ['name', 'city'],
    [LETTERS, 'Fresno'],
  ])
})

test.each([',', ';', '\t', '|'])('the delimiter %j is detected', async (delimiter) => {
  const text = ['name', 'city', 'state'].join(delimiter)
  expect(await rowsOf(`${text}\n${text}2`)).toEqual([
    ['name', 'city', 'state'],
    ['name', 'city', 'state2'],
  ])
})

const workbook = (rows: CellValue[][]): Promise<Uint8Array> =>
  writeXlsx({
    sheets: [
      { name: 'Schools', rows },
      { name: 'Other', rows: [['no']] },
    ],
  })

test('the first sheet of a workbook is read: numbers, dates and booleans as text, with leading zeros of text cells', async () => {
  const rows: CellValue[][] = [
    ['NCES_ID', 'ZIP', 'LATITUDE', 'GRADES', 'Charter', 'NAME'],
    ['063583011483', 95401, 38.4404, '09-12', true, LETTERS],
    ['=1+1', '02134', null, null, false, '+ two\nlines'],
  ]
  expect(await rowsOf(await workbook(rows))).toEqual([
    ['NCES_ID', 'ZIP', 'LATITUDE', 'GRADES', 'Charter', 'NAME'],
    ['063583011483', '95401', '38.4404', '09-12', 'TRUE', LETTERS],
    ['=1+1', '02134', '', '', 'FALSE', '+ two\nlines'],
  ])
})

test('a date in a workbook is read as year, month, day', async () => {
  const day = new Date(Date.UTC(2026, 8, 12))
  const columns = [{ header: 'GRADES', key: 'a', numFmt: 'mm-dd' }]
  const [, row] = await rowsOf(await writeXlsx({ sheets: [{ name: 'A', columns, data: [{ a: day }] }] }))
  expect(row).toEqual(['2026-09-12'])
})

test('rows of a workbook have the row numbers of the sheet, counting empty rows', async () => {
  const { rows, headerLine } = await read(await workbook([['name'], [null], [], ['b']]))
  expect([headerLine, ...rows.map(({ line }) => line)]).toEqual([1, 4])
})

test('a row with another number of cells than the header and most rows has an error, unless its other cells are blank', async () => {
  const { rows } = await read('name,city\nOne,Lodi\nTwo,Galt\nThree,Lodi, CA\nFour\nFive,Galt,,\nSix,Lodi\n')
  expect(rows.map(({ error }) => error)).toEqual([
    undefined,
    undefined,
    'The row has 3 columns, the header has 2',
    'The row has 1 columns, the header has 2',
    undefined,
    undefined,
  ])
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /is empty$/],
  [
    'an old Excel file',
    Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    /is an old Excel file or protected by a password\. Save it in Excel as \.xlsx without one\.$/,
  ],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /is neither a workbook \(\.xlsx\) nor a text with columns \(\.csv\)$/],
  ['a truncated workbook', Buffer.from('504b030414000000', 'hex'), /it is cut off or damaged$/],
])('%s is reported in one line', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message)
})

test('a zip bomb is refused before it is unpacked', async () => {
  const bomb = zip([{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.alloc(100_000_000, ' ') }])
  expect(bomb.length).toBeLessThan(200_000)
  await expect(read(bomb)).rejects.toThrow(/it unpacks to 95 MB, more than a directory needs$/)
})

test('a zip bomb that hides its size is refused', async () => {
  const bomb = zip([{ name: '[Content_Types].xml', bytes: Buffer.alloc(50_000_000, ' '), declaredSize: 0 }])
  await expect(read(bomb)).rejects.toThrow(/it hides how large it is$/)
})

test('a zip bomb that declares a false size is stopped once it exceeds that size', async () => {
  const bomb = zip([{ name: 'xl/workbook.xml', bytes: Buffer.alloc(50_000_000, ' '), declaredSize: 1000 }])
  await expect(read(bomb)).rejects.toThrow(/1000 bytes/)
})

test('a binary workbook is reported with what to do', async () => {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
  const relations = `<Relationships><Relationship Id="r" Type="${type}" Target="xl/workbook.bin"/></Relationships>`
  const book = zip([
    { name: '_rels/.rels', bytes: Buffer.from(relations) },
    { name: 'xl/workbook.bin', bytes: Buffer.from([1]) },
  ])
  await expect(read(book)).rejects.toThrow(/it is a binary workbook \(\.xlsb\)\. Save it as \.xlsx$/)
})

test('a ZIP file that is not a workbook is reported in one line', async () => {
  await expect(read(zip([{ name: 'letter.txt', bytes: Buffer.from('Dear all') }]))).rejects.toThrow(/workbook/)
})
