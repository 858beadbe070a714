import { deflateRawSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { type IsAskedColumn, MAX_CELL_LENGTH, openWorkbook, OversizedWorkbook, UnreadableWorkbook } from './workbook-reader.ts'

/** A ZIP of texts; `declaredSize` replaces the real size in its directory. */
const toZip = (parts: Readonly<Record<string, string>>, declaredSize?: number): Uint8Array => {
  const files: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(parts)) {
    const [name, plain] = [Buffer.from(path), Buffer.from(text)]
    const packed = deflateRawSync(plain)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(plain.length, 22)
    head.writeUInt16LE(name.length, 26)
    files.push(head, name, packed)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(declaredSize ?? plain.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    entries.push(entry, name)
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, directory, end])
}

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const BOOK = {
  '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${TYPE}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook><sheets><sheet name="A &amp; B" sheetId="1" r:id="r7"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r7" Type="${TYPE}/worksheet" Target="worksheets/one.xml"/><Relationship Id="r8" Type="${TYPE}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r9" Type="${TYPE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/sharedStrings.xml': `<sst><si><t>plain</t></si><si/><si><r><t>ri</t></r><r><rPr><b/></rPr><t xml:space="preserve">ch </t></r><rPh sb="0" eb="1"><t>furigana</t></rPh></si><si><t>a &lt; b &#xe9;_x000D_</t></si></sst>`,
  'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;-&quot;mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>`,
}

const read = async (sheet: string, parts: Readonly<Record<string, string>> = {}, isAsked?: IsAskedColumn) => {
  const workbook = await openWorkbook(toZip({ ...BOOK, 'xl/worksheets/one.xml': sheet, ...parts }))
  return Array.fromAsync(workbook.rows(undefined, isAsked))
}

test.each([
  [
    'shared strings, including rich text',
    '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>',
    ['plain', '', 'rich '],
  ],
  ['characters that XML cannot contain', '<c r="A1" t="s"><v>3</v></c>', ['a < b é\r']],
  ['inline strings', '<c r="B1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', ['', 'inline']],
  [
    'numbers and dates',
    '<c r="A1"><v>1.50</v></c><c r="B1" s="1"><v>46000</v></c><c r="C1" s="2"><v>46000.5</v></c><c r="D1" s="3"><v>46000</v></c>',
    ['1.5', '2025-12-09', '2025-12-09T12:00:00.000Z', '46000'],
  ],
  [
    'booleans, errors and results of formulas',
    '<c r="A1" t="b"><v>1</v></c><c r="B1" t="e"><v>#N/A</v></c><c r="C1" t="str"><f>A1&amp;1</f><v>x</v></c>',
    ['TRUE', '#N/A', 'x'],
  ],
  ['cells without references', '<c><v>1</v></c><c/><c><v>3</v></c>', ['1', '', '3']],
  ['namespace prefixes and single quotes', "<x:c r='B1' s='0'><x:v>7</x:v></x:c>", ['', '7']],
])('reads %s', async (_what, cells, expected) => {
  expect(await read(`<worksheet><sheetData><!-- a > b --><row r="1">${cells}</row></sheetData></worksheet>`)).toEqual([
    { line: 1, cells: expected, formulas: cells.includes('<f>') ? [2] : [] },
  ])
})

test('counts days from 1904 if the workbook says so', async () => {
  const workbook = { 'xl/workbook.xml': BOOK['xl/workbook.xml'].replace('<sheets>', '<workbookPr date1904="1"/><sheets>') }
  expect(await read('<sheetData><row><c s="1"><v>44538</v></c></row></sheetData>', workbook)).toEqual([
    { line: 1, cells: ['2025-12-09'], formulas: [] },
  ])
})

test('reports formulas and merged cells', async () => {
  const sheet =
    '<sheetData><row r="4"><c r="C4"><f>1+1</f><v>2</v></c><c><f/></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells>'
  expect(await read(sheet)).toEqual([{ line: 4, cells: ['', '', '2', ''], formulas: [2, 3] }])
  const workbook = await openWorkbook(toZip({ ...BOOK, 'xl/worksheets/one.xml': sheet }))
  expect(await workbook.listMerged('A & B')).toEqual(['A1:B2'])
})

