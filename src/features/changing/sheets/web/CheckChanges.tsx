import { Button } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { useEffect } from 'react'

import { formatCount, type Noun } from '../../../../contract/format.ts'
import { getSheetNoun } from '../../../../contract/sheets.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { BarWords, BottomBar, KeptHint, SaveButton } from '../../../../platform/web/kit/BottomBar.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { SheetPreview } from '../contract.ts'
import { FindingChips, SHOWN, type Shown } from './FindingChips.tsx'
import { SavingWindow } from './SavingWindow.tsx'
import { formatSummary, type Summary } from './sheet-choices.ts'
import { SheetFindings } from './SheetFindings.tsx'
import type { Saving } from './use-saving.ts'
import { goToCell, useSheetKeys } from './use-sheet-keys.ts'
import { WarningBands } from './WarningBands.tsx'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetPage.module.css'

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
const SheetBar = ({ summary, noun, hasChosen, isSaving, onGo, onCancel, onSave }: SheetBarProps) => {
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

const UNCHANGED = ['row is unchanged', 'rows are unchanged'] as const

interface CheckChangesProps {
  readonly preview: SheetPreview
  readonly saving: Saving
  readonly onCancel: () => void
}

/** What a file changes, by kind of finding, with the choices before it is saved. */
export const CheckChanges = ({ preview, saving, onCancel }: CheckChangesProps) => {
  const { kind } = preview
  const noun = getSheetNoun(kind)
  const [{ show }, change] = useSearchParams()
  const shown: Shown = SHOWN.find((one) => one === show) ?? 'all'
  const { choosing, findings, summary, notice } = saving
  useEffect(registerOpenForm, [])
  const onShow = (next: Shown) => change({ show: next === 'all' ? undefined : next })
  useSheetKeys(() => saving.save(() => onShow('all')))
  const isNothing = preview.cells.length === 0
  return (
    <>
      {notice ? (
        <Notice tone={notice.isStop ? 'off' : 'bad'} live>
          <div>
            <p>{notice.text}</p>
            {notice.problems.length > 0 ? (
              <>
                <ul className={classes.problems}>
                  {notice.problems.slice(0, 10).map(({ path, message }) => (
                    <li key={`${path} ${message}`}>
                      <code>{path}</code> {message}
                    </li>
                  ))}
                </ul>
                <Button size="compact-md" fz="0.875rem" variant="default" onClick={saving.leaveProblems}>
                  {notice.problems.length === 1 ? 'Leave it out' : `Leave these ${notice.problems.length} out`}
                </Button>
              </>
            ) : null}
          </div>
        </Notice>
      ) : null}
      <WarningBands preview={preview} used={choosing.chosen.used} onUse={choosing.acceptWarning} />
      {isNothing ? (
        <EmptyState icon={IconEqual} title="Nothing is different">
          <p>
            {preview.unchanged > 0 ? `${formatCount(preview.unchanged, UNCHANGED)}. ` : ''}
            Nothing to save.
          </p>
        </EmptyState>
      ) : (
        <div className={classes.chips}>
          <FindingChips preview={preview} findings={findings} errors={summary.errors.length} shown={shown} onShow={onShow} />
        </div>
      )}
      <SheetFindings preview={preview} saving={saving} shown={shown} />
      {shown === 'unchanged' ? <p className={textClasses.note}>{formatCount(preview.unchanged, UNCHANGED)} and left as they are.</p> : null}
      {isNothing ? null : (
        <SheetBar
          summary={summary}
          noun={noun}
          hasChosen={saving.hasChosen}
          isSaving={saving.isSaving}
          onGo={() => onShow('all')}
          onCancel={onCancel}
          onSave={() => saving.save(() => onShow('all'))}
        />
      )}
      {saving.isSaving ? (
        <SavingWindow progress={saving.progress} count={saving.count} isStopping={saving.isStopping} onStop={saving.stop} />
      ) : null}
    </>
  )
}
