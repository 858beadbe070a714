import { type FormField, toFormValue } from './fields.ts'
import type { Values } from './values.ts'

/** A form in which changes are suggested rather than saved. */
export interface Suggestion {
  /** What it is about: 'Lodi Resource Center'. */
  readonly about: string
  /** The values of an earlier suggestion that is changed, by the paths of the form. */
  readonly values: Readonly<Record<string, unknown>>
  /** What its fields are called, by the same paths. */
  readonly labels: Readonly<Record<string, string>>
  /** What others have suggested already, in words, by the paths of the form. */
  readonly contested: Readonly<Record<string, string>>
  readonly note: string
  /** The earlier suggestion that is changed. */
  readonly earlier: string | null
  /** Sends the changed fields, in the shape of the body of the form's call. */
  readonly send: (changes: Readonly<Record<string, unknown>>, note: string | null) => Promise<unknown>
  /** Opens the window for a request in plain words. */
  readonly onDescribe: () => void
}
/** `loading` while an earlier suggestion is on its way; null where the form saves. */
export type FormSuggestion = Suggestion | 'loading' | null

export const MAX_SUGGESTION_NOTE_LENGTH = 500
export const SUGGESTION_TITLE = 'Suggest changes'
export const NOTHING_CHANGED = 'Nothing is changed yet'

/** What a suggestion is kept under: beside the draft of its form, or that of an earlier suggestion that is changed. */
export const getSuggestionDraftKey = (draftKey: string, suggestion?: Suggestion | null): string =>
  `suggestion ${suggestion?.earlier ?? draftKey}`

/** The values of an earlier suggestion as the form holds them. */
export const toStartValues = ({ values }: Suggestion, fields: Readonly<Record<string, FormField>>): Values =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [path, toFormValue(fields[path], value)]))
