/** A cell of a sheet: one line, and never a formula. */
const formatCell = (text: string): string => text.replace(/\s+/g, ' ').replace(/^(?=[=+\-@])/, ' ')

/** Rows in the clipboard format of spreadsheets: tabs between cells, one line per row. */
export const toClipboardText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(formatCell).join('\t')).join('\n')
