import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { memo } from 'react'

import { BottomBar, KeptHint, SaveButton } from '../kit/BottomBar.tsx'

import classes from './SaveBar.module.css'

interface SaveBarProps {
  readonly count: number
  readonly isSaving: boolean
  readonly saveLabel: string
  readonly cancelLabel: string
  readonly onCancel: () => void
  readonly onReview: () => void
  /** Saves, where the bar is outside of the form. */
  readonly onSave?: () => void
  /** Keeps the changes for a later day. */
  readonly onPlan?: (() => void) | undefined
  /** What the changes are: unsaved, or suggested ones that are kept on this device until they are sent. */
  readonly isSuggestion?: boolean
  /** Within the bar at the top of a page that is long enough for one. */
  readonly isInTopBar?: boolean
}

/** How much is unsaved, and the two ways out; stays at the bottom of the window. Saving is never disabled: it goes to what is missing. */
export const SaveBar = memo(
  ({
    count,
    isSaving,
    saveLabel,
    cancelLabel,
    onCancel,
    onReview,
    onSave,
    onPlan,
    isSuggestion = false,
    isInTopBar = false,
  }: SaveBarProps) => {
    const parts = (
      <>
        <span className={classes.count}>
          {count > 0 ? (
            <>
              <span className={classes.dot} aria-hidden />
              <span>
                {count} {isSuggestion ? 'suggested' : 'unsaved'} {count === 1 ? 'change' : 'changes'}
              </span>
              <button type="button" className={classes.review} onClick={onReview}>
                Review
              </button>
              {isSuggestion ? <KeptHint>Kept on this device until you send it</KeptHint> : null}
            </>
          ) : null}
        </span>
        <span className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            {cancelLabel}
          </Button>
          {onPlan && count > 0 ? (
            <Button
              variant="default"
              aria-haspopup="dialog"
              leftSection={<IconCalendarEvent size={17} stroke={1.75} aria-hidden />}
              onClick={onPlan}
            >
              Save for Later
            </Button>
          ) : null}
          <SaveButton {...(onSave ? { onClick: onSave } : { type: 'submit' as const })} loading={isSaving}>
            {saveLabel}
          </SaveButton>
        </span>
      </>
    )
    return isInTopBar ? <div className={classes.inTopBar}>{parts}</div> : <BottomBar>{parts}</BottomBar>
  },
)
