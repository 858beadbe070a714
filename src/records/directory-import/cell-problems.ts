import { hasMojibake } from '../../contract/broken-accents.ts'
import { findLineError } from '../../contract/text-cleaning.ts'

/** What the reader of a workbook returns for a formula that was never computed. */
export const FORMULA_WITHOUT_VALUE = '#FORMULA!'
const SPREADSHEET_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/

/** Why a cell of a file cannot be imported, whatever its field is; undefined if it can. `line` is its text as one line. */
export const findCellProblem = (text: string, line: string): string | undefined => {
  if (text === FORMULA_WITHOUT_VALUE) return 'holds a formula without a stored value: open the file in Excel and save it'
  if (SPREADSHEET_ERROR.test(text)) return `holds the spreadsheet error ${text}`
  if (findLineError(line) !== undefined) return 'holds a character that cannot be stored'
  // A question mark inside a word may stand in the source itself, and a school must not be missing for it.
  return hasMojibake(line) ? `holds letters that were read in another encoding: ${line}` : undefined
}
