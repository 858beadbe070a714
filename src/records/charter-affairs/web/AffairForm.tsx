import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { NEW_ROW } from '../../../contract/records.ts'
import { send } from '../../../platform/web/client.ts'
import { BackButton } from '../../../platform/web/form/BackButton.tsx'
import { DraftNotice } from '../../../platform/web/form/DraftNotice.tsx'
import { ErrorSummary } from '../../../platform/web/form/ErrorSummary.tsx'
import { runAfterPress, focusField } from '../../../platform/web/form/focus-field.ts'
import { FormFrame } from '../../../platform/web/form/FormFrame.tsx'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { PlanDialog } from '../../../platform/web/form/PlanDialog.tsx'
import { SaveBar } from '../../../platform/web/form/SaveBar.tsx'
import { showSaved } from '../../../platform/web/form/show-saved.ts'
import { getSuggestionDraftKey, NOTHING_CHANGED, type Suggestion, SUGGESTION_TITLE } from '../../../platform/web/form/suggestion.ts'
import { SuggestionBanner, SuggestionNote, useSuggestionNote } from '../../../platform/web/form/SuggestionParts.tsx'
import { useEditForm } from '../../../platform/web/form/use-edit-form.ts'
import { useGoBack } from '../../../platform/web/form/use-go-back.ts'
import { usePlanning } from '../../../platform/web/form/use-planning.ts'
import type { Values } from '../../../platform/web/form/values.ts'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import { usePlan, ManualDatesProvider, useSaveManualDates, useSuggestion } from '../../../platform/web/record-features.tsx'
import { type CharterWithAffair, readCharterAffair } from '../contract.ts'
import type { Disagreement } from '../rules.ts'
import {
  toAffair,
  toAffairStart,
  affairSchema,
  toAffairSnapshot,
  getRowName,
  type AffairList,
  withLatestEditor,
  saveAffair,
  withDeletedRows,
} from './affair-fields.ts'
import { AffairFields } from './AffairFields.tsx'
import { AffairLayout, useIsAffairNarrow } from './AffairLayout.tsx'
import { AffairSections } from './AffairSections.tsx'
import { buildFieldsWithDateHints } from './date-hint-fields.ts'
import { RepeatedFields } from './RepeatedFields.tsx'
import { RowsForm } from './RowsForm.tsx'
import { type FieldFilter, filterSections, buildSections, type ShownSection } from './sections.ts'
import { useAffairFilter } from './use-affair-filter.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './AffairForm.module.css'

interface AffairFormProps {
  charter: CharterWithAffair
  draftKey: string
  onClose: () => void
}

const cacheAffair = (answer: CharterWithAffair): void => {
  for (const id of [answer._id, answer.slug]) queryClient.setQueryData(getQueryKey(readCharterAffair, { params: { id } }), answer)
}

/** The filtered sections of the form, by the values when the filter was set, so that a field does not disappear while it is edited. */
const useFilteredSections = (values: Values, base: Values, changed: readonly string[], filter: FieldFilter): ShownSection[] => {
  const [seen, setSeen] = useState({ values, base, changed, filter })
  if (seen.base !== base || seen.filter !== filter) setSeen({ values, base, changed, filter })
  return useMemo(() => filterSections(buildSections(toAffair(seen.values)), seen.filter, new Set(seen.changed)), [seen])
}

/**
 * The values that repeated fields are compared in. They change when a field loses focus, so that the page does not move while the user types.
 * Also returns the function that updates them.
 */
const useCommittedValues = (values: Values, base: Values) => {
  const [committed, setCommitted] = useState({ values, base })
  if (committed.base !== base) setCommitted({ values, base })
  const latest = useRef(values)
  useEffect(() => {
    latest.current = values
  }, [values])
  const commit = useCallback(
    (picked: readonly (readonly [path: string, text: string])[] = []) =>
      setCommitted((before) => ({ ...before, values: { ...latest.current, ...Object.fromEntries(picked) } })),
    [],
  )
  return [committed.values, commit] as const
}

