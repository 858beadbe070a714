import { createInflateRaw } from 'node:zlib'

import type { formatValue, isDateFormat, serialToDate } from 'hucre'

import { SharedTexts, TooManyTexts } from './shared-texts.ts'
import { isStrike, type NumberStyles, readStyles, toShownNumber } from './workbook-styles.ts'
import { listTags, readAttributes, splitTags, type Tag, unescapeXml } from './workbook-xml.ts'
import { BrokenZip, findZipData, type ListedEntry, listZipEntries } from './zip-entries.ts'

/** A workbook that cannot be read; the message is the reason. */
export class UnreadableWorkbook extends Error {}
/** A workbook that takes more memory than a directory needs; the message is the reason, for the person who has the file. */
export class OversizedWorkbook extends UnreadableWorkbook {}

/** Excel's own limit for the text of a cell. */
export const MAX_CELL_LENGTH = 32_767
/** A character takes at most ten in XML: `&#x00000A;`. */
const MAX_CELL_XML_LENGTH = MAX_CELL_LENGTH * 10
/** The limit for all asked cells of a row: more than 60 full ones. */
const MAX_ROW_LENGTH = 2_097_152
const MAX_SHEETS = 1000
const MAX_RELATIONSHIPS = 10_000
const MAX_MERGED_RANGES = 10_000

/** Maximum unpacked size of a workbook; a real one of 100,000 rows and 50 columns takes about half. */
const MAX_BYTES = 536_870_912
/** Above this size, a workbook with a higher compression ratio than any real one is refused as a zip bomb. */
const SUSPECT_BYTES = 33_554_432
const SUSPECT_RATIO = 200
const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384
/** The limit for parts that are read whole; shared texts and rows are streamed. */
const MAX_SMALL_PART_BYTES = 8_388_608

const refuse = (reason: string): never => {
  throw new UnreadableWorkbook(reason)
}
const refuseSize = (reason: string): never => {
  throw new OversizedWorkbook(reason)
}
/** The reason for refusing a text that no spreadsheet program keeps. */
export const describeLongCell = (address: string): string =>
  `cell ${address} has more than ${MAX_CELL_LENGTH.toLocaleString('en-US')} characters`

export interface WorkbookRow {
  /** The row number as shown in the sheet. */
  readonly line: number
  /** The asked cells as text: a day as 2026-11-20, yes and no as TRUE and FALSE, a formula as its result. Others are empty. */
  readonly cells: string[]
  /** The indexes of the asked cells with a formula. */
  readonly formulas: readonly number[]
  /** What asked cells show instead of their number, such as 1% or 00735, by index. Absent if there are none. */
  readonly shown?: Readonly<Record<number, string>>
  /** The indexes of asked cells of which a part is struck through. Absent if there are none. */
  readonly struck?: readonly number[]
}

/** Which cells of a row are asked for, by the index of their column. */
export type IsAskedColumn = (column: number) => boolean

export interface Workbook {
  /** The names of the sheets, in order. */
  readonly sheets: readonly string[]
  /** The names of the parts in the ZIP. */
  readonly parts: readonly string[]
  /** Whether its day numbers count from 1904. */
  readonly is1904: boolean
  /** The rows of a sheet, the first sheet by default, with the asked columns. */
  readonly rows: (sheet?: string, isAsked?: IsAskedColumn) => AsyncGenerator<WorkbookRow>
  /** The merged cells of a sheet as ranges such as `A1:B2`, up to a limit. */
  readonly listMerged: (sheet: string) => Promise<string[]>
}

/** The text of an entry, in chunks; throws if its unpacked size exceeds the size in the directory. */
async function* readText(bytes: Uint8Array, entry: ListedEntry): AsyncGenerator<string> {
  const data = findZipData(bytes, entry)
  const decoder = new TextDecoder()
  if (entry.method === 0) return yield decoder.decode(data)
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  inflate.end(data)
  let length = 0
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > entry.unpacked) throw new BrokenZip(`it unpacks to more than the ${entry.unpacked} bytes that it says`)
      yield decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    throw error instanceof BrokenZip ? error : new BrokenZip('it is cut off or damaged', { cause: error })
  }
}
const CHUNK_BYTES = 262_144

const MAX_STRUCK_TEXTS = 100_000

