import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { memo } from 'react'

import { BottomBar, KeptHint, SaveButton } from '../kit/BottomBar.tsx'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './SaveBar.module.css'

interface SaveBarProps {
  readonly count: number
  readonly isSaving: boolean
  readonly saveLabel: string
  readonly cancelLabel: string
  readonly onCancel: () => void
  readonly onReview: () => void
  /** Saves; given if the bar is outside the form. */
  readonly onSave?: () => void
  /** Plans the changes for a later day. */
  readonly onPlan?: (() => void) | undefined
  /** Whether the changes are suggestions, which are stored on this device until they are sent. */
  readonly isSuggestion?: boolean
  /** Inside a bar at the top of a long page. */
  readonly isInTopBar?: boolean
}

/** The number of unsaved changes, Cancel and Save; stays at the bottom of the window. Save is never disabled: it moves to the first error. */
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
        <span className={`${layoutClasses.row} ${textClasses.strong} ${classes.count}`}>
          {count > 0 ? (
            <>
              <span className={`${layoutClasses.rigid} ${classes.dot}`} aria-hidden />
              <span>
                {count} {isSuggestion ? 'suggested' : 'unsaved'} {count === 1 ? 'change' : 'changes'}
              </span>
              <button type="button" className={`${textClasses.linkColor} ${textClasses.regular} ${classes.review}`} onClick={onReview}>
                Review
              </button>
              {isSuggestion ? <KeptHint>Kept on this device until you send it</KeptHint> : null}
            </>
          ) : null}
        </span>
        <span className={`${layoutClasses.spaced} ${layoutClasses.gap10} ${layoutClasses.pushedToEnd} ${classes.buttons}`}>
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
    return isInTopBar ? (
      <div className={`${layoutClasses.row} ${layoutClasses.rigid} ${layoutClasses.gap10}`}>{parts}</div>
    ) : (
      <BottomBar>{parts}</BottomBar>
    )
  },
)
