import type { ReactNode } from 'react'

import type { RecordKind } from '../../../../platform/contract/records.ts'
import type { ShownGroup } from './shownGroups.ts'

import classes from './Palette.module.css'

interface PaletteGroupProps {
  id: string
  group: ShownGroup
  /** The one kind that is shown, where it is just one. */
  alone: RecordKind | undefined
  onAlone: (kind: RecordKind | undefined) => void
  /** HitRows. */
  children: ReactNode
}

/** A group of hits with how many there are, and the way to all of them or back to every kind. */
export const PaletteGroup = ({ id, group: { title, said, all }, alone, onAlone, children }: PaletteGroupProps) => (
  <section className={classes.group}>
    <div className={classes.head}>
      <h2 id={`${id}-title`} className={classes.title}>
        {title}
      </h2>
      <span>
        {said}
        {all || alone ? (
          <>
            {said ? ' · ' : ''}
            <button
              type="button"
              className={classes.all}
              aria-label={alone ? undefined : `Show all ${title.toLowerCase()}`}
              onClick={() => onAlone(alone ? undefined : all)}
            >
              {alone ? 'Show everything' : 'Show all'}
            </button>
          </>
        ) : null}
      </span>
    </div>
    <div role="grid" id={id} aria-labelledby={`${id}-title`}>
      {children}
    </div>
  </section>
)
