import type { ReactNode } from 'react'

import type { RecordKind } from '../../../../contract/records.ts'
import type { PaletteGroupData } from './palette-groups.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './Palette.module.css'

interface PaletteGroupProps {
  id: string
  group: PaletteGroupData
  /** The only kind that is shown, if any. */
  onlyKind: RecordKind | undefined
  onOnlyKind: (kind: RecordKind | undefined) => void
  /** The rows. */
  children: ReactNode
}

/** A group of hits with its count, and a button to show all of them or every kind. */
export const PaletteGroup = ({ id, group: { title, summary, all }, onlyKind, onOnlyKind, children }: PaletteGroupProps) => (
  <section className={classes.group}>
    <div className={`${textClasses.label} ${layoutClasses.row} ${layoutClasses.spaceBetween} ${classes.head}`}>
      <h2 id={`${id}-title`} className={`${textClasses.strong} ${classes.title}`}>
        {title}
      </h2>
      <span>
        {summary}
        {all || onlyKind ? (
          <>
            {summary ? ' · ' : ''}
            <button
              type="button"
              className={`${textClasses.linkColor} ${layoutClasses.minHeight24} ${textClasses.underlined} ${classes.all}`}
              aria-label={onlyKind ? undefined : `Show all ${title.toLowerCase()}`}
              onClick={() => onOnlyKind(onlyKind ? undefined : all)}
            >
              {onlyKind ? 'Show everything' : 'Show all'}
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