test('reports what numbers show in another form, and texts of which a part is struck through', async () => {
  const struck = '<r><rPr><strike/></rPr><t>$1 </t></r><r><t>$2</t></r>'
  const parts = {
    'xl/sharedStrings.xml': `<sst><si><t>plain</t></si><si>${struck}</si><si><r><rPr><strike val="0"/></rPr><t>kept</t></r></si></sst>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="000000"/><numFmt numFmtId="171" formatCode="&quot;$&quot;#,##0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
  }
  const row =
    '<c s="1"><v>0.01</v></c><c s="2"><v>735</v></c><c s="3"><v>1234.5</v></c><c><v>7</v></c>' +
    `<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="inlineStr"><is>${struck}</is></c>`
  expect(await read(`<row r="1">${row}</row>`, parts)).toEqual([
    {
      line: 1,
      cells: ['0.01', '735', '1234.5', '7', 'plain', '$1 $2', 'kept', '$1 $2'],
      formulas: [],
      shown: { 0: '1%', 1: '000735', 2: '$1,234.50' },
      struck: [5, 7],
    },
  ])
})

test('leaves out columns that nobody asks for, whatever they hold', async () => {
  const long = `<c r="B1" t="inlineStr"><is><t>${'x'.repeat(MAX_CELL_LENGTH + 1)}</t></is></c>`
  const row = `<row r="1"><c r="A1"><v>1</v></c>${long}<c r="C1"><f>1</f><v>3</v></c></row>`
  expect(await read(row, {}, (column) => column === 2)).toEqual([{ line: 1, cells: ['', '', '3'], formulas: [2] }])
})

test.each([
  ['one shared text', '<c r="A1" t="s"><v>0</v></c>', { 'xl/sharedStrings.xml': `<sst><si><t>${'é'.repeat(40_000)}</t></si></sst>` }],
  ['a text of many pieces', `<c r="A1" t="inlineStr"><is>${`<r><t>${'x'.repeat(1000)}</t></r>`.repeat(40)}</is></c>`, {}],
  ['the result of a formula', `<c r="A1" t="str"><f>REPT(1,40000)</f><v>${'1'.repeat(40_000)}</v></c>`, {}],
])('refuses a cell with more characters than Excel keeps, named by its address: %s', async (_what, cell, parts) => {
  await expect(read(`<row r="1">${cell}</row>`, parts)).rejects.toThrow(new OversizedWorkbook('cell A1 has more than 32,767 characters'))
})

test('reads the longest text that Excel keeps, also where XML writes it ten times as long', async () => {
  const text = '&#x00000041;'.slice(0, 3) + '000041;'
  const [row] = await read(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text.repeat(MAX_CELL_LENGTH)}</t></is></c></row>`)
  expect(row?.cells).toEqual(['A'.repeat(MAX_CELL_LENGTH)])
})

test('refuses a row of more text than sixty full cells, and more shared texts than fit into memory', async () => {
  const full = `<c t="inlineStr"><is><t>${'x'.repeat(MAX_CELL_LENGTH)}</t></is></c>`
  await expect(read(`<row r="7">${full.repeat(70)}</row>`)).rejects.toThrow(/row 7 has more than 2,097,152 characters/)
  const texts = { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_100_000)}</sst>` }
  await expect(read('<row r="1"><c t="s"><v>0</v></c></row>', texts)).rejects.toThrow(OversizedWorkbook)
})

test('keeps shared texts of every length, in every order of asking', async () => {
  const texts = Array.from({ length: 3000 }, (_, at) => `${at} ${'é😀x'.repeat(at % 700)}`)
  const parts = { 'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>` }
  const cells = texts.map((_, at) => `<row><c t="s"><v>${texts.length - 1 - at}</v></c></row>`).join('')
  expect((await read(cells, parts)).map((row) => row.cells[0])).toEqual(texts.toReversed())
})

test('reads rows that are split anywhere between chunks of a sheet', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>Row ${at} é</t></is></c></row>`,
  )
  const found = await read(`<sheetData>${rows.join('')}</sheetData>`)
  expect(found.map(({ cells }) => cells[0])).toEqual(rows.map((_, at) => `Row ${at} é`))
})

test.each([
  ['with a part larger than it declares', toZip({ ...BOOK, 'xl/worksheets/one.xml': ' '.repeat(100_000) }, 90)],
  ['with text that never ends', toZip({ ...BOOK, 'xl/worksheets/one.xml': `<sheetData><row><c><v>${'1'.repeat(3_000_000)}` })],
  ['with a cell outside of the sheet', toZip({ ...BOOK, 'xl/worksheets/one.xml': '<row><c r="ZZZZ1"><v>1</v></c></row>' })],
  ['with a row outside of the sheet', toZip({ ...BOOK, 'xl/worksheets/one.xml': '<row r="4294967295"><c><v>1</v></c></row>' })],
  ['with a text marked as CDATA', toZip({ ...BOOK, 'xl/worksheets/one.xml': '<row><c><v><![CDATA[1]]></v></c></row>' })],
  ['without its sheet', toZip(BOOK)],
  ['that is truncated', toZip(BOOK).subarray(0, 900)],
  ['that is a binary workbook', toZip({ 'xl/workbook.bin': '', '_rels/.rels': BOOK['_rels/.rels'].replace('.xml', '.bin') })],
  ['of another kind', toZip({ 'letter.txt': 'Dear all' })],
])('refuses a file %s', async (_what, bytes) => {
  await expect(openWorkbook(bytes).then((workbook) => Array.fromAsync(workbook.rows()))).rejects.toThrow(UnreadableWorkbook)
})
