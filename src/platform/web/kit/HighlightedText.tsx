import type { TextSegment } from '../highlight.ts'

/** Text with search matches highlighted. */
export const HighlightedText = ({ segments }: { segments: readonly TextSegment[] }) =>
  segments.map(({ text, isHighlighted }, at) => (isHighlighted ? <mark key={at}>{text}</mark> : text))
