import { randomBytes } from 'node:crypto'

import { createZip } from '../../src/platform/server/zip.ts'

// Files that take little room and would take much memory as rows. Each has the header of a sheet of sites, unless that is the point.

export interface HostileSheet {
  readonly what: string
  readonly name: string
  readonly make: () => Promise<Buffer>
  /** What the server says about it; null if it is accepted, because what is harmful in it is never read. */
  readonly refusal: RegExp | null
}

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** The columns of the sheet of sites that are used here. */
const HEADER = ['_id', 'City', 'Fax', 'ZIP code', 'Phone', 'Address']
const ALL_COLUMNS =
  'Display name,Site name,Status,Facility type,Region,Charter,Finance number,Address line 1,Address line 2,City,State,ZIP code,Phone,Fax,Start day,End day,Start time,End time,Description,Closures,Registration email,Interest email'.split(
    ',',
  )
/** As long as Excel allows, within a few characters. */
const LONG = 32_760
const NEW_ROW_CELLS = 5

type Text = Iterable<string>
interface Parts {
  readonly sheets: readonly { readonly name?: string; readonly rows: Text; readonly rest?: string }[]
  /** The shared texts, as XML. */
  readonly texts?: Text
  readonly afterSheets?: string
}

const repeat = function* (text: string, times: number): Generator<string> {
  for (let n = 0; n < times; n++) yield text
}
const join = function* (...texts: Text[]): Generator<string> {
  for (const text of texts) yield* text
}

const createBook = async ({ sheets, texts = [], afterSheets = '' }: Parts): Promise<Buffer> => {
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="/xl/${target}"/>`
  const listed = sheets.map(({ name }, at) => `<sheet name="${name ?? `Sheet ${at}`}" sheetId="${at + 1}" r:id="r${at}"/>`)
  const targets = sheets.map((_, at) => relation(`r${at}`, 'worksheet', `${at}.xml`))
  const parts = [
    { name: '_rels/.rels', text: [`<Relationships>${relation('r', 'officeDocument', 'workbook.xml')}</Relationships>`] },
    { name: 'xl/workbook.xml', text: [`<workbook><sheets>${listed.join('')}</sheets>${afterSheets}</workbook>`] },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: [`<Relationships>${targets.join('')}${relation('s', 'sharedStrings', 'texts.xml')}</Relationships>`],
    },
    { name: 'xl/texts.xml', text: join(['<sst>'], texts, ['</sst>']) },
    ...sheets.map(({ rows, rest = '' }, at) => ({
      name: `xl/${at}.xml`,
      text: join(['<worksheet><sheetData>'], rows, [`</sheetData>${rest}</worksheet>`]),
    })),
  ]
  return Buffer.concat(await Array.fromAsync(createZip(parts)))
}

const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const shared = (index: number): string => `<c t="s"><v>${index}</v></c>`
const toRow = (cells: readonly string[]): string => `<row>${cells.join('')}</row>`
const toHeader = (labels: readonly string[] = HEADER): string => toRow(labels.map(inline))
const newRow = (cell: string, cells = NEW_ROW_CELLS): string => toRow(['<c/>', ...Array.from({ length: cells }, () => cell)])
const toText = (text: string): string => `<si><t>${text}</t></si>`
/** A long text that does not repeat the last one, so that a file of them is not conspicuously compressed. */
const createText = (length = LONG): string => `${randomBytes(240).toString('base64')}${'x'.repeat(length - 320)}`
const createTexts = function* (count: number, toXml: (text: string) => string): Generator<string> {
  for (let n = 0; n < count; n++) yield toXml(createText())
}
const csv =
  (...texts: Text[]) =>
  async (): Promise<Buffer> =>
    Buffer.from([...join([`${HEADER.join(',')}\n`], ...texts)].join(''))

const TOO_LONG = /^This file cannot be read: cell B2 has more than 32,767 characters\.$/
const TOO_MUCH_CHANGED = /^The changed cells have more text than fits into memory\. Split the file/
const TOO_MANY_CELLS = /^More than 200,000 cells differ\. Split the file/
const TOO_MANY_FINDINGS = /^This file takes too much memory\. Split it/
const TOO_MUCH_MEMORY = /^This file cannot be read: it takes too much memory/
const NO_HEADER = /^This file was not downloaded from Homeroom/

const WORKBOOKS: Readonly<Record<string, readonly [() => Parts, RegExp | null]>> = {
  'one shared text of 1 MB with 12,000 references': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(newRow(shared(0), 1), 12_000)) }], texts: [toText('A'.repeat(1_048_576 - 100))] }),
    TOO_LONG,
  ],
  'a sheet with 8,000 new rows of five cells, each as long as Excel allows': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(newRow(shared(0)), 8000)) }], texts: [toText('x'.repeat(LONG))] }),
    TOO_MUCH_CHANGED,
  ],
  'the same in two-byte characters': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(newRow(shared(0)), 8000)) }], texts: [toText('字'.repeat(LONG))] }),
    TOO_MUCH_CHANGED,
  ],
  'the same under headers that are not known, which are read by their position': [
    () => ({
      sheets: [{ rows: join([toHeader(['_id', 'a', 'b', 'c', 'd', 'e'])], repeat(newRow(shared(0)), 8000)) }],
      texts: [toText('x'.repeat(LONG))],
    }),
    TOO_MUCH_CHANGED,
  ],
  '3,000 rows of 300 long texts beside the columns of the sheet': [
    () => ({
      sheets: [{ rows: join([toHeader()], repeat(toRow(Array.from({ length: 300 }, (_, at) => (at < 6 ? '<c/>' : shared(0)))), 3000)) }],
      texts: [toText('x'.repeat(LONG))],
    }),
    null,
  ],
  '16,000 columns in eighty rows': [
    () => ({
      sheets: [{ rows: join([toHeader()], repeat(toRow(Array.from({ length: 16_000 }, () => shared(0))), 80)) }],
      texts: [toText('x'.repeat(LONG))],
    }),
    null,
  ],
  '500 sheets of long texts without a header': [
    () => ({
      sheets: Array.from({ length: 500 }, () => ({ rows: repeat(newRow(shared(0), 60), 25) })),
      texts: [toText('x'.repeat(LONG))],
    }),
    NO_HEADER,
  ],
  '2,000 long texts in their cells': [
    () => ({
      sheets: [
        {
          rows: join(
            [toHeader()],
            createTexts(2000, (text) => newRow(inline(text), 1)),
          ),
        },
      ],
    }),
    TOO_MUCH_CHANGED,
  ],
  'a text of a million pieces': [
    () => ({
      sheets: [{ rows: [toHeader(), newRow(shared(0), 1)] }],
      texts: join(['<si>'], repeat('<r><t>x</t></r>', 1_000_000), ['</si>']),
    }),
    TOO_LONG,
  ],
  'two million empty shared texts': [
    () => ({ sheets: [{ rows: [toHeader(), newRow(shared(0), 1)] }], texts: repeat('<si/>', 2_100_000) }),
    TOO_MUCH_MEMORY,
  ],
  '1,100 long shared texts': [
    () => ({ sheets: [{ rows: [toHeader(), newRow(shared(0), 1)] }], texts: createTexts(1100, toText) }),
    TOO_MUCH_MEMORY,
  ],
  'two million formulas': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(toRow(Array.from({ length: 100 }, () => '<c><f/></c>')), 20_000)) }] }),
    null,
  ],
  '300,000 merged cells, of rows that do not exist too': [
    () => ({
      sheets: [
        {
          rows: [toHeader()],
          rest: `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/><mergeCell ref="ZZ1:ZZ9999999999999"/>'.repeat(150_000)}</mergeCells>`,
        },
      ],
    }),
    null,
  ],
  'an origin of 40,000 long records': [
    () => ({
      sheets: [{ rows: [toHeader()] }, { name: 'Homeroom', rows: repeat(toRow([inline('record'), shared(0)]), 40_000) }],
      texts: [toText('x'.repeat(LONG))],
    }),
    null,
  ],
  '7 MB of names': [
    () => ({ sheets: [{ rows: [toHeader()] }], afterSheets: '<definedName name="a">Sheet!A1</definedName>'.repeat(150_000) }),
    null,
  ],
  'twenty thousand new rows of five cells, to which errors of empty cells are added': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(newRow(shared(0)), 20_000)) }], texts: [toText('字'.repeat(100))] }),
    TOO_MANY_FINDINGS,
  ],
  'twenty thousand new rows in which every cell is filled': [
    () => ({
      sheets: [{ rows: join([toHeader(['_id', ...ALL_COLUMNS])], repeat(newRow(shared(0), ALL_COLUMNS.length), 20_000)) }],
      texts: [toText('x')],
    }),
    TOO_MANY_CELLS,
  ],
  'new rows with values that each look like a mistake': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(newRow(shared(0)), 16_000)) }], texts: [toText('1e5')] }),
    TOO_MANY_FINDINGS,
  ],
  'fourteen thousand new rows, as much as is accepted': [
    () => ({ sheets: [{ rows: join([toHeader()], repeat(newRow(shared(0)), 14_000)) }], texts: [toText('字'.repeat(100))] }),
    null,
  ],
}

