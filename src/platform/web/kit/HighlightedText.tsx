import type { TextSegment } from '../highlight.ts'

import classes from './HighlightedText.module.css'

/** A text with what matched a search isHighlighted. */
export const HighlightedText = ({ segments }: { segments: readonly TextSegment[] }) =>
  segments.map(({ text, isHighlighted }, at) =>
    isHighlighted ? (
      <mark key={at} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  )