const Form = ({ charter, draftKey, onClose, suggestion }: AffairFormProps & { suggestion: Suggestion | null }) => {
  const record = useMemo(() => toAffairSnapshot(charter), [charter])
  const goBack = useGoBack('/charters')
  const isNarrow = useIsAffairNarrow()
  const found = useAffairFilter({ isForm: true })
  const saveDates = useSaveManualDates()
  const suggestionKey = getSuggestionDraftKey(draftKey, suggestion)
  const { note, setNote, clearNote } = useSuggestionNote(suggestion && suggestionKey, suggestion?.note ?? '')
  const plan = usePlan({ kind: 'charter_affair', _id: charter._id })
  const planning = usePlanning(suggestion ? null : plan)
  const form = useEditForm({
    name: suggestion ? suggestionKey : draftKey,
    startValues: suggestion ? toAffairStart(suggestion.values) : undefined,
    emptyMessage: suggestion ? NOTHING_CHANGED : undefined,
    fields: buildFieldsWithDateHints,
    schema: affairSchema,
    record,
    send: (edit, isSaved) =>
      suggestion
        ? withSignIn(() => suggestion.send(edit.body, note.trim() || null))
        : (planning.send(edit.body) ??
          saveAffair(charter._id, edit, (answer, saved) => {
            cacheAffair(answer)
            isSaved(toAffairSnapshot(answer), saved)
          })),
    reload: async (seen, part) => {
      const now = await send(readCharterAffair, { params: { id: charter._id } })
      return withDeletedRows(withLatestEditor(toAffairSnapshot(now), now, part), seen)
    },
    onSaved: (saved, mergedWith, saves) => {
      if (suggestion) {
        clearNote()
        return onClose()
      }
      if (saved === null) return onClose()
      void saveDates()
      void queryClient.invalidateQueries()
      onClose()
      showSaved({ mergedWith, saves })
    },
    onPartSaved: (path, isLast, mergedWith, saves) => {
      void saveDates(`${path}.`)
      void queryClient.invalidateQueries()
      const [part, row] = path.split('.') as [AffairList, string]
      const name = getRowName(part, row, form.values)
      // Adding a row closes the form unless there are other unsaved changes.
      if (row === NEW_ROW && isLast) onClose()
      showSaved({ text: row === NEW_ROW ? `${ADDED_NOUNS[part]} was added.` : `${name} was updated.`, mergedWith, saves })
    },
  })
  const { fields, values, base, changed, errors } = form
  const sections = useFilteredSections(values, base, changed, found.filter)
  const changedPaths = useMemo(() => new Set(changed), [changed])
  const changedCounts = useMemo(
    () =>
      Object.fromEntries(
        sections.map(({ name, anchor }) => [anchor, changed.filter((path) => path.startsWith(`${name}.`)).length] as const),
      ),
    [sections, changed],
  )
  const { set } = form
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  const save = useCallback(() => void latest.current.save(), [])
  const [committed, commit] = useCommittedValues(values, base)
  const pick = useCallback(
    ({ name, texts }: Disagreement, text: string) => {
      for (const { sections: having } of texts) for (const section of having) set(`${section}.${name}`, text)
      commit(texts.flatMap(({ sections: having }) => having.map((section) => [`${section}.${name}`, text] as const)))
    },
    [set, commit],
  )
  const { showAll } = found
  const hidden = useRef<string | null>(null)
  useEffect(() => {
    const wrong = Object.keys(errors)
    const [first] = wrong
    if (first === undefined || wrong.every((path) => document.querySelector(`[data-field="${CSS.escape(path)}"]`))) return
    // A field with an error is hidden: clear the filter, and focus the field after it is rendered.
    hidden.current = first
    showAll()
  }, [errors, showAll])
  useEffect(() => {
    const path = hidden.current
    if (path === null || !document.querySelector(`[data-field="${CSS.escape(path)}"]`)) return
    hidden.current = null
    focusField(path)
  }, [sections])
  const props = {
    fields,
    values,
    base,
    changed: changedPaths,
    errors,
    onChange: form.set,
    onLeave: form.handleBlur,
    onUndo: form.undo,
    ...(suggestion ? { contested: suggestion.contested } : {}),
    ...(plan && !suggestion ? { coming: plan.coming } : {}),
  }
  return (
    <FormFrame
      form={form}
      isSuggestion={suggestion !== null}
      title={suggestion ? `${SUGGESTION_TITLE}, ${charter.name}` : `Edit Charter Affair, ${charter.name}`}
    >
      {({ submit, review }) => {
        const bar = (
          <SaveBar
            count={changed.length}
            isSaving={form.isSaving}
            isSuggestion={suggestion !== null}
            saveLabel={suggestion ? 'Send Suggestion' : 'Submit Changes'}
            cancelLabel={suggestion ? 'Cancel' : 'Cancel Edit'}
            onCancel={onClose}
            onReview={review}
            onSave={save}
            // Members and districts are separate records, whose changes cannot be planned.
            onPlan={
              changed.every((path) => sections.some(({ kind, name }) => kind === 'fields' && path.startsWith(`${name}.`)))
                ? planning.ask
                : undefined
            }
            isInTopBar={!isNarrow}
          />
        )
        return (
          <div inert={form.isSaving} onBlur={() => runAfterPress(() => commit())}>
            <header className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${classes.top}`}>
              <BackButton label="Back" onPress={goBack} />
              <h1 tabIndex={-1} className={`${layoutClasses.content} ${classes.title}`}>
                {charter.name}
              </h1>
              {isNarrow ? null : bar}
            </header>
            <div className={classes.notes}>
              {suggestion ? <SuggestionBanner onDescribe={suggestion.onDescribe} /> : null}
              <DraftNotice draft={form.draft} fields={fields} onRestore={form.restoreDraft} onDiscard={form.discardDraft} />
              <ErrorSummary form={form} />
            </div>
            <AffairLayout sections={sections} found={found} changedCounts={changedCounts} isUnderBar={!isNarrow}>
              <RepeatedFields texts={committed} isSuggestion={suggestion !== null} onPick={pick} />
              <form noValidate onSubmit={submit} aria-label={`Charter affair of ${charter.name}`}>
                <AffairSections
                  sections={sections}
                  filter={found.filter}
                  renderFields={(section, group) => (
                    <AffairFields {...props} paths={group.fields.map(({ name }) => `${section.name}.${name}`)} />
                  )}
                  renderRows={(section) => (
                    <RowsForm {...props} charter={charter} form={form} section={section} filter={found.filter} onAnswer={cacheAffair} />
                  )}
                />
              </form>
            </AffairLayout>
            {suggestion ? <SuggestionNote note={note} onChange={setNote} /> : null}
            {isNarrow ? bar : null}
            {planning.isAsking ? (
              <PlanDialog count={changed.length} onPlan={(day) => void planning.run(day, form.save)} onClose={planning.close} />
            ) : null}
          </div>
        )
      }}
    </FormFrame>
  )
}

/** The form of a charter affair: its sections and lists. It creates the record if there is none, or suggests changes if the URL says so. */
export const AffairForm = (props: AffairFormProps) => {
  const { _id, name } = props.charter
  const suggestion = useSuggestion({ kind: 'charter_affair', _id, name })
  return suggestion === 'loading' ? null : (
    <ManualDatesProvider charter={_id}>
      <Form {...props} suggestion={suggestion} />
    </ManualDatesProvider>
  )
}

const ADDED_NOUNS: Readonly<Record<AffairList, string>> = { authorizer_board_member: 'The board member', center_district: 'The district' }