const TEXTS: Readonly<Record<string, readonly [() => Promise<Buffer>, RegExp | null]>> = {
  'one line of 20 MB': [csv(['x'.repeat(20_000_000)]), /^This file cannot be read: line 2 has more than/],
  'fields of 30,000 characters': [csv(repeat(`,${'x'.repeat(30_000)}\n`, 600)), TOO_MUCH_CHANGED],
  'fields that are longer than Excel allows': [csv(repeat(`,${'x'.repeat(900_000)}\n`, 20)), TOO_LONG],
  'nothing but commas': [csv(repeat(`${','.repeat(999)}\n`, 19_000)), null],
  'a quotation mark that is never closed': [
    csv([',"'], repeat('x\n', 9_000_000)),
    /^This file cannot be read: row 2: A quotation mark is opened and never closed/,
  ],
  'quotation marks at the beginning of each line': [
    csv(repeat(',"x\n', 4_000_000)),
    /^This file cannot be read: row 2: A quotation mark inside a quoted cell is not doubled/,
  ],
  'UTF-16 with 9 million characters': [
    async () => Buffer.from(`\ufeff${HEADER.join(',')}\n${`,${'字'.repeat(30_000)}\n`.repeat(300)}`, 'utf16le'),
    null,
  ],
}

/** Files that are designed to take more memory than the server has. */
export const HOSTILE_SHEETS: readonly HostileSheet[] = [
  ...Object.entries(WORKBOOKS).map(([what, [toParts, refusal]]) => ({
    what,
    name: 'sheet.xlsx',
    make: () => createBook(toParts()),
    refusal,
  })),
  ...Object.entries(TEXTS).map(([what, [make, refusal]]) => ({ what, name: 'sheet.csv', make, refusal })),
]
