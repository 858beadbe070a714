import { expect, test } from 'vitest'

import { parseRows, detectDelimiter, type FileRow, LineTooLong, toCsv } from './delimited.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const allOf = async (rows: AsyncIterable<FileRow>): Promise<FileRow[]> => {
  const all: FileRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

/** Reads a text twice, as a whole and character by character, which must give the same result. */
const rowsOf = async (text: string, delimiter = ','): Promise<FileRow[]> => {
  const whole = await allOf(parseRows(inChunks(text, text.length || 1), delimiter))
  expect(await allOf(parseRows(inChunks(text, 1), delimiter))).toEqual(whole)
  return whole
}
const cellsOf = async (text: string, delimiter?: string) => (await rowsOf(text, delimiter)).map(({ cells }) => cells)

test('cells are separated by commas, including blank ones', async () => {
  expect(await cellsOf('a,b,c\n1,,3\n,,\n')).toEqual([
    ['a', 'b', 'c'],
    ['1', '', '3'],
    ['', '', ''],
  ])
})

test('lines may end in LF, CRLF or CR; the last one needs no line end', async () => {
  expect(await cellsOf('a,b\n1,2\r\n3,4\r5,6')).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
  ])
})

test('a quoted cell may contain the delimiter, line breaks and doubled quotation marks, unchanged', async () => {
  expect(await cellsOf('"Smith, Jones","two\r\nlines\nhere","the ""best"" one",""\n')).toEqual([
    ['Smith, Jones', 'two\r\nlines\nhere', 'the "best" one', ''],
  ])
})

test('line numbers are those of the file, counting line breaks inside cells', async () => {
  expect((await rowsOf('h\n"a\nb\nc"\nd\r\n\r\ne')).map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'h'],
    [2, 'a\nb\nc'],
    [5, 'd'],
    [6, ''],
    [7, 'e'],
  ])
})

test('a quotation mark inside an unquoted cell is an ordinary character', async () => {
  expect(await cellsOf('Dr. "Bob" Hill,5" pipe\n')).toEqual([['Dr. "Bob" Hill', '5" pipe']])
})

test('a quotation mark that is never closed affects only its own row', async () => {
  expect(await rowsOf('1,a\n2,"b\n3,c\n4,d\n')).toEqual([
    { line: 1, cells: ['1', 'a'] },
    { line: 2, cells: ['2', '"b'], error: 'A quotation mark is opened and never closed' },
    { line: 3, cells: ['3', 'c'] },
    { line: 4, cells: ['4', 'd'] },
  ])
})

test('a quotation mark that is not doubled affects only its own row, even if it is detected lines later', async () => {
  expect(await rowsOf('1,"a "b" c"\n2,"b\n3,"c"\n4,d\n')).toEqual([
    { line: 1, cells: ['1', '"a "b" c"'], error: 'A quotation mark inside a quoted cell is not doubled' },
    { line: 2, cells: ['2', '"b'], error: 'A quotation mark inside a quoted cell is not doubled' },
    { line: 3, cells: ['3', 'c'] },
    { line: 4, cells: ['4', 'd'] },
  ])
})

test('in tab-separated text, which is often written without quoting, a lone quotation mark is an ordinary character', async () => {
  expect(await rowsOf('1\t"Bob" Hill\tCA\n2\t"Smith, Jones"\tTX\n', '\t')).toEqual([
    { line: 1, cells: ['1', '"Bob" Hill', 'CA'] },
    { line: 2, cells: ['2', 'Smith, Jones', 'TX'] },
  ])
})

test('many unclosed quotation marks are read fast, and so is one far from its end', { timeout: 10_000 }, async () => {
  const row = `1,"${'x'.repeat(60)}" y\n`
  const rows = await allOf(parseRows(inChunks(row.repeat(20_000), 65_536), ','))
  expect(rows).toHaveLength(20_000)
  const far = await allOf(parseRows(inChunks(`1,"open\n${'2,b\n'.repeat(80_000)}`, 65_536), ','))
  expect(far).toHaveLength(80_001)
  expect(far.at(-1)).toEqual({ line: 80_001, cells: ['2', 'b'] })
})

test('a line without an end is refused as too long before it fills the memory', async () => {
  await expect(allOf(parseRows(inChunks('x'.repeat(3_000_000), 65_536), ','))).rejects.toThrow(LineTooLong)
})

test.each([
  ['a,b;c,d', ','],
  ['a;b;c,d', ';'],
  ['a\tb\tc, d', '\t'],
  ['"a;b;c;d",e,f', ','],
  ['alone', ','],
  ['a;b\n1,2,3,4', ';'],
])('the delimiter of %j is %j', (header, delimiter) => {
  expect(detectDelimiter(header)).toBe(delimiter)
})

test('written CSV is read back unchanged', async () => {
  const cells = ['plain', 'a,b', 'a "b"', 'two\nlines', ' edges ', '=1+1', '']
  expect(await cellsOf(toCsv(cells))).toEqual([cells])
})
