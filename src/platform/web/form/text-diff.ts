/** A text in two pieces around what differs from another: what both begin with, what is its own, what both end with. */
export interface TextDiff {
  readonly before: string
  readonly own: string
  readonly after: string
}

/** Splits between words, so that half a word is never marked; short values such as numbers between letters. */
const splitText = (text: string): string[] => (/\s/.test(text) ? text.split(/(?<=\s)/) : [...text])

/** What is a text's own beside another. */
export const diffTexts = (text: string, other: string): TextDiff => {
  const [mine, theirs] = [splitText(text), splitText(other)]
  let start = 0
  while (start < mine.length && start < theirs.length && mine[start] === theirs[start]) start += 1
  let end = 0
  while (end < mine.length - start && end < theirs.length - start && mine.at(-1 - end) === theirs.at(-1 - end)) end += 1
  return {
    before: mine.slice(0, start).join(''),
    own: mine.slice(start, mine.length - end).join(''),
    after: mine.slice(mine.length - end).join(''),
  }
}

/** A proposal for a text that two people changed: what both begin with, the words of the one and of the other, what both end with. */
export const combineTexts = (before: string, mine: string, theirs: string): string => {
  const { before: start, own, after } = diffTexts(mine, theirs)
  const { own: other } = diffTexts(theirs, mine)
  // Where one has only taken words away, the other's text has all there is.
  if (own.trim() === '' || other.trim() === '') return own.trim() === '' ? theirs : mine
  const gap = before === '' && start === '' ? '\n' : /\s$/.test(own) ? '' : ' '
  return `${start}${own}${gap}${other}${after}`
}