/** The shared texts, which cells reference by index. Of a longer one, enough is kept to refuse the cells that reference it. */
const readSharedTexts = async (tags: AsyncIterable<Iterable<Tag>>): Promise<Pick<SharedParts, 'texts' | 'struckTexts'>> => {
  const texts = new SharedTexts()
  const struckTexts = new Set<number>()
  let count = 0
  let text = ''
  let isPhonetic = false
  for await (const chunk of tags)
    for (const { name, attributes, isEmpty, text: after } of chunk) {
      if (name === 'si') {
        text = ''
        count++
        if (isEmpty) texts.add('')
      } else if (isStrike(name, attributes) && struckTexts.size < MAX_STRUCK_TEXTS) struckTexts.add(count - 1)
      else if (name === 't') text += isPhonetic || text.length > MAX_CELL_XML_LENGTH ? '' : after
      else if (name === 'rPh') isPhonetic = !isEmpty
      else if (name === '/rPh') isPhonetic = false
      else if (name === '/si') texts.add(unescapeXml(text).slice(0, MAX_CELL_LENGTH + 1))
    }
  return { texts, struckTexts }
}

/** The text from the first occurrence of a mark. */
async function* skipTo(chunks: AsyncIterable<string>, mark: string): AsyncGenerator<string> {
  let isFound = false
  let rest = ''
  for await (const chunk of chunks) {
    if (isFound) {
      yield chunk
      continue
    }
    rest += chunk
    const at = rest.indexOf(mark)
    isFound = at !== -1
    if (isFound) yield rest.slice(at)
    else rest = rest.slice(-mark.length)
  }
}

interface Library {
  readonly isDateFormat: typeof isDateFormat
  readonly serialToDate: typeof serialToDate
  readonly formatValue: typeof formatValue
}

/** Data that the cells of all sheets share. */
interface SharedParts extends NumberStyles {
  readonly serialToDate: Library['serialToDate']
  readonly formatValue: Library['formatValue']
  readonly texts: SharedTexts
  /** The indexes of shared texts of which a part is struck through. */
  readonly struckTexts: ReadonlySet<number>
  readonly is1904: boolean
}

interface OpenCell {
  readonly type: string | undefined
  readonly style: string | undefined
  value: string
  inline: string
}

const toText = ({ type, style, value, inline }: OpenCell, { texts, dateStyles, is1904, serialToDate }: SharedParts): string => {
  if (type === 's') return texts.get(Number(value)) ?? ''
  if (type === 'inlineStr') return unescapeXml(inline)
  if (type === 'b') return /^(?:1|true)$/i.test(value) ? 'TRUE' : 'FALSE'
  if (type === 'str' || type === 'e' || type === 'd') return unescapeXml(value)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (Number.isNaN(number)) return unescapeXml(value)
  if (style === undefined || !dateStyles.has(style)) return String(number)
  const day = serialToDate(number, is1904)
  return Number.isNaN(day.getTime()) ? String(number) : day.toISOString().replace('T00:00:00.000Z', '')
}

const A = 64
/** The zero-based column index of a cell address. */
const toColumn = (address: string): number => {
  let column = 0
  for (const letter of address) {
    const code = letter.toUpperCase().charCodeAt(0) - A
    if (code < 1 || code > 26) break
    column = column * 26 + code
  }
  return column - 1
}

/** Takes the tags of a sheet one by one, and returns each completed row. */
class RowReader {
  readonly #shared: SharedParts
  readonly #isAsked: IsAskedColumn
  #line = 0
  #cells: string[] = []
  #formulas: number[] = []
  #shown: Record<number, string> = {}
  #struck: number[] = []
  #length = 0
  #cell: OpenCell | undefined
  #column = -1
  #isPhonetic = false

  constructor(shared: SharedParts, isAsked: IsAskedColumn) {
    this.#shared = shared
    this.#isAsked = isAsked
  }

