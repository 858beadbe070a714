import { normalizeText } from '../../../contract/text-match.ts'

interface TextPart {
  text: string
  /** Its index in the text. */
  at: number
  isMatch: boolean
}

/** Splits a text at the matches of what was typed, ignoring case and accents like the search. */
export const splitMatches = (text: string, typed: string): TextPart[] => {
  const normalized = normalizeText(typed.trim())
  if (normalized === '') return [{ text, at: 0, isMatch: false }]
  // Normalizing may turn a letter into none or several, so each normalized letter keeps its original index.
  const plainLetters: string[] = []
  const from: number[] = []
  let at = 0
  for (const letter of text) {
    for (const one of normalizeText(letter)) {
      plainLetters.push(one)
      for (let unit = 0; unit < one.length; unit++) from.push(at)
    }
    at += letter.length
  }
  const flat = plainLetters.join('')
  const parts: TextPart[] = []
  let done = 0
  const cut = (end: number, isMatch: boolean) => {
    if (end > done) parts.push({ text: text.slice(done, end), at: done, isMatch })
    done = Math.max(done, end)
  }
  for (let found = flat.indexOf(normalized); found !== -1; found = flat.indexOf(normalized, found + normalized.length)) {
    cut(from[found] ?? done, false)
    cut(from[found + normalized.length] ?? text.length, true)
  }
  cut(text.length, false)
  return parts
}
