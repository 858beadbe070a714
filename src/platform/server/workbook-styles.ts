import type { formatValue, isDateFormat } from 'hucre'

import { listTags, readAttributes, unescapeXml } from './workbook-xml.ts'

/** How the cells of a workbook show their numbers, by style. */
export interface NumberStyles {
  /** The styles that show a day or a time. */
  readonly dateStyles: ReadonlySet<string>
  /** The formats of styles that show a number in another form. */
  readonly numberFormats: ReadonlyMap<string, string>
}

/** Number formats that a workbook does not define itself: whole and decimal numbers, with separators, and percentages. */
const BUILT_IN_FORMATS: Readonly<Record<string, string>> = { 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%' }
/** Formats that show the number itself. */
const PLAIN_FORMAT = /^(?:General|@|0)$|E[+-]/i

/** The cell styles that show a day or a time, and the formats of those that show a number in another form. */
export const readStyles = (xml: string, isDate: typeof isDateFormat): NumberStyles => {
  const formats = new Map<string, string>()
  const dateStyles = new Set<string>()
  const numberFormats = new Map<string, string>()
  let isOfCells = false
  let style = 0
  for (const { name, attributes } of listTags(xml)) {
    if (name === 'numFmt') {
      const own = readAttributes(attributes)
      formats.set(own.get('numFmtId') ?? '', unescapeXml(own.get('formatCode') ?? ''))
    } else if (name === 'cellXfs') isOfCells = true
    else if (name === '/cellXfs') isOfCells = false
    else if (name === 'xf' && isOfCells) {
      const format = readAttributes(attributes).get('numFmtId') ?? ''
      const shown = formats.get(format) ?? BUILT_IN_FORMATS[format]
      if (isDate(formats.get(format) ?? format)) dateStyles.add(String(style))
      else if (shown !== undefined && shown.length <= MAX_SHOWN_LENGTH && !PLAIN_FORMAT.test(shown)) numberFormats.set(String(style), shown)
      style++
    }
  }
  return { dateStyles, numberFormats }
}

/** What a cell with a number shows, if that is another text than the number. */
export const toShownNumber = (value: string, format: string, formatNumber: typeof formatValue): string | undefined => {
  if (value.trim() === '' || Number.isNaN(Number(value))) return undefined
  const shown = formatNumber(Number(value), format).trim()
  return shown === '' || shown.length > MAX_SHOWN_LENGTH ? undefined : shown
}
const MAX_SHOWN_LENGTH = 100

/** Whether a tag says that a part of a text is struck through. */
export const isStrike = (name: string, attributes: string): boolean =>
  name === 'strike' && !/^(?:0|false)$/.test(readAttributes(attributes).get('val') ?? '')
