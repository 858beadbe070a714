import { useId, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'

import { BackButton } from './BackButton.tsx'
import { DraftNotice } from './DraftNotice.tsx'
import { ErrorSummary } from './ErrorSummary.tsx'
import { Field } from './Field.tsx'
import type { FieldsByPath, FormField } from './fields.ts'
import { FormFrame } from './FormFrame.tsx'
import { formatComing, type FormPlan } from './plan.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { SaveBar } from './SaveBar.tsx'
import { useEditForm } from './use-edit-form.ts'
import type { FormOptions } from './use-edit-form.ts'
import { usePlanning } from './use-planning.ts'
import { useSeenFields } from './use-seen-fields.ts'
import type { Values } from './values.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './FormPage.module.css'

export interface FormSection<Path extends string = string> {
  readonly title: string
  /** One sentence below the title. */
  readonly about?: string
  readonly fields: readonly Path[]
}

interface FormPageProps<Saved> extends FormOptions<Saved> {
  /** Changes are suggested, not saved. */
  readonly isSuggestion?: boolean
  /** What others have already suggested, as text, by path. */
  readonly contested?: Readonly<Record<string, string>>
  /** Changes can also be planned for a later day. */
  readonly plan?: FormPlan | null
  /** Replaces the line about required and changed fields. */
  readonly about?: string
  /** After the sections. */
  readonly children?: ReactNode
  /** Before the buttons, about what is typed. */
  readonly renderHint?: (values: Values) => ReactNode
  readonly fields: FieldsByPath
  readonly title: string
  /** Above the title, full width: for example that a site is closed. */
  readonly banner?: ReactNode
  readonly sections: readonly FormSection[]
  readonly onCancel: () => void
  /** The label of the link above the title; Cancel leads to the same page. */
  readonly back: string
  readonly saveLabel: string
  readonly cancelLabel: string
}

const dependsOnOthers = (field: FormField): boolean =>
  field.kind === 'own' || field.isDisabled !== undefined || (field.kind === 'search' && field.groupChoices !== undefined)
/** The same object for every field that depends on no other. */
const NO_OTHERS: Values = {}

/** The page of a form: fields in sections, errors, change markers, save bar, drafts, the confirmation before leaving and the conflict view. */
export const FormPage = <Saved,>(props: FormPageProps<Saved>) => {
  const {
    title,
    banner,
    about,
    isSuggestion = false,
    contested,
    plan = null,
    children,
    sections,
    onCancel,
    back,
    saveLabel,
    cancelLabel,
  } = props
  // Errors in the order of their fields.
  const inOrder = useMemo(() => {
    const paths = [...sections.flatMap((section) => section.fields), ...Object.keys(props.fields)]
    return Object.fromEntries(paths.flatMap((path) => (props.fields[path] ? [[path, props.fields[path]]] : [])))
  }, [sections, props.fields])
  const planning = usePlanning(plan)
  const formElement = useRef<HTMLFormElement>(null)
  const form = useEditForm<Saved | null>({
    ...props,
    isSeen: useSeenFields(formElement),
    fields: inOrder,
    send: (edit, isSaved) => planning.send(edit.body) ?? props.send(edit, isSaved),
    onSaved: (saved, mergedWith, saves) => (saved === null ? onCancel() : props.onSaved(saved, mergedWith, saves)),
  })
  const { fields, values, base, changed, errors, required } = form
  const sectionId = useId()
  const isNew = props.record.version === null
  return (
    <FormFrame form={form} title={title} isSuggestion={isSuggestion} onEscape={isSuggestion ? onCancel : undefined}>
      {({ submit, review }) => (
        <>
          <header className={layoutClasses.bottomMargin20}>
            <BackButton label={back} onPress={onCancel} />
            {isSuggestion ? null : banner}
            <h1 tabIndex={-1} className={layoutClasses.breakable}>
              {title}
            </h1>
            {about === undefined ? null : <p className={`${textClasses.dimmed} ${layoutClasses.topMargin4}`}>{about}</p>}
            {isSuggestion ? banner : null}
            <p className={`${textClasses.dimmed} ${layoutClasses.topMargin4}`}>
              {required.size > 0 ? (
                <>
                  Fields marked <span className={textClasses.required}>*</span> are required.{' '}
                </>
              ) : null}
              {isNew || isSuggestion ? null : 'Fields you changed are marked with a yellow line.'}
            </p>
          </header>
          <DraftNotice draft={form.draft} fields={fields} onRestore={form.restoreDraft} onDiscard={form.discardDraft} />
          <ErrorSummary form={form} />
          <form ref={formElement} noValidate onSubmit={submit} aria-label={title} inert={form.isSaving}>
            {sections.map((section, at) => (
              <section
                key={section.title}
                className={`${layoutClasses.lineBelow} ${layoutClasses.grid} ${classes.section}`}
                aria-labelledby={`${sectionId}${at}`}
              >
                <div>
                  <h2 id={`${sectionId}${at}`} className={textClasses.sectionTitle}>
                    {section.title}
                  </h2>
                  {section.about ? (
                    <p className={`${textClasses.detail} ${layoutClasses.topMargin4} ${classes.sectionAbout}`}>{section.about}</p>
                  ) : null}
                </div>
                <div className={`${layoutClasses.grid} ${classes.grid}`}>
                  {section.fields.map((path) => {
                    const field = fields[path]
                    if (!field) return null
                    const isChanged = !isNew && changed.includes(path)
                    return (
                      <Field
                        key={path}
                        path={path}
                        field={field}
                        value={values[path] ?? null}
                        values={dependsOnOthers(field) ? values : NO_OTHERS}
                        before={base[path] ?? null}
                        isChanged={isChanged}
                        isSuggestion={isSuggestion}
                        isRequired={required.has(path)}
                        error={errors[path]}
                        contested={contested?.[path]}
                        coming={formatComing(field, plan?.coming[path])}
                        onChange={form.set}
                        onBlur={form.handleBlur}
                        onUndo={form.undo}
                        onBlock={form.blockSaving}
                      />
                    )
                  })}
                </div>
              </section>
            ))}
            {children}
            {props.renderHint?.(values)}
            <SaveBar
              count={isNew ? 0 : changed.length}
              isSuggestion={isSuggestion}
              isSaving={form.isSaving}
              saveLabel={saveLabel}
              cancelLabel={cancelLabel}
              onCancel={onCancel}
              onReview={review}
              onPlan={planning.ask}
            />
          </form>
          {planning.isAsking ? (
            <PlanDialog count={changed.length} onPlan={(day) => void planning.run(day, form.save)} onClose={planning.close} />
          ) : null}
        </>
      )}
    </FormFrame>
  )
}
