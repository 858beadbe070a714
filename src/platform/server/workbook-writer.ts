import { DAY_MS } from '../../contract/dates.ts'
import { MAX_CELL_LENGTH, toColumnLetters } from './workbook-reader.ts'
import { type ZipEntry, createZip } from './zip.ts'

/** The content type of a workbook. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The type of a column: a `day` is an ISO day, written as a real date; a `number` is numeric; everything else stays text. */
export type CellKind = 'text' | 'day' | 'number'
export type CellValue = string | null

export interface SheetColumn {
  readonly header: string
  readonly kind: CellKind
  /** In characters of the default font size. */
  readonly width: number
}

/** A sheet whose rows are requested in batches. */
export interface SheetSource {
  readonly name: string
  readonly columns: readonly SheetColumn[]
  readonly batches: AsyncIterable<readonly (readonly CellValue[])[]>
}

/** Excel's own limits. */
const MAX_ROWS = 1_048_576
const MAX_SHEET_NAME_LENGTH = 31
/** Characters of a sheet that are compressed together. */
const CHUNK_BYTES = 16_384

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The formats of `STYLES`, by index. */
const CELL_STYLES = { number: 0, header: 1, text: 2, day: 3, guarded: 4 } as const

/**
 * Text has the format `@` (49), so that a cell stays text when someone types over it; text that looks like a formula also gets Excel's apostrophe
 * prefix (quotePrefix).
 */
const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDEE7FC"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"><color rgb="FF2E4FBC"/></bottom><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="2" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const ESCAPED_CHARACTERS = /[&<>"\ufffe\uffff]|(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu
/** Characters that XML cannot represent are escaped the way workbooks do (`_x000B_`); text that looks like such an escape is escaped too. */
const escapeXml = (text: string): string =>
  text.replace(ESCAPED_CHARACTERS, (found) => NAMED[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)

/** Text that a spreadsheet program would treat as a formula. */
export const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r\n]/

const textCell = (at: string, text: string): string => {
  // Line breaks within cells are a single line feed.
  const lines = text.replace(/\r\n?/g, '\n').toWellFormed()
  const truncated = lines.length > MAX_CELL_LENGTH ? `${lines.slice(0, MAX_CELL_LENGTH - 1)}…`.toWellFormed() : lines
  const style = LOOKS_LIKE_FORMULA.test(text) ? CELL_STYLES.guarded : CELL_STYLES.text
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(truncated)}</t></is></c>`
}

const DAY_BEFORE_THE_FIRST = Date.UTC(1899, 11, 30)
/** Excel's calendar has a February 29, 1900, which did not exist. */
const FIRST_TRUE_DAY = '1900-03-01'

/** The number of an ISO day in Excel's calendar; undefined if it has none. */
const toDayNumber = (day: string): number | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(day) && day >= FIRST_TRUE_DAY ? (Date.parse(day) - DAY_BEFORE_THE_FIRST) / DAY_MS : undefined

const PLAIN_NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/

const buildCell = (at: string, value: CellValue, kind: CellKind): string => {
  if (value === null || value === '') return ''
  if (kind === 'number' && PLAIN_NUMBER.test(value)) return `<c r="${at}" s="${CELL_STYLES.number}"><v>${value}</v></c>`
  const day = kind === 'day' ? toDayNumber(value) : undefined
  return day === undefined ? textCell(at, value) : `<c r="${at}" s="${CELL_STYLES.day}"><v>${day}</v></c>`
}

/** The size of the sheet so far, including its header. */
interface Extent {
  rows: number
}

const toRange = (columns: number, { rows }: Extent): string => `A1:${toColumnLetters(columns - 1)}${rows}`

/** One sheet, with a frozen header and filters; suppresses Excel's warning about numbers stored as text. */
async function* sheetText({ columns, batches }: SheetSource, extent: Extent, isFirst: boolean): AsyncGenerator<string> {
  const letters = columns.map((_, index) => toColumnLetters(index))
  const widths = columns.map(
    ({ width, kind }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${CELL_STYLES[kind]}" customWidth="1"/>`,
  )
  const heads = columns.map(
    ({ header }, index) =>
      `<c r="${letters[index]}1" s="${CELL_STYLES.header}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(header)}</t></is></c>`,
  )
  yield `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetViews><sheetView ${isFirst ? 'tabSelected="1" ' : ''}workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight" activeCell="B2" sqref="B2"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols><sheetData><row r="1" ht="20" customHeight="1">${heads.join('')}</row>`
  for await (const batch of batches) {
    let text = ''
    for (const row of batch) {
      if (text.length > CHUNK_BYTES) {
        yield text
        text = ''
      }
      const number = ++extent.rows
      if (number > MAX_ROWS) throw new Error(`A sheet holds no more than ${MAX_ROWS} rows`)
      text += `<row r="${number}">`
      for (const [index, { kind }] of columns.entries()) text += buildCell(`${letters[index]}${number}`, row[index] ?? null, kind)
      text += '</row>'
    }
    yield text
  }
  const range = toRange(columns.length, extent)
  yield `</sheetData><autoFilter ref="${range}"/><pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup orientation="landscape"/><ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

const workbookText = (sheets: readonly SheetSource[], extents: readonly Extent[]): string => {
  const names = sheets.map(({ name }) => name.slice(0, MAX_SHEET_NAME_LENGTH))
  const listed = names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  const filters = names.map((name, at) => {
    const range = toRange(sheets[at]?.columns.length ?? 1, extents[at] ?? { rows: 1 }).replace(/[A-Z]+|\d+/g, '$$$&')
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${escapeXml(`'${name.replaceAll("'", "''")}'!${range}`)}</definedName>`
  })
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets><definedNames>${filters.join('')}</definedNames></workbook>`
}

const contentTypes = (sheets: number): string => {
  const parts = [
    ['workbook.xml', 'sheet.main'],
    ['styles.xml', 'styles'],
    ...Array.from({ length: sheets }, (_, at) => [`worksheets/sheet${at + 1}.xml`, 'worksheet']),
  ].map(([part, type]) => `<Override PartName="/xl/${part}" ContentType="${TYPES}.${type}+xml"/>`)
  return `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`
}

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`

/**
 * A workbook (Office Open XML, ISO/IEC 29500) as a stream; only one batch of rows is in memory. Rows are requested as fast as the output is
 * consumed. If a request fails, the file ends without its list of parts, so no program opens it.
 */
export const writeWorkbook = (sheets: readonly SheetSource[]): AsyncGenerator<Buffer> => {
  const extents = sheets.map((): Extent => ({ rows: 1 }))
  function* parts(): Generator<ZipEntry> {
    yield { name: '[Content_Types].xml', text: [contentTypes(sheets.length)] }
    yield { name: '_rels/.rels', text: [relations([['officeDocument', 'xl/workbook.xml']])] }
    yield {
      name: 'xl/_rels/workbook.xml.rels',
      text: [relations([...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const), ['styles', 'styles.xml']])],
    }
    yield { name: 'xl/styles.xml', text: [STYLES] }
    for (const [at, sheet] of sheets.entries())
      yield { name: `xl/worksheets/sheet${at + 1}.xml`, text: sheetText(sheet, extents[at] ?? { rows: 1 }, at === 0) }
    yield { name: 'xl/workbook.xml', text: [workbookText(sheets, extents)] }
  }
  return createZip(parts())
}
