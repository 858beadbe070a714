/** Lower case without accents: typed and stored text are compared in this form. */
export const normalizeText = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** What names are written with and without: Mary Ann, Mary-Ann and Maryann; O'Brien; St. John. */
const SEPARATORS = /[ \-‐‑'’.]/g
const SEPARATOR_LETTERS: ReadonlySet<string> = new Set(" -‐‑'’.")
/** Fewer letters are found across words that have nothing to do with each other. */
const MIN_SPACED_LETTERS = 5

/**
 * Whether a normalized text contains what was typed, taken literally, or, from the beginning of a word on, with other spaces, hyphens, apostrophes and
 * periods.
 */
export const createTextMatcher = (typed: string): ((text: string) => boolean) => {
  const wanted = normalizeText(typed.trim())
  const letters = wanted.replace(SEPARATORS, '')
  const isSpaced = letters.length >= MIN_SPACED_LETTERS && !/\d/.test(letters)
  return (text) => text.includes(wanted) || (isSpaced && containsLetters(text, letters))
}

const containsLetters = (text: string, letters: string): boolean => {
  for (let start = text.indexOf(letters.charAt(0)); start !== -1; start = text.indexOf(letters.charAt(0), start + 1)) {
    if (start > 0 && text[start - 1] !== '\n' && !SEPARATOR_LETTERS.has(text.charAt(start - 1))) continue
    let [at, found] = [start, 0]
    while (at < text.length && found < letters.length) {
      if (text[at] === letters[found]) found++
      else if (!SEPARATOR_LETTERS.has(text.charAt(at))) break
      at++
    }
    if (found === letters.length) return true
  }
  return false
}

/** Whether one of the fields contains the typed text. */
export const matchesText = (typed: string, fields: readonly (string | null | undefined)[]): boolean => {
  const matches = createTextMatcher(typed)
  return typed.trim() === '' || fields.some((field) => field !== null && field !== undefined && matches(normalizeText(field)))
}

/** Whether two words differ by one letter that is wrong, missing or extra, or by two adjacent letters swapped. */
export const isOneTypoApart = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  return a.slice(at + 1) === b.slice(at + 1) || (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2))
}
