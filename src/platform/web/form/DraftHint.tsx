import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDraftTime } from './DraftNotice.tsx'
import { deleteDraft, readDraft, useHasDraft } from './drafts.ts'
import { getSuggestionDraftKey } from './suggestion.ts'

import layoutClasses from '../kit/Layout.module.css'
import classes from './DraftNotice.module.css'

interface DraftHintProps {
  readonly name: string
  readonly onResume: () => void
  readonly isSuggestion?: boolean
}

/** Shown on a record's page if its form has a draft. Resuming opens the form with the draft. */
export const DraftHint = ({ name, onResume, isSuggestion = false }: DraftHintProps) => {
  const hasDraft = useHasDraft(name)
  const [isDiscarded, setDiscarded] = useState(false)
  const draft = hasDraft && !isDiscarded ? readDraft(name) : null
  return draft ? (
    <section
      className={`${layoutClasses.toolbar} ${layoutClasses.band} ${classes.notice}`}
      data-tone="wait"
      aria-label={isSuggestion ? 'Unsent suggestion' : 'Unsaved changes'}
      data-print="no"
    >
      <IconPencil size={20} stroke={1.75} aria-hidden />
      <p className={classes.text}>
        You have {isSuggestion ? 'a suggestion that is not sent' : 'unsaved changes to this page'} from {formatDraftTime(draft)}.{' '}
        {isSuggestion ? 'It is' : 'They are'} kept in this browser until you sign out.
      </p>
      <span className={`${layoutClasses.spaced} ${classes.actions}`}>
        <Button size="compact-sm" variant="default" onClick={onResume}>
          {isSuggestion ? 'Resume' : 'Resume Editing'}
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

/** The same for an unsent suggestion; `name` is that of the form's own drafts. */
export const SuggestionDraftHint = ({ name, onResume }: { name: string; onResume: () => void }) => (
  <DraftHint key={name} name={getSuggestionDraftKey(name)} onResume={onResume} isSuggestion />
)
