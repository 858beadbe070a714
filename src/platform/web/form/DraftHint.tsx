import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDraftTime } from './DraftNotice.tsx'
import { deleteDraft, readDraft, useHasDraft } from './drafts.ts'

import classes from './DraftNotice.module.css'

/** On a page that is read: its form has a draft. Resuming opens the form with the draft in it. */
export const DraftHint = ({ name, onResume }: { name: string; onResume: () => void }) => {
  const hasDraft = useHasDraft(name)
  const [isDiscarded, setDiscarded] = useState(false)
  const draft = hasDraft && !isDiscarded ? readDraft(name) : null
  return draft ? (
    <section className={classes.kept} aria-label="Unsaved changes" data-print="no">
      <IconPencil size={20} stroke={1.75} aria-hidden className={classes.sign} />
      <p className={classes.words}>
        You have unsaved changes to this page from {formatDraftTime(draft)}. They are kept in this browser until you sign out.
      </p>
      <span className={classes.ways}>
        <Button size="compact-sm" variant="default" onClick={onResume}>
          Resume Editing
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            deleteDraft(name)
            setDiscarded(true)
          }}
        >
          Discard
        </Button>
      </span>
    </section>
  ) : null
}
