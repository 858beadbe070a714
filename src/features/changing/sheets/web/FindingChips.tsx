import { IconAlertCircle, IconArrowsSplit2, IconCheck, IconEqual, IconPencil, IconPlus } from '@tabler/icons-react'

import { type CountChip, CountChips } from '../../../../platform/web/kit/CountChips.tsx'
import type { SheetPreview } from '../contract.ts'
import type { Findings } from './sheet-choices.ts'

/** The findings that a preview can show, as in the URL. */
export const SHOWN = ['all', 'errors', 'conflicts', 'changes', 'new', 'unchanged'] as const
export type Shown = (typeof SHOWN)[number]

interface FindingChipsProps {
  readonly preview: SheetPreview
  readonly findings: Findings
  /** Errors that are not fixed yet. */
  readonly errors: number
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
}

/** The number of findings of each kind; pressing one shows only those. */
export const FindingChips = ({ preview, findings, errors, shown, onShow }: FindingChipsProps) => {
  const counts = {
    errors,
    conflicts: findings.conflicts.length,
    changes: findings.changes.reduce((sum, { cells }) => sum + cells.length, 0),
    new: findings.newRows.length,
    unchanged: preview.unchanged,
  }
  const all = findings.errors.length + counts.conflicts + counts.changes + counts.new
  const word = (count: number, one: string) => (count === 1 ? one : `${one}s`)
  const chips: readonly CountChip<Shown>[] = [
    { key: 'all', icon: IconCheck, count: all, word: 'All' },
    { key: 'errors', icon: IconAlertCircle, tone: 'bad', count: counts.errors, word: word(counts.errors, 'error') },
    { key: 'conflicts', icon: IconArrowsSplit2, tone: 'wait', count: counts.conflicts, word: word(counts.conflicts, 'conflict') },
    { key: 'changes', icon: IconPencil, count: counts.changes, word: word(counts.changes, 'change') },
    { key: 'new', icon: IconPlus, count: counts.new, word: 'new' },
    { key: 'unchanged', icon: IconEqual, count: counts.unchanged, word: 'unchanged' },
  ]
  return <CountChips chips={chips} shown={shown} onShow={onShow} />
}
