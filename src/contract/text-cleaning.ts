// What a person may type as text, the same in every field of its kind: blanks at the ends go, blank means empty, and characters no one can see are refused.

/** What shows as nothing at the end of a text: white space, and characters without a width. */
const BLANK = /[\u034F\s\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2060-\u2064\u206A-\u206F\u2800\u3164\uFEFF\uFFA0]/
/** Marks belong to the letter before them: without one they show nothing either. */
const INVISIBLE = /^[\s\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u

const LINE_BREAK = /[\n\r\u2028\u2029]/
/** Controls, the marks that turn the direction of what follows, and what no file format can hold. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB\uFFFE\uFFFF]/u
const HIDDEN_IN_MULTILINE = /(?!\n)[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB\uFFFE\uFFFF]/u

/** A line without the blanks at its ends; empty where nothing can be seen of it. By hand, because `/\s+$/` is quadratic in a run of blanks. */
export const cleanLine = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && BLANK.test(text.charAt(from))) from++
  while (to > from && BLANK.test(text.charAt(to - 1))) to--
  const line = text.slice(from, to)
  return INVISIBLE.test(line) && !HIDDEN.test(line) ? '' : line
}

/** The same of a text of several lines, whose line breaks become line feeds and whose tabs become blanks. */
export const cleanMultiline = (text: string): string => cleanLine(text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\t', ' '))

export const SINGLE_LINE_REQUIRED = 'Use a single line, without line breaks'
export const HIDDEN_CHARACTER = 'Contains a hidden character. Delete it, or type the text again.'

/** True for text that PostgreSQL stores and gives back as it is: no NUL, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** What is wrong with the characters of a line, in words; undefined where nothing is. */
export const findLineError = (line: string): string | undefined => {
  if (LINE_BREAK.test(line)) return SINGLE_LINE_REQUIRED
  return HIDDEN.test(line) || !isStorable(line) ? HIDDEN_CHARACTER : undefined
}
/** The same of a text of several lines. */
export const findMultilineError = (text: string): string | undefined =>
  HIDDEN_IN_MULTILINE.test(text) || !isStorable(text) ? HIDDEN_CHARACTER : undefined

/** A line out of text that was never typed into a field (a cell of a file): line breaks and tabs become blanks, hidden characters go. */
export const sanitizeLine = (text: string): string =>
  cleanLine(
    text
      .replace(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, ' ')
      .replace(new RegExp(HIDDEN, 'gu'), '')
      .toWellFormed(),
  )
/** The same for a text of several lines. */
export const sanitizeMultiline = (text: string): string =>
  cleanLine(cleanMultiline(text).replace(new RegExp(HIDDEN_IN_MULTILINE, 'gu'), '').toWellFormed())
