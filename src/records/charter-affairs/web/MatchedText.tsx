import { splitMatches } from './highlight.ts'

/** A text with the matches of a search marked. */
export const MatchedText = ({ text, typed }: { text: string; typed: string }) =>
  splitMatches(text, typed).map((part) => (part.isMatch ? <mark key={part.at}>{part.text}</mark> : part.text))
