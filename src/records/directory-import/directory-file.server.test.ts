import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

import { type CellValue, writeXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'

import type { FileRow } from '../../platform/server/delimited.ts'
import { openDirectoryFile } from './directory-file.server.ts'

const folder = await mkdtemp(join(tmpdir(), 'homeroom-file-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
const written = async (content: string | Uint8Array, name = `file-${++files}.csv`): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const rowsOf = async (content: string | Uint8Array): Promise<(readonly string[])[]> => {
  const rows: (readonly string[])[] = []
  for await (const row of (await openDirectoryFile(await written(content))).rows()) rows.push(row.cells)
  return rows
}
const kindOf = async (content: string | Uint8Array): Promise<string> => (await openDirectoryFile(await written(content))).kind

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
  expect(await kindOf(bytes)).toBe('text in Windows-1252, separated by commas')
})

test('an invalid byte far from the beginning makes the whole file Windows-1252', async () => {
  const rows = await rowsOf(Buffer.concat([Buffer.from('name\n'), Buffer.from('plain\n'.repeat(50_000)), Buffer.from([0xe9, 0x0a])]))
  expect(rows).toHaveLength(50_002)
  expect(rows.at(-1)).toEqual(['é'])
})

test('a multi-byte character may be split between two chunks', async () => {
  // 65,535 bytes, so that the first chunk ends within the letter.
  const text = `${'x\n'.repeat(32_767)}xñ,${LETTERS}`
  expect((await rowsOf(text)).at(-1)).toEqual(['xñ', LETTERS])
})

test('a row with a longer cell than a workbook can have is refused, and the rows after it are read', async () => {
  const read: FileRow[] = []
  const text = `name,note\nOne,${'x'.repeat(32_768)}\nTwo,${'x'.repeat(32_767)}\n`
  for await (const row of (await openDirectoryFile(await written(text))).rows()) read.push(row)
  expect(read.map(({ line, error }) => ({ line, error }))).toEqual([
    { line: 1, error: undefined },
    { line: 2, error: 'The cell B2 has more than 32,767 characters' },
    { line: 3, error: undefined },
  ])
})

test("Excel's Unicode text (UTF-16, tabs) is read", async () => {
  expect(await rowsOf(Buffer.from(`\uFEFFname\tcity\r\n${LETTERS}\tFresno\r\n`, 'utf16le'))).toEqual([
    ['name', 'city'],
    [LETTERS, 'Fresno'],
  ])
})

test.each([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
])('the delimiter %j is detected', async (delimiter, name) => {
  const text = ['a', 'b', 'c'].join(delimiter)
  expect(await kindOf(text)).toBe(`text in UTF-8, separated by ${name}`)
  expect(await rowsOf(text)).toEqual([['a', 'b', 'c']])
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
  const [row] = await rowsOf(
    await writeXlsx({ sheets: [{ name: 'A', columns: [{ header: 'GRADES', key: 'a', numFmt: 'mm-dd' }], data: [{ a: day }] }] }),
  ).then((rows) => rows.slice(1))
  expect(row).toEqual(['2026-09-12'])
})

test('rows of a workbook have the row numbers of the sheet, counting empty rows', async () => {
  const file = await openDirectoryFile(await written(await workbook([['a'], [null], [], ['b']])))
  const lines: [number, string | undefined][] = []
  for await (const { line, cells } of file.rows()) if (cells.some(Boolean)) lines.push([line, cells[0]])
  expect(lines).toEqual([
    [1, 'a'],
    [4, 'b'],
  ])
})

test('a file can be read again from the beginning', async () => {
  for (const content of [
    'a,b\n1,2\n',
    await workbook([
      ['a', 'b'],
      ['1', '2'],
    ]),
  ]) {
    const file = await openDirectoryFile(await written(content))
    for (let times = 0; times < 2; times++) {
      let count = 0
      for await (const { cells } of file.rows()) count += cells.length
      expect(count).toBe(4)
    }
  }
})

test('a file that changes while it is read is reported', async () => {
  const path = await written('a,b\n')
  const file = await openDirectoryFile(path)
  await file.assertUnchanged()
  await writeFile(path, 'a,b\n1,2\n')
  await expect(file.assertUnchanged()).rejects.toThrow('was changed while it was being read')
})

const everyRow = async (path: string): Promise<void> => {
  for await (const row of (await openDirectoryFile(path)).rows()) expect(row.line).toBeGreaterThan(0)
}

test.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /is empty$/],
  [
    'an old Excel file',
    Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    /is an old Excel file \(\.xls\) or protected by a password: save it as \.xlsx or \.csv without one$/,
  ],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /is neither delimited text \(CSV\) nor an Excel workbook \(\.xlsx\)$/],
  ['a truncated workbook', Buffer.from('504b030414000000', 'hex'), /cannot be read as an Excel workbook: it is cut off or damaged$/],
])('%s is reported in one line', async (_, content, message) => {
  await expect(everyRow(await written(content))).rejects.toThrow(message)
})

test('a folder and a missing file are reported in one line', async () => {
  await mkdir(join(folder, 'directory.csv'))
  await expect(everyRow(join(folder, 'directory.csv'))).rejects.toThrow(/is a folder, not a file$/)
  await expect(everyRow(join(folder, 'nowhere.csv'))).rejects.toThrow(/^There is no file .*nowhere\.csv$/)
})

/** A ZIP file whose entries may declare false sizes. */
const zip = (entries: readonly { name: string; bytes: Buffer; declaredSize?: number }[]): Buffer => {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, bytes, declaredSize = bytes.length } of entries) {
    const packed = deflateRawSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(declaredSize, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(declaredSize, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    locals.push(local, Buffer.from(name), packed)
    central.push(entry, Buffer.from(name))
    at += local.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(central).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...central, end])
}

test('a zip bomb is refused before it is unpacked', async () => {
  const bomb = zip([{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.alloc(100_000_000, ' ') }])
  expect(bomb.length).toBeLessThan(200_000)
  await expect(everyRow(await written(bomb))).rejects.toThrow(/it unpacks to 95 MB, more than a directory needs$/)
})

test('a zip bomb that hides its size is refused', async () => {
  const bomb = zip([{ name: '[Content_Types].xml', bytes: Buffer.alloc(50_000_000, ' '), declaredSize: 0 }])
  await expect(everyRow(await written(bomb))).rejects.toThrow(/it hides how large it is$/)
})

test('a zip bomb that declares a false size is stopped once it exceeds that size', async () => {
  const bomb = zip([{ name: 'xl/workbook.xml', bytes: Buffer.alloc(50_000_000, ' '), declaredSize: 1000 }])
  await expect(everyRow(await written(bomb))).rejects.toThrow(/cannot be read as an Excel workbook: .*1000 bytes/)
})

test('a binary workbook is reported with what to do', async () => {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
  const relations = `<Relationships><Relationship Id="r" Type="${type}" Target="xl/workbook.bin"/></Relationships>`
  const book = zip([
    { name: '_rels/.rels', bytes: Buffer.from(relations) },
    { name: 'xl/workbook.bin', bytes: Buffer.from([1]) },
  ])
  await expect(everyRow(await written(book))).rejects.toThrow(/it is a binary workbook \(\.xlsb\)\. Save it as \.xlsx$/)
})

test('a ZIP file that is not a workbook is reported in one line', async () => {
  await expect(everyRow(await written(zip([{ name: 'letter.txt', bytes: Buffer.from('Dear all') }])))).rejects.toThrow(
    /cannot be read as an Excel workbook: /,
  )
})
