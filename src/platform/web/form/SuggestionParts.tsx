import { Textarea } from '@mantine/core'
import { IconPencilPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { deleteDraft, readDraft } from './drafts.ts'
import { MAX_SUGGESTION_NOTE_LENGTH, saveSuggestionNote, type Suggestion, toNoteKey } from './suggestion.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import pageClasses from './FormPage.module.css'
import classes from './SuggestionParts.module.css'

/** Explains how this form differs from the edit form. */
export const SuggestionBanner = ({ onDescribe }: Pick<Suggestion, 'onDescribe'>) => (
  <div role="note" className={`${layoutClasses.tintGround} ${layoutClasses.spaced} ${classes.banner}`}>
    <IconPencilPlus size={20} stroke={1.75} aria-hidden />
    <p>
      <strong>You are suggesting changes. An administrator decides.</strong>
      <br />
      The page stays as it is until then. You get the answer by email and under <Link to="/requests">My Requests</Link>. Not about a field?{' '}
      <button type="button" className={`${layoutClasses.minHeight24} ${classes.link}`} onClick={onDescribe}>
        Just describe it
      </button>
    </p>
  </div>
)

/** The note of a suggestion, stored on this device until it is sent; `draft` is the key of the form's draft, null if nothing is suggested. */
export const useSuggestionNote = (draft: string | null, initial: string) => {
  const key = toNoteKey(draft ?? '')
  const [typed, setTyped] = useState(() => {
    const storedNote = draft === null ? null : readDraft(key)?.values['note']
    return typeof storedNote === 'string' ? storedNote : null
  })
  useEffect(() => {
    if (draft !== null && typed !== null) saveSuggestionNote(draft, typed)
  }, [draft, typed])
  return { note: typed ?? initial, setNote: setTyped, clearNote: () => deleteDraft(key) }
}

/** The counter is shown only close to the limit. */
const COUNTED_FROM = 400

/** The reason for the change: the last section of the form. */
export const SuggestionNote = ({ note, onChange }: { note: string; onChange: (note: string) => void }) => (
  <section className={`${layoutClasses.lineBelow} ${layoutClasses.grid} ${pageClasses.section}`} aria-labelledby="suggestion-note">
    <div>
      <h2 id="suggestion-note" className={textClasses.sectionTitle}>
        Note
      </h2>
      <p className={`${textClasses.detail} ${layoutClasses.topMargin4} ${pageClasses.sectionAbout}`}>
        Read by the administrator who decides
      </p>
    </div>
    <div className={classes.note}>
      <Textarea
        label="Why should this change? (optional)"
        autosize
        minRows={2}
        maxLength={MAX_SUGGESTION_NOTE_LENGTH}
        value={note}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p className={`${textClasses.caption} ${layoutClasses.topMargin4}`} role="status">
        {note.length >= COUNTED_FROM ? `${note.length} of ${MAX_SUGGESTION_NOTE_LENGTH} characters` : ''}
      </p>
    </div>
  </section>
)