  take({ name, attributes, isEmpty, text }: Tag): WorkbookRow | undefined {
    switch (name) {
      case 'row': {
        const line = Number(readAttributes(attributes).get('r'))
        this.#line = Number.isInteger(line) && line > 0 ? line : this.#line + 1
        if (this.#line > MAX_ROWS) refuse('it has a row outside of its sheet')
        this.#cells = []
        this.#formulas = []
        this.#shown = {}
        this.#struck = []
        this.#length = 0
        this.#column = -1
        break
      }
      case 'c':
        this.#openCell(attributes, isEmpty)
        break
      case 'v':
        if (this.#cell) this.#cell.value = this.#append(this.#cell.value, text)
        break
      case 't':
        if (this.#cell && !this.#isPhonetic) this.#cell.inline = this.#append(this.#cell.inline, text)
        break
      case 'rPh':
        this.#isPhonetic = !isEmpty
        break
      case '/rPh':
        this.#isPhonetic = false
        break
      case 'f':
        if (this.#cell && this.#formulas.at(-1) !== this.#column) this.#formulas.push(this.#column)
        break
      case 'strike':
        if (this.#cell && isStrike(name, attributes)) this.#struck.push(this.#column)
        break
      case '/c':
        if (this.#cell) this.#takeCell(toText(this.#cell, this.#shared))
        if (this.#cell) this.#noteLook(this.#cell)
        this.#cell = undefined
        break
      case '/row':
        return {
          line: this.#line,
          cells: this.#cells,
          formulas: this.#formulas,
          ...(Object.keys(this.#shown).length > 0 ? { shown: this.#shown } : {}),
          ...(this.#struck.length > 0 ? { struck: this.#struck } : {}),
        }
    }
    return undefined
  }

  #noteLook(cell: OpenCell): void {
    const { numberFormats, formatValue } = this.#shared
    const format = cell.type === undefined || cell.type === 'n' ? numberFormats.get(cell.style ?? '') : undefined
    const shown = format === undefined ? undefined : toShownNumber(cell.value, format, formatValue)
    if (shown !== undefined) this.#shown[this.#column] = shown
    if (cell.type === 's' && this.#shared.struckTexts.has(Number(cell.value))) this.#struck.push(this.#column)
  }

  #takeCell(text: string): void {
    if (text.length > MAX_CELL_LENGTH) refuseSize(describeLongCell(this.#address))
    this.#length += text.length
    if (this.#length > MAX_ROW_LENGTH) refuseSize(`row ${this.#line} has more than ${MAX_ROW_LENGTH.toLocaleString('en-US')} characters`)
    while (this.#cells.length < this.#column) this.#cells.push('')
    this.#cells[this.#column] = text
  }

  #append(before: string, text: string): string {
    return before.length + text.length > MAX_CELL_XML_LENGTH ? refuseSize(describeLongCell(this.#address)) : before + text
  }

  get #address(): string {
    return `${toColumnLetters(this.#column)}${this.#line}`
  }

  #openCell(attributes: string, isEmpty: boolean): void {
    const own = readAttributes(attributes)
    const address = own.get('r')
    this.#column = address === undefined ? this.#column + 1 : toColumn(address)
    if (this.#column < 0 || this.#column >= MAX_COLUMNS) refuse('it has a cell outside of its sheet')
    this.#cell = isEmpty || !this.#isAsked(this.#column) ? undefined : { type: own.get('t'), style: own.get('s'), value: '', inline: '' }
  }
}

/** 'A' to 'Z', 'AA' …: the letters of a column. */
export const toColumnLetters = (at: number): string =>
  (at >= 26 ? toColumnLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))

/** The path of a part, resolved from the part that references it; empty if it is invalid. */
const resolvePart = (from: string, target: string): string => {
  const url = URL.parse(target, `http://part/${encodeURI(from)}`)
  return url?.host === 'part' ? decodeURIComponent(url.pathname.slice(1).replaceAll(/%(?![0-9a-f]{2})/gi, '%25')) : ''
}

/** Opens a workbook; throws `UnreadableWorkbook` for anything else. */
export const openWorkbook = async (bytes: Uint8Array): Promise<Workbook> => {
  const entries = new Map<string, ListedEntry>()
  const readWhole = async (path: string): Promise<string> => {
    const entry = entries.get(path)
    if (!entry) return ''
    if (entry.unpacked > MAX_SMALL_PART_BYTES) return refuse(`${path} is too large`)
    return (await Array.fromAsync(readText(bytes, entry))).join('')
  }
  const readTargets = async (path: string): Promise<{ id: string | undefined; type: string; path: string }[]> => {
    const folder = path.lastIndexOf('/') + 1
    const xml = await readWhole(`${path.slice(0, folder)}_rels/${path.slice(folder)}.rels`)
    const targets: { id: string | undefined; type: string; path: string }[] = []
    for (const { name, attributes } of listTags(xml)) {
      if (name !== 'Relationship') continue
      const own = readAttributes(attributes)
      if (targets.length === MAX_RELATIONSHIPS) refuse('it has too many parts')
      targets.push({ id: own.get('Id'), type: own.get('Type') ?? '', path: resolvePart(path, unescapeXml(own.get('Target') ?? '')) })
    }
    return targets
  }
  return guard(async () => {
    for (const entry of listZipEntries(bytes)) entries.set(entry.name, entry)
    const size = [...entries.values()].reduce((total, { unpacked }) => total + unpacked, 0)
    if (size > MAX_BYTES || (size > SUSPECT_BYTES && size > bytes.length * SUSPECT_RATIO))
      refuseSize(`it unpacks to ${Math.round(size / 1_048_576)} MB, more than a directory needs`)
    const book = (await readTargets('')).find(({ type }) => type.endsWith('/officeDocument'))?.path ?? 'xl/workbook.xml'
    if (!entries.has(book)) refuse('it is not a workbook')
    if (book.endsWith('.bin')) refuse('it is a binary workbook (.xlsb). Save it as .xlsx')
    const targets = await readTargets(book)
    const sheets = new Map<string, ListedEntry | undefined>()
    let is1904 = false
    for (const { name, attributes } of listTags(await readWhole(book))) {
      if (name !== 'workbookPr' && name !== 'sheet') continue
      const own = readAttributes(attributes)
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(own.get('date1904') ?? '')
      else if (sheets.size === MAX_SHEETS) refuse('it has too many sheets')
      else sheets.set(unescapeXml(own.get('name') ?? ''), entries.get(targets.find(({ id }) => id === own.get('id'))?.path ?? ''))
    }
    const findPart = (type: string) => targets.find((target) => target.type.endsWith(`/${type}`))?.path ?? ''
    let reading: Promise<SharedParts> | undefined
    const readShared = async (): Promise<SharedParts> => {
      // Imported when the first file is read; a server reads files in a separate thread.
      const { isDateFormat, serialToDate, formatValue }: Library = await import('hucre')
      const entry = entries.get(findPart('sharedStrings'))
      return {
        is1904,
        serialToDate,
        formatValue,
        ...readStyles(await readWhole(findPart('styles')), isDateFormat),
        ...(entry
          ? await readSharedTexts(splitTags(readText(bytes, entry)))
          : { texts: new SharedTexts(), struckTexts: new Set<number>() }),
      }
    }
    const findSheet = (sheet: string): ListedEntry => sheets.get(sheet) ?? refuse(`it has no sheet “${sheet}”`)
    async function* rows(sheet = sheets.keys().next().value ?? '', isAsked: IsAskedColumn = () => true): AsyncGenerator<WorkbookRow> {
      const entry = findSheet(sheet)
      const reader = new RowReader(await guard(() => (reading ??= readShared())), isAsked)
      let count = 0
      try {
        for await (const tags of splitTags(readText(bytes, entry)))
          for (const tag of tags) {
            const row = reader.take(tag)
            if (!row) continue
            if (++count > MAX_ROWS) refuse('it has too many rows')
            yield row
          }
      } catch (error) {
        throw toUnreadable(error)
      }
    }
    const listMerged = (sheet: string): Promise<string[]> =>
      guard(async () => {
        const ranges: string[] = []
        for await (const tags of splitTags(skipTo(readText(bytes, findSheet(sheet)), 'mergeCells')))
          for (const { name, attributes } of tags) {
            const range = name === 'mergeCell' ? readAttributes(attributes).get('ref') : undefined
            if (range !== undefined && ranges.push(range) === MAX_MERGED_RANGES) return ranges
          }
        return ranges
      })
    return { sheets: [...sheets.keys()], parts: [...entries.keys()], is1904, rows, listMerged }
  })
}

const toUnreadable = (error: unknown): unknown => {
  if (error instanceof TooManyTexts) return new OversizedWorkbook('it takes too much memory', { cause: error })
  return error instanceof BrokenZip ? new UnreadableWorkbook(error.message, { cause: error }) : error
}
const guard = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toUnreadable(error)
  }
}
