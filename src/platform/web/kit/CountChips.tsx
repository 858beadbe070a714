import type { IconCheck } from '@tabler/icons-react'

import classes from './CountChips.module.css'

/** So many rows are of one kind. */
export interface CountChip<Key extends string> {
  readonly key: Key
  readonly icon: typeof IconCheck
  readonly tone?: 'bad' | 'wait'
  readonly count: number
  /** '3 errors'; of all of them it comes before the number. */
  readonly word: string
}

interface CountChipsProps<Key extends string> {
  chips: readonly CountChip<Key>[]
  shown: Key
  isSmall?: boolean
  onShow: (shown: Key) => void
}

/** How many rows there are of each kind; pressed, just these show. None stays visible, but quiet. On phones they scroll sideways. */
export const CountChips = <Key extends string>({ chips, shown, isSmall = false, onShow }: CountChipsProps<Key>) => (
  <div className={classes.chips} data-small={isSmall || undefined} role="group" aria-label="Show">
    {chips.map(({ key, icon: Sign, tone, count, word }) => (
      <button
        key={key}
        type="button"
        className={classes.chip}
        aria-pressed={shown === key}
        data-quiet={count === 0 || undefined}
        onClick={() => onShow(key)}
      >
        <Sign size={isSmall ? 15 : 16} stroke={1.75} aria-hidden data-tone={count === 0 ? undefined : tone} />
        {key === 'all' ? (
          <strong>
            {word} {count.toLocaleString('en-US')}
          </strong>
        ) : (
          <>
            <strong>{count.toLocaleString('en-US')}</strong> {word}
          </>
        )}
      </button>
    ))}
  </div>
)
