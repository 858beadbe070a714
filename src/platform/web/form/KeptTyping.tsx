import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'

import type { Draft } from './drafts.ts'
import { labelOf } from './fields.ts'
import type { FormField } from './fields.ts'

import classes from './KeptTyping.module.css'

interface KeptTypingProps {
  readonly offered: Draft | null
  readonly fields: Readonly<Record<string, FormField>>
  readonly onBringBack: () => void
  readonly onForget: () => void
}

const timeOf = (moment: string): string => new Date(moment).toLocaleString('en-US', { dateStyle: 'short', timeStyle: 'short' })
const MOST_NAMED = 4

/** Typing that was not saved, offered back (D36). */
export const KeptTyping = ({ offered, fields, onBringBack, onForget }: KeptTypingProps) => {
  if (!offered) return null
  const typed = Object.keys(offered.values)
  // A row that is gone meanwhile has no words any more.
  const known = typed.filter((path) => path in fields).slice(0, MOST_NAMED)
  const others = typed.length - known.length
  const named = known.map((path) => labelOf(fields, path)).join(', ')
  return (
    <section className={classes.kept} aria-label="Unsaved typing">
      <IconPencil size={20} stroke={1.75} aria-hidden className={classes.sign} />
      <p className={classes.words}>
        <strong>What you typed on {timeOf(offered.at)} was not saved:</strong> {named}
        {others > 0 ? ` and ${others} more` : ''}
      </p>
      <span className={classes.ways}>
        <Button size="compact-sm" onClick={onBringBack}>
          Bring it back
        </Button>
        <Button size="compact-sm" variant="default" onClick={onForget}>
          Discard
        </Button>
      </span>
    </section>
  )
}
