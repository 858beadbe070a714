import { IconAlertCircle, IconArrowsSplit2, IconCheck, IconEqual, IconPencil, IconPlus } from '@tabler/icons-react'

import type { SheetPreview } from '../contract.ts'
import type { Findings } from './sheet-choices.ts'

import classes from './SheetPage.module.css'

/** What a preview can show of its findings, as it is in the address. */
export const SHOWN = ['all', 'errors', 'conflicts', 'changes', 'new', 'unchanged'] as const
export type Shown = (typeof SHOWN)[number]

interface FindingChipsProps {
  readonly preview: SheetPreview
  readonly findings: Findings
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
}

/** How many findings there are of each kind; pressed, just these show. */
export const FindingChips = ({ preview, findings, shown, onShow }: FindingChipsProps) => {
  const counts = {
    errors: findings.errors.length,
    conflicts: findings.conflicts.length,
    changes: findings.changes.reduce((sum, { cells }) => sum + cells.length, 0),
    new: findings.newRows.length,
    unchanged: preview.unchanged,
  }
  const all = counts.errors + counts.conflicts + counts.changes + counts.new
  const word = (count: number, one: string) => (count === 1 ? one : `${one}s`)
  const chips = [
    { show: 'all', icon: IconCheck, tone: undefined, count: all, word: 'All' },
    { show: 'errors', icon: IconAlertCircle, tone: 'bad', count: counts.errors, word: word(counts.errors, 'error') },
    { show: 'conflicts', icon: IconArrowsSplit2, tone: 'wait', count: counts.conflicts, word: word(counts.conflicts, 'conflict') },
    { show: 'changes', icon: IconPencil, tone: undefined, count: counts.changes, word: word(counts.changes, 'change') },
    { show: 'new', icon: IconPlus, tone: undefined, count: counts.new, word: 'new' },
    { show: 'unchanged', icon: IconEqual, tone: undefined, count: counts.unchanged, word: 'unchanged' },
  ] as const
  return (
    <div className={classes.chips} role="group" aria-label="Show">
      {chips.map(({ show, icon: Sign, tone, count, word: name }) => (
        <button
          key={show}
          type="button"
          className={classes.chip}
          aria-pressed={shown === show}
          data-quiet={count === 0 || undefined}
          onClick={() => onShow(show)}
        >
          <Sign size={16} stroke={1.75} aria-hidden data-tone={count === 0 ? undefined : tone} />
          {show === 'all' ? (
            <strong>All {count.toLocaleString('en-US')}</strong>
          ) : (
            <>
              <strong>{count.toLocaleString('en-US')}</strong> {name}
            </>
          )}
        </button>
      ))}
    </div>
  )
}
