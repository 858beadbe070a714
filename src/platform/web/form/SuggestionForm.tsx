import type { ComponentProps } from 'react'

import { FormPage } from './FormPage.tsx'
import { getSuggestionDraftKey, NOTHING_CHANGED, type Suggestion, SUGGESTION_TITLE, toStartValues } from './suggestion.ts'
import { SuggestionBanner, SuggestionNote, useSuggestionNote } from './SuggestionParts.tsx'

type FormProps = ComponentProps<typeof FormPage>
type SuggestionFormProps = Pick<
  FormProps,
  'fields' | 'sections' | 'schema' | 'record' | 'reload' | 'onCancel' | 'back' | 'banner' | 'crossFieldRules' | 'derivedValues'
> & {
  readonly suggestion: Suggestion
  /** The key of the form's own draft. */
  readonly draftKey: string
}

/** A form whose changes are suggested to people who may save them. */
export const SuggestionForm = ({ suggestion, draftKey, banner, ...form }: SuggestionFormProps) => {
  const name = getSuggestionDraftKey(draftKey, suggestion)
  const { note, setNote, clearNote } = useSuggestionNote(name, suggestion.note)
  return (
    <FormPage
      {...form}
      isSuggestion
      contested={suggestion.contested}
      name={name}
      title={SUGGESTION_TITLE}
      about={`${suggestion.about}. Change what is wrong and leave the rest.`}
      banner={
        <>
          {banner}
          <SuggestionBanner onDescribe={suggestion.onDescribe} />
        </>
      }
      saveLabel="Send Suggestion"
      cancelLabel="Cancel"
      emptyMessage={NOTHING_CHANGED}
      startValues={toStartValues(suggestion, typeof form.fields === 'function' ? {} : form.fields)}
      send={({ body }) => suggestion.send(body, note.trim() || null)}
      onSaved={() => {
        clearNote()
        form.onCancel()
      }}
    >
      <SuggestionNote note={note} onChange={setNote} />
    </FormPage>
  )
}
