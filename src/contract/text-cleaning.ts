// Rules for all text input: leading and trailing whitespace is trimmed, blank text means empty, and invisible characters are refused.

/** Invisible at the end of a text: whitespace and zero-width characters. */
const BLANK = /[\u034F\s\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2060-\u2064\u206A-\u206F\u2800\u3164\uFEFF\uFFA0]/
/** Combining marks belong to the letter before them; without one they are invisible, too. */
const INVISIBLE = /^[\s\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u

const LINE_BREAK = /[\n\r\u2028\u2029]/
/** Control characters, bidirectional overrides, and characters that no file format can represent. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB\uFFFE\uFFFF]/u
/** The same without the line feed. A lookahead for it would take six times as long. */
// oxlint-disable-next-line no-control-regex -- those are what is refused
const HIDDEN_IN_MULTILINE = /[\0-\t\v-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB\uFFFE\uFFFF]/u

/** Blanks that look like ordinary ones, and characters without any width, as pages of the web have them inside of names. */
const OTHER_BLANK = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/
const BLANKS = /[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/g
const ORDINARY_BLANKS = /^ +$/
const WITHOUT_WIDTH = /[\u00AD\u200B\u2060\uFEFF]+/g
const normalizeBlanks = (text: string): string => {
  const visible = text.replace(WITHOUT_WIDTH, '')
  return OTHER_BLANK.test(visible) ? visible.replace(BLANKS, (blanks) => (ORDINARY_BLANKS.test(blanks) ? blanks : ' ')) : visible
}

/** Trims a line; empty if nothing visible remains. Other blanks inside of it become an ordinary one. Without a regular expression, because `/\s+$/` takes quadratic time on long runs of spaces. */
export const cleanLine = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && BLANK.test(text.charAt(from))) from++
  while (to > from && BLANK.test(text.charAt(to - 1))) to--
  const line = normalizeBlanks(text.slice(from, to))
  return INVISIBLE.test(line) && !HIDDEN.test(line) ? '' : line
}

/** The same for text of several lines, whose line breaks become line feeds and whose tabs become spaces. */
export const cleanMultiline = (text: string): string => cleanLine(text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\t', ' '))

export const SINGLE_LINE_REQUIRED = 'Use a single line, without line breaks'
export const HIDDEN_CHARACTER = 'Contains a hidden character. Delete it, or type the text again.'

/** Whether PostgreSQL can store and return a text unchanged: no NUL, no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The error of invalid characters in a line; undefined if there are none. */
export const findLineError = (line: string): string | undefined => {
  if (LINE_BREAK.test(line)) return SINGLE_LINE_REQUIRED
  return HIDDEN.test(line) || !isStorable(line) ? HIDDEN_CHARACTER : undefined
}
/** The same for text of several lines. */
export const findMultilineError = (text: string): string | undefined =>
  HIDDEN_IN_MULTILINE.test(text) || !isStorable(text) ? HIDDEN_CHARACTER : undefined

const ALL_HIDDEN = new RegExp(HIDDEN, 'gu')
const ALL_HIDDEN_IN_MULTILINE = new RegExp(HIDDEN_IN_MULTILINE, 'gu')
const removeAll = (text: string, characters: RegExp): string => text.replace(characters, '').toWellFormed()

/** Makes a line of text that was not typed into a field (a cell of a file): line breaks and tabs become spaces, invisible characters are removed. */
export const sanitizeLine = (text: string): string =>
  cleanLine(removeAll(text.replace(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, ' '), ALL_HIDDEN))
/** The same for text of several lines. */
export const sanitizeMultiline = (text: string): string => cleanLine(removeAll(cleanMultiline(text), ALL_HIDDEN_IN_MULTILINE))
