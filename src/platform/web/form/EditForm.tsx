import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'

import type { Call } from '../../contract/call.ts'
import { ChangesDialog } from './ChangesDialog.tsx'
import { ConflictView } from './ConflictView.tsx'
import { Field, idOfField } from './Field.tsx'
import { KeptTyping } from './KeptTyping.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { isSignInAsked } from './open-forms.ts'
import { SaveBar } from './SaveBar.tsx'
import { goToField, useEditForm } from './useEditForm.ts'
import type { FormOptions } from './useEditForm.ts'
import type { Values } from './values.ts'

import classes from './EditForm.module.css'

export interface FormSection {
  readonly title: string
  /** One sentence under it. */
  readonly about?: string
  readonly fields: readonly string[]
}

interface EditFormProps extends Omit<FormOptions, 'schema'> {
  /** The call that saves it; its body's schema is the form's one rule. */
  readonly call: Call
  readonly title: string
  /** Above the title, across the page: that a site is closed. */
  readonly banner?: ReactNode
  readonly sections: readonly FormSection[]
  readonly onCancel: () => void
  /** Where the link above the title leads, in words; Cancel goes there as well. */
  readonly back: string
  readonly saveLabel?: string
  readonly cancelLabel?: string
}

/** The same object for every field that looks at none but itself. */
const NO_OTHERS: Values = {}

const ErrorSummary = ({ errors, labelOf }: { errors: readonly string[]; labelOf: (path: string) => string }) =>
  errors.length === 0 ? null : (
    <div className={classes.summary}>
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <span>
        <strong>{errors.length === 1 ? 'One field needs your attention:' : `${errors.length} fields need your attention:`}</strong>{' '}
        {errors.map((path, at) => (
          <span key={path}>
            {at === 0 ? '' : at === errors.length - 1 ? ' and ' : ', '}
            <a
              href={`#${idOfField(path)}`}
              onClick={(event) => {
                event.preventDefault()
                goToField(path)
              }}
            >
              {labelOf(path)}
            </a>
          </span>
        ))}
      </span>
    </div>
  )

/**
 * Every page that edits a record, or makes one: the same fields, errors, changed marks, save bar, kept typing, question before
 * leaving and conflict view, so that no form can lack them (D6, D15, D33, D36).
 */
export const EditForm = (props: EditFormProps) => {
  const { call, title, banner, fields, sections, onCancel, back, saveLabel = 'Save Changes', cancelLabel = 'Cancel Edit' } = props
  if (call.body === undefined) throw new Error(`${call.path} has no body to edit`)
  const form = useEditForm({ ...props, schema: call.body })
  const { values, base, changed, errors, required } = form
  const [isReviewing, setReviewing] = useState(false)
  const sectionId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.title
    document.title = `${title} - Homeroom`
    return () => {
      document.title = before
    }
  }, [title])
  const isForm = form.clash === null
  useEffect(() => heading.current?.focus(), [isForm])

  const labelOf = (path: string): string => fields[path]?.label ?? path
  const wrong = Object.keys(fields).filter((path) => path in errors)
  const isNew = props.record.version === null

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!form.clash && !isSignInAsked()) void form.save()
  }
  const saveRef = useRef(submit)
  useEffect(() => {
    saveRef.current = submit
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      saveRef.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const guard = <LeaveGuard changed={changed} fields={fields} base={base} values={values} />
  if (form.clash)
    return (
      <>
        {guard}
        <ConflictView clash={form.clash} form={form} fields={fields} />
      </>
    )
  return (
    <>
      {guard}
      <header className={classes.head}>
        <button type="button" className={classes.back} onClick={onCancel}>
          <IconArrowLeft size={17} stroke={1.75} aria-hidden />
          {back}
        </button>
        {banner}
        <h1 ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </h1>
        <p className={classes.about}>
          {required.size > 0 ? (
            <>
              Fields marked <span className={classes.star}>*</span> are required.{' '}
            </>
          ) : null}
          {isNew ? null : 'Changed fields carry a yellow line.'}
        </p>
      </header>
      <KeptTyping offered={form.offered} fields={fields} onBringBack={form.bringBack} onForget={form.forget} />
      <div role="alert">
        <ErrorSummary errors={wrong} labelOf={labelOf} />
      </div>
      <form noValidate onSubmit={submit} aria-label={title} inert={form.isSaving}>
        {sections.map((section, at) => (
          <section key={section.title} className={classes.section} aria-labelledby={`${sectionId}${at}`}>
            <div className={classes.side}>
              <h2 id={`${sectionId}${at}`} className={classes.sectionTitle}>
                {section.title}
              </h2>
              {section.about ? <p className={classes.sectionAbout}>{section.about}</p> : null}
            </div>
            <div className={classes.grid}>
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
                    values={field.kind === 'own' || field.isDisabled ? values : NO_OTHERS}
                    before={base[path] ?? null}
                    isChanged={isChanged}
                    isRequired={required.has(path)}
                    error={errors[path]}
                    onChange={form.set}
                    onLeave={form.leave}
                    onUndo={form.undo}
                    onBlock={form.block}
                  />
                )
              })}
            </div>
          </section>
        ))}
        <SaveBar
          count={isNew ? 0 : changed.length}
          isSaving={form.isSaving}
          saveLabel={saveLabel}
          cancelLabel={cancelLabel}
          onCancel={onCancel}
          onReview={() => setReviewing(true)}
        />
      </form>
      {isReviewing ? (
        <ChangesDialog
          title={changed.length === 1 ? 'One unsaved change' : `${changed.length} unsaved changes`}
          changed={changed}
          fields={fields}
          base={base}
          values={values}
          onClose={() => setReviewing(false)}
          onUndo={(path) => form.set(path, base[path] ?? null)}
        >
          <Button data-autofocus variant="default" onClick={() => setReviewing(false)}>
            Back to the form
          </Button>
        </ChangesDialog>
      ) : null}
    </>
  )
}
