import type { TextSegment } from '../highlight.ts'

import classes from './HighlightedText.module.css'

/** Text with search matches highlighted. */
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
