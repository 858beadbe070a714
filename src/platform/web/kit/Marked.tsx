import type { Stretch } from '../marks.ts'

import classes from './Marked.module.css'

/** A text with what matched a search marked. */
export const Marked = ({ stretches }: { stretches: readonly Stretch[] }) =>
  stretches.map(({ text, marked }, at) =>
    marked ? (
      <mark key={at} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  )
