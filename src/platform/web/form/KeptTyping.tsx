import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'

import { formatMomentDay, formatMomentTime } from '../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import type { Draft } from './drafts.ts'
import { labelOf } from './fields.ts'
import type { FormField } from './fields.ts'

import classes from './KeptTyping.module.css'

interface KeptTypingProps {
  readonly offered: Draft | null
  readonly fields: Readonly<Record<string, FormField>>
  readonly onRestore: () => void
  readonly onDiscard: () => void
}

/** When a draft was typed, in the organization's time zone: `11/22/2026 at 1:34 PM`. */
export const timeOfDraft = ({ at }: Draft): string =>
  `${formatMomentDay(at, configuration.timeZone)} at ${formatMomentTime(at, configuration.timeZone)}`
const MOST_NAMED = 4

/** A draft that is not in the form, offered to be restored. */
export const KeptTyping = ({ offered, fields, onRestore, onDiscard }: KeptTypingProps) => {
  if (!offered) return null
  const typed = Object.keys(offered.values)
  // A row that is gone meanwhile has no words any more.
  const known = typed.filter((path) => path in fields).slice(0, MOST_NAMED)
  const others = typed.length - known.length
  const named = known.map((path) => labelOf(fields, path)).join(', ')
  return (
    <section className={classes.kept} aria-label="Unsaved changes">
      <IconPencil size={20} stroke={1.75} aria-hidden className={classes.sign} />
      <p className={classes.words}>
        <strong>You have unsaved changes from {timeOfDraft(offered)}:</strong> {named}
        {others > 0 ? ` and ${others} more` : ''}
      </p>
      <span className={classes.ways}>
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
