import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'

import { formatMomentDay, formatMomentTime } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import type { Draft } from './drafts.ts'
import { getLabel, type FieldsByPath } from './fields.ts'

import layoutClasses from '../kit/Layout.module.css'
import classes from './DraftNotice.module.css'

interface DraftNoticeProps {
  readonly draft: Draft | null
  readonly fields: FieldsByPath
  readonly onRestore: () => void
  readonly onDiscard: () => void
}

/** When a draft was typed, in the organization's time zone: `11/22/2026 at 1:34 PM`. */
export const formatDraftTime = ({ at }: Draft): string =>
  `${formatMomentDay(at, configuration.timeZone)} at ${formatMomentTime(at, configuration.timeZone)}`
const MAX_NAMED = 4

/** Offers to restore a draft. */
export const DraftNotice = ({ draft, fields, onRestore, onDiscard }: DraftNoticeProps) => {
  if (!draft) return null
  const typed = Object.keys(draft.values)
  // A row that has been deleted in the meantime has no label.
  const known = typed.filter((path) => path in fields).slice(0, MAX_NAMED)
  const others = typed.length - known.length
  const named = known.map((path) => getLabel(fields, path)).join(', ')
  return (
    <section
      className={`${layoutClasses.toolbar} ${layoutClasses.band} ${classes.notice}`}
      data-tone="wait"
      data-print="no"
      aria-label="Unsaved changes"
    >
      <IconPencil size={20} stroke={1.75} aria-hidden />
      <p className={classes.text}>
        <strong>You have unsaved changes from {formatDraftTime(draft)}:</strong> {named}
        {others > 0 ? ` and ${others} more` : ''}
      </p>
      <span className={`${layoutClasses.spaced} ${classes.actions}`}>
        <Button size="compact-sm" onClick={onRestore}>
          Restore
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </span>
    </section>
  )
}
