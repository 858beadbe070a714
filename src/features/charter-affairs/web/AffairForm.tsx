import { IconArrowLeft } from '@tabler/icons-react'
import { useCallback, useId, useMemo, useState } from 'react'

import { send } from '../../../platform/web/client.ts'
import { ErrorSummary } from '../../../platform/web/form/ErrorSummary.tsx'
import { FormFrame } from '../../../platform/web/form/FormFrame.tsx'
import { KeptTyping } from '../../../platform/web/form/KeptTyping.tsx'
import { SaveBar } from '../../../platform/web/form/SaveBar.tsx'
import { tellMerged } from '../../../platform/web/form/tellMerged.ts'
import { useEditForm } from '../../../platform/web/form/useEditForm.ts'
import { useGoBack } from '../../../platform/web/form/useGoBack.ts'
import type { Values } from '../../../platform/web/form/values.ts'
import { showDone } from '../../../platform/web/notice.ts'
import { keyOf, queryClient } from '../../../platform/web/queries.ts'
import { type CharterWithAffair, readCharterAffair } from '../contract.ts'
import type { Disagreement } from '../rules.ts'
import { AffairFields } from './AffairFields.tsx'
import { AffairLayout, useNoRoom } from './AffairLayout.tsx'
import { AffairSections } from './AffairSections.tsx'
import {
  affairFields,
  affairOf,
  affairSchema,
  affairSnapshot,
  nameOfRow,
  NEW,
  type Part,
  sendAffair,
  withGoneRows,
} from './affairValues.ts'
import { RepeatedFields } from './RepeatedFields.tsx'
import { RowsForm } from './RowsForm.tsx'
import { type FieldFilter, filtered, sectionsOf, type ShownSection } from './sections.ts'
import { useAffairFilter } from './useAffairFilter.ts'

import classes from './AffairForm.module.css'

interface AffairFormProps {
  charter: CharterWithAffair
  keptAs: string
  onClose: () => void
}

const remember = (answer: CharterWithAffair): void => {
  for (const id of [answer._id, answer.slug]) queryClient.setQueryData(keyOf(readCharterAffair, { params: { id } }), answer)
}

/** What the filter leaves of the form, as it was when the filter was set: a field does not go from under the typing hands. */
const useFiltered = (values: Values, base: Values, filter: FieldFilter): ShownSection[] => {
  const [seen, setSeen] = useState({ values, base, filter })
  if (seen.base !== base || seen.filter !== filter) setSeen({ values, base, filter })
  return useMemo(() => filtered(sectionsOf(affairOf(seen.values)), seen.filter), [seen])
}

/** The edit form of a charter affair (section 2): its sections, its lists, and the first record where there is none yet (D32). */
export const AffairForm = ({ charter, keptAs, onClose }: AffairFormProps) => {
  const record = useMemo(() => affairSnapshot(charter), [charter])
  const goBack = useGoBack('/charters')
  const formId = useId()
  const isNarrow = useNoRoom()
  const found = useAffairFilter()
  const form = useEditForm({
    name: keptAs,
    fields: affairFields,
    schema: affairSchema,
    record,
    send: async (edit) => {
      const answer = await sendAffair(charter._id, edit, (part, sofar) => form.adopt(affairSnapshot(sofar), [`${part}.${NEW}`]))
      remember(answer)
      return answer
    },
    reread: async (seen) => withGoneRows(affairSnapshot(await send(readCharterAffair, { params: { id: charter._id } })), seen),
    onSaved: (_answer, mergedWith) => {
      void queryClient.invalidateQueries()
      tellMerged(`The charter affair of ${charter.name}`, mergedWith)
      onClose()
    },
    ofParts: {
      snapshot: (answer) => affairSnapshot(answer as CharterWithAffair),
      onSaved: (path, isLast, mergedWith) => {
        void queryClient.invalidateQueries()
        const [part, row] = path.split('.') as [Part, string]
        const name = nameOfRow(part, row, form.values)
        if (mergedWith) tellMerged(name, mergedWith)
        else showDone({ text: row === NEW ? `${PARTS_ADDED[part]} was added.` : `${name} was updated.` })
        // Adding returns to read-only unless something is typed that is not saved (D32).
        if (row === NEW && isLast) onClose()
      },
    },
  })
  const { fields, values, base, changed, errors } = form
  const sections = useFiltered(values, base, found.filter)
  const changedPaths = useMemo(() => new Set(changed), [changed])
  const changedIn = useMemo(
    () =>
      Object.fromEntries(
        sections.map(({ name, anchor }) => [anchor, changed.filter((path) => path.startsWith(`${name}.`)).length] as const),
      ),
    [sections, changed],
  )
  const { set } = form
  const pick = useCallback(
    ({ name, texts }: Disagreement, text: string) => {
      for (const { sections: having } of texts.filter((one) => one.text !== text))
        for (const section of having) set(`${section}.${name}`, text)
    },
    [set],
  )
  const props = { fields, values, base, changed: changedPaths, errors, onChange: form.set, onLeave: form.leave, onUndo: form.undo }
  return (
    <FormFrame form={form} title={`Edit Charter Affair, ${charter.name}`}>
      {({ submit, review }) => {
        const bar = (
          <SaveBar
            count={changed.length}
            isSaving={form.isSaving}
            saveLabel="Submit Changes"
            cancelLabel="Cancel Edit"
            onCancel={onClose}
            onReview={review}
            formId={formId}
            isInTopBar={!isNarrow}
          />
        )
        return (
          <div className={classes.page}>
            <header className={classes.top}>
              <button type="button" className={classes.back} onClick={goBack}>
                <IconArrowLeft size={17} stroke={1.75} aria-hidden />
                Back
              </button>
              <h1 tabIndex={-1} className={classes.title}>
                {charter.name}
              </h1>
              {isNarrow ? null : bar}
            </header>
            <div className={classes.notes}>
              <KeptTyping offered={form.offered} fields={fields} onBringBack={form.bringBack} onForget={form.forget} />
              <ErrorSummary form={form} />
            </div>
            <AffairLayout sections={sections} found={found} changedIn={changedIn} isUnderBar={!isNarrow}>
              <RepeatedFields texts={values} onPick={pick} />
              <form id={formId} noValidate onSubmit={submit} aria-label={`Charter affair of ${charter.name}`} inert={form.isSaving}>
                <AffairSections
                  sections={sections}
                  filter={found.filter}
                  renderFields={(section, group) => (
                    <AffairFields {...props} paths={group.fields.map(({ name }) => `${section.name}.${name}`)} />
                  )}
                  renderRows={(section) => (
                    <RowsForm {...props} charter={charter} form={form} section={section} filter={found.filter} remember={remember} />
                  )}
                />
              </form>
            </AffairLayout>
            {isNarrow ? bar : null}
          </div>
        )
      }}
    </FormFrame>
  )
}

const PARTS_ADDED: Readonly<Record<Part, string>> = { authorizer_board_member: 'The board member', center_district: 'The district' }
