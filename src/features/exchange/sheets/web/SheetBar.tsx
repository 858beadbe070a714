import { Button } from '@mantine/core'

import { formatCount } from '../rules.ts'
import { formatSummary, type Summary } from './sheet-choices.ts'
import { goToCell } from './use-sheet-keys.ts'

import classes from './SheetPage.module.css'

const SAVE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ S' : 'Ctrl S'
const CHANGE = ['change', 'changes'] as const

interface SheetBarProps {
  readonly summary: Summary
  readonly noun: readonly [one: string, many: string]
  readonly hasChosen: boolean
  readonly isSaving: boolean
  readonly onGo: (cell: string) => void
  readonly onCancel: () => void
  readonly onSave: () => void
}

/** What saving will do, what is left out, and the two ways out. Saving is never disabled: it goes to what is left. */
export const SheetBar = ({ summary, noun, hasChosen, isSaving, onGo, onCancel, onSave }: SheetBarProps) => {
  const [left] = summary.errors
  return (
    <div className={classes.bar}>
      <p role="status" className={classes.barWords}>
        <strong>{formatSummary(summary, noun)}</strong>
        {summary.keptTheirs > 0 ? (
          <span className={classes.part}>{formatCount(summary.keptTheirs, ['conflict keeps', 'conflicts keep'])} theirs</span>
        ) : null}
        {left ? (
          <span className={classes.part}>
            <button
              type="button"
              className={classes.barLink}
              onClick={() => {
                onGo(left.cell)
                requestAnimationFrame(() => goToCell(left.cell))
              }}
            >
              {formatCount(summary.errors.length, ['error', 'errors'])} left out
            </button>
          </span>
        ) : null}
        {hasChosen ? <span className={classes.keptHint}>Kept on this device until you save</span> : null}
      </p>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        loading={isSaving}
        onClick={onSave}
        aria-keyshortcuts="Control+S"
        rightSection={<kbd className={classes.keys}>{SAVE_KEYS}</kbd>}
      >
        {summary.total === 0 ? 'Save' : `Save ${formatCount(summary.total, CHANGE)}`}
      </Button>
    </div>
  )
}
