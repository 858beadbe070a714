// A file that is read in another encoding than it was written in has other characters instead of letters outside ASCII.

const decodeBytes = (encoding: string, from: number, to: number): string =>
  new TextDecoder(encoding).decode(Uint8Array.from({ length: to - from + 1 }, (_, at) => from + at))

/** UTF-8 that was read in an encoding of one byte per character: the characters of its first bytes, and of the others. */
const toUtf8Patterns = (encoding: string): string[] => {
  const bytes = (from: number, to: number) => `[${decodeBytes(encoding, from, to)}]`
  const others = bytes(0x80, 0xbf)
  return [`${bytes(0xc2, 0xc5)}${others}`, `${bytes(0xe0, 0xef)}${others}{2}`, `${bytes(0xf0, 0xf4)}${others}{3}`]
}
/** UTF-8 read as Windows-1252 (`Ã¼`, `â€™`), as Mac OS Roman (`√º`) or as a DOS code page (`├╝`), and the sign for an unreadable byte. */
const MOJIBAKE = new RegExp([...toUtf8Patterns('windows-1252'), ...toUtf8Patterns('macintosh'), '[├┬][^\\s\\w]', '\\uFFFD'].join('|'), 'u')
/** A question mark inside a word, as an encoding without a letter leaves it; web addresses have it, too. */
const LOST_LETTER = /^[^/=&]*\p{L}\?+\p{Ll}[^/=&]*$/su

/** Whether a text contains letters that were read in the wrong encoding. */
export const hasBrokenAccents = (text: string): boolean => MOJIBAKE.test(text) || LOST_LETTER.test(text)

const isLetter = (text: string): boolean => /\p{L}/u.test(text)
const toBase = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Whether `after` is what an edit makes of the letters: another accent, none, or ASCII letters such as `ue` for `ü`. */
const isRespelled = (before: string, after: string): boolean => /^[a-z]+$/i.test(after) || toBase(before) === toBase(after)

const OUTSIDE_ASCII = /[^\0-\x7F]+/g
/** What may be instead of letters outside ASCII: marks, other such letters, or a few ASCII letters. */
const INSTEAD = /^(?:[^\p{L}\p{N}\s]*|[^\0-\x7F\s]+|[a-z]{1,4})$/iu
const MAX_INSTEAD_LENGTH = 9

/** What `after` has instead of the characters outside ASCII of `before`; undefined if anything else differs, too. */
const findReplacements = (before: string, after: string): string[] | undefined => {
  const [first = '', ...others] = before.split(OUTSIDE_ASCII)
  if (!after.startsWith(first)) return undefined
  const found: string[] = []
  let at = first.length
  for (const [nth, kept] of others.entries()) {
    const end = nth === others.length - 1 ? after.length - kept.length : after.indexOf(kept, at)
    const instead = after.slice(at, Math.max(at, end))
    if (end < at || !after.startsWith(kept, end) || instead.length > MAX_INSTEAD_LENGTH || !INSTEAD.test(instead)) return undefined
    found.push(instead)
    at = end + kept.length
  }
  return found
}

const losesLetters = (before: string, after: string): boolean => {
  const others = before.match(OUTSIDE_ASCII) ?? []
  return (
    findReplacements(before, after)?.some((instead, nth) => {
      const other = others[nth] ?? ''
      return instead !== other && (isLetter(other) ? !isRespelled(other, instead) : instead.includes('?'))
    }) ?? false
  )
}

/** Whether an edit differs from the earlier text only in characters outside ASCII, which became something that no one would type. */
export const losesAccents = (before: string, after: string): boolean =>
  before !== after &&
  ((MOJIBAKE.test(after) && !MOJIBAKE.test(before)) ||
    (['NFC', 'NFD'] as const).some((form) => losesLetters(before.normalize(form), after.normalize(form))))
