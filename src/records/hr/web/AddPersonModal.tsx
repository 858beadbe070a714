import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'

import type { BodyOf } from '../../../contract/call.ts'
import { Problem } from '../../../contract/problem.ts'
import { send } from '../../../platform/web/client.ts'
import { clearError, showError } from '../../../platform/web/error-banner.ts'
import { isSignedOut, errorMessage } from '../../../platform/web/failures.ts'
import { ChangesDialog } from '../../../platform/web/form/ChangesDialog.tsx'
import { Field, getFieldId } from '../../../platform/web/form/Field.tsx'
import { groupErrorsByField, validateValues, findRequiredFields } from '../../../platform/web/form/fields.ts'
import type { FormField } from '../../../platform/web/form/fields.ts'
import { registerOpenForm, registerUnsaved, withSignIn } from '../../../platform/web/form/open-forms.ts'
import { extensionField, phoneField } from '../../../platform/web/form/phone-fields.ts'
import { changedPaths } from '../../../platform/web/form/values.ts'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'
import { useReturnFocus } from '../../../platform/web/kit/use-return-focus.ts'
import { DuplicateHint } from '../../../platform/web/record-features.tsx'
import { readToken } from '../../../platform/web/token.ts'
import { createPerson, NewPerson } from '../../people/contract.ts'
import type { Person } from '../../people/contract.ts'
import { personLabels } from '../../people/fields.ts'
import type { StaffSearchResult } from '../contract.ts'
import { getEmployeeEmail, getEmployeeName } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './AddStaffPage.module.css'

type Path = Exclude<keyof NewPerson, 'sql_person_id'>
const FIELDS: Record<Path, FormField> = {
  name: { kind: 'line', label: personLabels.name, span: 6 },
  email: { kind: 'line', label: personLabels.email, keyboard: 'email', span: 6 },
  phone: extensionField(personLabels.phone),
  fax: phoneField(personLabels.fax),
}
const SHOWN = Object.keys(FIELDS) as readonly Path[]
const REQUIRED_FIELDS = findRequiredFields(NewPerson, SHOWN)
const NO_OTHERS: Values = {}
const EMPTY_VALUES = (): void => {}

const toInitialValues = (employee: StaffSearchResult | null): Record<keyof NewPerson, string> => ({
  name: employee ? getEmployeeName(employee) : '',
  email: (employee && getEmployeeEmail(employee)) ?? '',
  phone: '',
  fax: '',
  sql_person_id: employee?.PersonID ?? '',
})
const formatValues = (values: Values): Values => {
  const format = (path: string, value: FieldValue): FieldValue => {
    const field = Object.hasOwn(FIELDS, path) ? FIELDS[path as Path] : undefined
    return field?.kind === 'line' && field.format && typeof value === 'string' ? field.format(value) : value
  }
  return Object.fromEntries(Object.entries(values).map(([path, value]) => [path, format(path, value)]))
}
/** Trims values before sending: outer spaces are never intended. */
const trimValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [path, typeof value === 'string' ? value.trim() : value]))

const ADDED_ALREADY = 'This user has already been added'
const FAILED = 'There has been an error with the request'
const isDuplicate = (error: unknown): error is Problem => error instanceof Problem && error.message.includes('Duplicate')

interface AddPersonModalProps {
  /** Null for someone who is not in the HR source. */
  employee: StaffSearchResult | null
  onAdded: (person: Person) => void
  onClose: () => void
}

