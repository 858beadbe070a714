import { saveDraft } from './drafts.ts'
import { toFormValue, type FieldsByPath } from './fields.ts'
import type { Values } from './values.ts'

/** A form in which changes are suggested rather than saved. */
export interface Suggestion {
  /** The record's name: 'Lodi Resource Center'. */
  readonly about: string
  /** The values of an earlier suggestion that is being changed, by the paths of the form. */
  readonly values: Readonly<Record<string, unknown>>
  /** The labels of its fields, by the same paths. */
  readonly labels: Readonly<Record<string, string>>
  /** What others have already suggested, as text, by the paths of the form. */
  readonly contested: Readonly<Record<string, string>>
  readonly note: string
  /** The earlier suggestion that is being changed. */
  readonly earlier: string | null
  /** Sends the changed fields, in the shape of the body of the form's call. */
  readonly send: (changes: Readonly<Record<string, unknown>>, note: string | null) => Promise<unknown>
  /** Opens the request window for a description in plain words. */
  readonly onDescribe: () => void
}
/** `loading` while an earlier suggestion is being loaded; null if the form saves. */
export type FormSuggestion = Suggestion | 'loading' | null

export const MAX_SUGGESTION_NOTE_LENGTH = 500
export const SUGGESTION_TITLE = 'Suggest changes'
export const NOTHING_CHANGED = 'Nothing is changed yet'

/** The storage key of a suggestion: next to the draft of its form, or that of the earlier suggestion being changed. */
export const getSuggestionDraftKey = (draftKey: string, suggestion?: Suggestion | null): string =>
  `suggestion ${suggestion?.earlier ?? draftKey}`

export const toNoteKey = (draftKey: string): string => `${draftKey} note`
/** Stores the note of a suggestion on this device, next to the draft of its form. */
export const saveSuggestionNote = (draftKey: string, note: string): void =>
  saveDraft(toNoteKey(draftKey), { at: new Date().toISOString(), version: null, base: {}, values: { note }, page: null })

/** The values of an earlier suggestion as form values. */
export const toStartValues = ({ values }: Suggestion, fields: FieldsByPath): Values =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [path, toFormValue(fields[path], value)]))
