/** A text split around its difference from another: the common start, its own middle, the common end. */
export interface TextDiff {
  readonly before: string
  readonly own: string
  readonly after: string
}

const TIME = /^\d{1,2}:\d{2}[AP]M$/
/** Splits at word boundaries, so that only whole words are marked; short values such as numbers are split into characters, except times. */
const splitText = (text: string): string[] => (TIME.test(text) ? [text] : /\s/.test(text) ? text.split(/(?<=\s)/) : [...text])

/** The difference of a text from another. */
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

/** A proposal for a text that two people changed: the common start, the words of both, the common end. */
export const combineTexts = (before: string, mine: string, theirs: string): string => {
  const { before: start, own, after } = diffTexts(mine, theirs)
  const { own: other } = diffTexts(theirs, mine)
  // If one has only removed words, the other text already contains everything.
  if (own.trim() === '' || other.trim() === '') return own.trim() === '' ? theirs : mine
  const gap = before === '' && start === '' ? '\n' : /\s$/.test(own) ? '' : ' '
  return `${start}${own}${gap}${other}${after}`
}
