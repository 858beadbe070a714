/** A cell of a sheet: one line, and never a formula. */
const formatCell = (text: string): string => text.replace(/\s+/g, ' ').replace(/^(?=[=+\-@])/, ' ')

/** Rows in the clipboard format of spreadsheets: tabs between cells, one line per row. */
export const toClipboardText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(formatCell).join('\t')).join('\n')

/** Whether a text begins with a quotation mark and its last one is not written yet. */
const isOpenQuotation = (text: string): boolean => text.startsWith('"') && text.split('"').length % 2 === 0
const removeQuotes = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text

/** The rows that were copied from a spreadsheet, which puts a cell of several lines in quotation marks. */
export const readClipboardText = (text: string): string[][] => {
  const rows: string[][] = [[]]
  let cell = ''
  const end = () => {
    rows.at(-1)?.push(removeQuotes(cell))
    cell = ''
  }
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  for (const part of lines.split(/([\t\n])/)) {
    if ((part !== '\t' && part !== '\n') || isOpenQuotation(cell)) cell += part
    else {
      end()
      if (part === '\n') rows.push([])
    }
  }
  end()
  return rows
}
