import type { IconCheck } from '@tabler/icons-react'

import classes from './CountChips.module.css'
import layoutClasses from './Layout.module.css'

/** The number of rows of one kind. */
export interface CountChip<Key extends string> {
  readonly key: Key
  readonly icon: typeof IconCheck
  readonly tone?: 'bad' | 'wait'
  readonly count: number
  /** '3 errors'; for the chip of all rows, the word precedes the number. */
  readonly word: string
}

interface CountChipsProps<Key extends string> {
  chips: readonly CountChip<Key>[]
  shown: Key
  isSmall?: boolean
  onShow: (shown: Key) => void
}

/** The number of rows of each kind; pressing one filters by it. A zero stays visible but muted. On phones the chips scroll sideways. */
export const CountChips = <Key extends string>({ chips, shown, isSmall = false, onShow }: CountChipsProps<Key>) => (
  <div
    className={`${layoutClasses.wrappingRow} ${classes.chips}`}
    data-print="no"
    data-small={isSmall || undefined}
    role="group"
    aria-label="Show"
  >
    {chips.map(({ key, icon: Icon, tone, count, word }) => (
      <button
        key={key}
        type="button"
        className={`${layoutClasses.inlineRow} ${layoutClasses.hoverable} ${layoutClasses.outlined} ${classes.chip}`}
        aria-pressed={shown === key}
        data-quiet={count === 0 || undefined}
        onClick={() => onShow(key)}
      >
        <Icon size={isSmall ? 15 : 16} stroke={1.75} aria-hidden data-tone={count === 0 ? undefined : tone} />
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
