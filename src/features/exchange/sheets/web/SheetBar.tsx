import { Button } from '@mantine/core'

import { formatCount, type Noun } from '../../../../contract/format.ts'
import { BarWords, BottomBar, KeptHint, SaveButton } from '../../../../platform/web/kit/BottomBar.tsx'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { formatSummary, type Summary } from './sheet-choices.ts'
import { goToCell } from './use-sheet-keys.ts'

interface SheetBarProps {
  readonly summary: Summary
  readonly noun: Noun
  readonly hasChosen: boolean
  readonly isSaving: boolean
  readonly onGo: (cell: string) => void
  readonly onCancel: () => void
  readonly onSave: () => void
}

/** What saving will do, what is left out, Cancel and Save. Save is never disabled: it goes to the first cell that needs a decision. */
export const SheetBar = ({ summary, noun, hasChosen, isSaving, onGo, onCancel, onSave }: SheetBarProps) => {
  const [left] = summary.errors
  return (
    <BottomBar>
      <BarWords>
        <Parts>
          <strong>{formatSummary(summary, noun)}</strong>
          {summary.keptTheirs > 0 ? <span>{formatCount(summary.keptTheirs, ['conflict keeps', 'conflicts keep'])} theirs</span> : null}
          {left ? (
            <span>
              <TextButton
                isUnderlined
                onClick={() => {
                  onGo(left.cell)
                  requestAnimationFrame(() => goToCell(left.cell))
                }}
              >
                {formatCount(summary.errors.length, 'error')} left out
              </TextButton>
            </span>
          ) : null}
          {hasChosen ? <KeptHint>Kept on this device until you save</KeptHint> : null}
        </Parts>
      </BarWords>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <SaveButton loading={isSaving} onClick={onSave}>
        {summary.total === 0 ? 'Save' : `Save ${formatCount(summary.total, 'change')}`}
      </SaveButton>
    </BottomBar>
  )
}
