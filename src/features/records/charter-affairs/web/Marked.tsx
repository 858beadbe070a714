import { markedParts } from './marks.ts'

/** A text with the places marked that match what was typed. */
export const Marked = ({ text, typed }: { text: string; typed: string }) =>
  markedParts(text, typed).map((part) => (part.marked ? <mark key={part.at}>{part.text}</mark> : part.text))
