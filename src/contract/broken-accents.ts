// A file that is read in another encoding than it was written in has other characters instead of letters outside ASCII.

/** UTF-8 read as Windows-1252, such as `Ã¼` and `â€™`: a first byte, and one to three others. */
const READ_AS_WINDOWS =
  /[Â-Å][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x80-¿]|[à-ï][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x80-¿]{2}|[ð-ô][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x80-¿]{3}/u
/** UTF-8 read as Mac OS Roman, such as `√º`. */
const READ_AS_MAC =
  /[¬√ƒ≈][ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø]|[‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ][ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø]{2}|[ÒÚÛÙ][ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø]{3}/u
/** UTF-8 read as a DOS code page, such as `├╝`, and the sign for an unreadable byte. */
const READ_AS_DOS = /[├┬][^\s\w]|\uFFFD/u
/** Whether a text was read in the wrong encoding for certain: nobody writes these characters together. */
export const hasMojibake = (text: string): boolean => [READ_AS_WINDOWS, READ_AS_MAC, READ_AS_DOS].some((pattern) => pattern.test(text))
/** A question mark inside a word, as an encoding without a letter leaves it. */
const LOST_LETTER = /\p{L}\?+\p{Ll}/u
/** Web addresses have question marks, too. */
const ADDRESS_MARK = /[/=&]/

/** Whether a text contains letters that were read in the wrong encoding. */
export const hasBrokenAccents = (text: string): boolean => hasMojibake(text) || (LOST_LETTER.test(text) && !ADDRESS_MARK.test(text))

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
  ((hasMojibake(after) && !hasMojibake(before)) ||
    (['NFC', 'NFD'] as const).some((form) => losesLetters(before.normalize(form), after.normalize(form))))
