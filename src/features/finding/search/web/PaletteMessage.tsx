import { Button, VisuallyHidden } from '@mantine/core'

import { formatCount } from '../../../../contract/format.ts'
import { isSignedOut, errorMessage } from '../../../../platform/web/failures.ts'
import type { useSearch } from './queries.ts'

import classes from './Palette.module.css'

interface PaletteMessageProps {
  text: string
  found: ReturnType<typeof useSearch>
  isEmpty: boolean
  /** The number of shown hits. */
  count: number
}

/** The message above the hits, or instead of them. */
export const PaletteMessage = ({ text, found, isEmpty, count }: PaletteMessageProps) => {
  if (isEmpty)
    return count > 0 ? null : (
      <p className={classes.message}>
        Try a name or a nickname, part of a phone number, a finance or CDS number, or a role with a place, such as principal lodi.
      </p>
    )
  if (found.error && !isSignedOut(found.error))
    return (
      <div role="alert" className={classes.message}>
        <p>{errorMessage(found.error)}</p>
        <Button size="compact-sm" variant="default" loading={found.isFetching} onClick={() => void found.refetch()}>
          Retry
        </Button>
      </div>
    )
  if (!found.data) return null
  if (found.data.groups.length === 0)
    return (
      <div className={classes.message}>
        <p className={classes.nothing}>No results for “{found.data.query.trim()}”.</p>
        <p>
          Try fewer words, part of a phone number, or a role with a place, such as principal lodi. The spelling doesn’t have to be exact.
        </p>
      </div>
    )
  return found.data.close && found.isOf ? (
    <p className={classes.message}>No exact match for “{text.trim()}”. Showing the closest names.</p>
  ) : null
}

interface PaletteFootProps {
  /** The summary for screen readers: 'People: 17, Sites: 2'. */
  summary: string
  count: number
  isEmpty: boolean
  isReady: boolean
}

/** The keys, and the number of hits. */
export const PaletteFoot = ({ summary, count, isEmpty, isReady }: PaletteFootProps) => (
  <div className={classes.foot}>
    <span aria-hidden className={classes.keys}>
      <kbd className={classes.key}>↑</kbd>
      <kbd className={classes.key}>↓</kbd> move
      <kbd className={classes.key}>Enter</kbd> open
      <kbd className={classes.key}>Tab</kbd> call, email, Teams
    </span>
    <span aria-hidden>{isEmpty ? '' : formatCount(count, 'result')}</span>
    <VisuallyHidden role="status">{isEmpty || !isReady ? '' : summary || 'No results'}</VisuallyHidden>
  </div>
)
