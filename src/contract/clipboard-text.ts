/** A cell of a sheet: one line, and never read as a formula. */
const formatCell = (text: string): string => text.replace(/\s+/g, ' ').replace(/^(?=[=+\-@])/, ' ')

/** Rows as a spreadsheet takes them from the clipboard: tabs between cells, a line for each row. */
export const toClipboardText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(formatCell).join('\t')).join('\n')