/** The window 'Add Staff to Application'. Closing it with unsaved changes asks first. */
export const AddPersonModal = ({ employee, onAdded, onClose }: AddPersonModalProps) => {
  const [base] = useState<Values>(() => toInitialValues(employee))
  const [values, setValues] = useState(base)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isConfirming, setConfirming] = useState(false)
  const [going, setGoing] = useState<{ readonly path: Path } | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const changed = changedPaths(base, values)
  const isChanged = changed.length > 0
  useReturnFocus()
  useEffect(registerOpenForm, [])
  useEffect(() => registerUnsaved('new person', isChanged), [isChanged])

  const goTo = (found: Readonly<Record<string, string>>) => {
    const path = SHOWN.find((one) => one in found)
    setGoing(path === undefined ? null : { path })
  }
  const adding = useMutation({
    mutationFn: (body: BodyOf<typeof createPerson>) => withSignIn(() => send(createPerson, { body })),
    onSuccess: (person) => {
      clearError()
      onAdded(person)
    },
    onError: (error) => {
      if (isSignedOut(error)) return
      showError(isDuplicate(error) ? ADDED_ALREADY : FAILED)
      const found = error instanceof Problem ? groupErrorsByField(error.errors ?? [], SHOWN) : {}
      setErrors(found)
      goTo(found)
    },
  })
  // A field can only be focused once the form is no longer inert.
  useEffect(() => {
    if (going === null || adding.isPending) return
    form.current?.querySelector<HTMLElement>(`#${getFieldId(going.path)}`)?.focus()
  }, [going, adding.isPending])
  const hasUnsavedChanges = () => isChanged && readToken() !== null && !adding.isSuccess
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsavedChanges() && next.pathname !== current.pathname,
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  })
  const isLeaving = blocker.status === 'blocked'

  const change = (path: string, value: FieldValue) => {
    setValues((before) => ({ ...before, [path]: value }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([wrong]) => wrong !== path)))
  }
  const leave = (path: string) => {
    const next = formatValues(values)
    setValues(next)
    // An empty field shows no error yet.
    const wrong = next[path] === '' ? undefined : validateValues(NewPerson, trimValues(next), SHOWN)[path]
    if (wrong) setErrors((before) => ({ ...before, [path]: wrong }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (adding.isPending) return
    clearError()
    const sent = trimValues(formatValues(values))
    const wrong = validateValues(NewPerson, sent, SHOWN)
    setErrors(wrong)
    goTo(wrong)
    if (Object.keys(wrong).length === 0) adding.mutate(NewPerson.parse(sent))
  }
  const close = () => {
    if (isChanged) setConfirming(true)
    else onClose()
  }
  const stay = () => {
    setConfirming(false)
    if (isLeaving) blocker.reset()
  }
  const discard = () => {
    clearError()
    onClose()
    if (isLeaving) blocker.proceed()
  }
  // Errors without a field are shown here in full; the banner has a fixed text.
  const errorText = adding.error && !isSignedOut(adding.error) && Object.keys(errors).length === 0 ? formatFieldError(adding.error) : null

  return (
    <Modal opened onClose={close} title="Add Staff to Application" closeOnEscape={!isConfirming && !isLeaving} size={560}>
      <form ref={form} noValidate onSubmit={submit} className={layoutClasses.stack} inert={adding.isPending}>
        <p className={textClasses.dimmed}>
          {employee ? (
            <>HR number {employee.PersonID}. Correct any details before you add this person.</>
          ) : (
            <>For someone who isn’t in HR. You can match them later.</>
          )}
        </p>
        <div className={`${layoutClasses.grid} ${classes.fields}`}>
          {SHOWN.map((path) => (
            <Field
              key={path}
              path={path}
              field={FIELDS[path]}
              value={values[path] ?? ''}
              values={NO_OTHERS}
              before={base[path] ?? ''}
              isChanged={false}
              isRequired={REQUIRED_FIELDS.has(path)}
              error={errors[path]}
              onChange={change}
              onBlur={leave}
              onUndo={EMPTY_VALUES}
              onBlock={EMPTY_VALUES}
            />
          ))}
        </div>
        <DuplicateHint kind="person" values={values} />
        <div role="alert">{errorText ? <p className={textClasses.error}>{errorText}</p> : null}</div>
        <div className={layoutClasses.buttons}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={adding.isPending}>
            Add
          </Button>
        </div>
      </form>
      {isConfirming || isLeaving ? (
        <ChangesDialog
          title="Close without adding?"
          changed={changed}
          fields={FIELDS}
          base={base}
          values={values}
          about="Your changes will be lost."
          onClose={stay}
        >
          <Button variant="default" data-autofocus onClick={stay}>
            Keep Editing
          </Button>
          <Button color="red" onClick={discard}>
            Discard
          </Button>
        </ChangesDialog>
      ) : null}
    </Modal>
  )
}

/** The error of a duplicate names the other person. */
const formatFieldError = (error: unknown): string =>
  isDuplicate(error) ? `${error.errors?.map(({ message }) => message).join('. ') || ADDED_ALREADY}.` : errorMessage(error)
