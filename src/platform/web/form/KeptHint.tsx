import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { dropDraft, readDraft } from './drafts.ts'

import classes from './KeptTyping.module.css'

/** On a page that is read: typing in its form that was not saved waits there (D36). */
export const KeptHint = ({ name, onOpen }: { name: string; onOpen: () => void }) => {
  const [isKept, setKept] = useState(() => readDraft(name) !== null)
  return isKept ? (
    <section className={classes.kept} aria-label="Unsaved typing" data-print="no">
      <IconPencil size={20} stroke={1.75} aria-hidden className={classes.sign} />
      <p className={classes.words}>What you typed here was not saved. It is kept until you sign out.</p>
      <span className={classes.ways}>
        <Button size="compact-sm" variant="default" onClick={onOpen}>
          Go on editing
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            dropDraft(name)
            setKept(false)
          }}
        >
          Discard
        </Button>
      </span>
    </section>
  ) : null
}
