import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import type { BodyOf } from '../../../../contract/call.ts'
import { formatDay } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS, type DeadlineKind, KIND_NAMES } from '../../../../contract/deadlines.ts'
import type { Named } from '../../../../contract/references.ts'
import { send } from '../../../../platform/web/client.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { getToday } from '../../../../platform/web/today.ts'
import { createDeadline, type Deadline, deleteDeadline, EXACTLY_ONE_RECORD, MAX_NOTE_LENGTH } from '../contract.ts'
import { addDays } from '../rules.ts'
import { useDeadlineRecords } from './deadline-records.ts'
import { reloadDeadlines } from './queries.ts'
import { type DeadlineDialogProps, getFieldError, getOtherError, useDeadlineChange } from './use-deadline-change.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineDialog.module.css'

const describeDefault = ({ responsible, responsibleFrom, kind, region }: DeadlineDialogProps['deadline']): string => {
  const name = DEADLINE_KINDS[kind].name
  if (responsible === null) return 'No one is responsible yet.'
  if (responsibleFrom === 'deadline') return 'Without a person, the one named in the settings is responsible.'
  return `${responsible.name} is responsible, as for every deadline of the kind ${name}${responsibleFrom === 'region' && region ? ` in ${region.name}` : ''}.`
}

/** 'Lease ends, Lodi Resource Center, 10/10/2026' */
const About = ({ deadline: { title, charter, site, date } }: Pick<DeadlineDialogProps, 'deadline'>) => (
  <p className={classes.about}>
    <strong>{title}</strong>
    {[charter?.name ?? site?.name, formatDay(date)].map((part) => (part === undefined ? null : `, ${part}`))}
  </p>
)

/** Selects the responsible person. Removing them restores the person from the settings. */
export const AssignDialog = ({ deadline, onSaved, onClose }: DeadlineDialogProps) => {
  const { PersonPicker } = useDeadlineRecords()
  const change = useDeadlineChange({ deadline, onSaved })
  const own = deadline.responsibleFrom === 'deadline' ? deadline.responsible : null
  const [person, setPerson] = useState<Named | null>(own)
  return (
    <Dialog
      title="Who is responsible?"
      confirmLabel="Assign"
      isDisabled={person?._id === own?._id}
      isBusy={change.isSaving}
      error={change.error}
      onConfirm={() => change.save({ responsible: person?._id ?? null })}
      onClose={onClose}
    >
      <About deadline={deadline} />
      <PersonPicker label="Responsible" chosen={person} isFirst onChoose={setPerson} />
      <p className={`${textClasses.caption} ${classes.hint}`}>{describeDefault(deadline)}</p>
    </Dialog>
  )
}

/** Snoozes a deadline until a day, with a reason. */
export const PutOffDialog = ({ deadline, onSaved, onClose }: DeadlineDialogProps) => {
  const change = useDeadlineChange({ deadline, onSaved })
  const [day, setDay] = useState(deadline.snoozedUntil ?? '')
  const [reason, setReason] = useState(deadline.note ?? '')
  const [isMissing, setMissing] = useState(false)
  const dayError = isMissing ? 'Enter the day until which it is put off' : getFieldError(change.error, 'snoozedUntil')
  return (
    <Dialog
      title="Put off this deadline"
      confirmLabel="Put off"
      isBusy={change.isSaving}
      error={getOtherError(change.error, ['snoozedUntil', 'note'])}
      onConfirm={() => {
        setMissing(day === '')
        if (day !== '') change.save({ state: 'snoozed', snoozedUntil: day, note: reason })
      }}
      onClose={onClose}
    >
      <About deadline={deadline} />
      <TextInput
        label="Until"
        type="date"
        required
        data-autofocus
        min={addDays(getToday(), 1)}
        max="2199-12-31"
        value={day}
        error={dayError}
        onChange={(event) => {
          setDay(event.currentTarget.value)
          setMissing(false)
          change.reset()
        }}
      />
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_NOTE_LENGTH}
        value={reason}
        error={getFieldError(change.error, 'note')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}

/** The note of a deadline. */
export const NoteDialog = ({ deadline, onSaved, onClose }: DeadlineDialogProps) => {
  const change = useDeadlineChange({ deadline, onSaved })
  const [note, setNote] = useState(deadline.note ?? '')
  return (
    <Dialog
      title="Note"
      confirmLabel="Save"
      isBusy={change.isSaving}
      error={getOtherError(change.error, ['note'])}
      onConfirm={() => change.save({ note })}
      onClose={onClose}
    >
      <About deadline={deadline} />
      <Textarea
        label="Note"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_NOTE_LENGTH}
        data-autofocus
        value={note}
        error={getFieldError(change.error, 'note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  )
}

const PATHS = ['title', 'date', 'kind', 'charter', 'responsible', 'note']

interface Values {
  readonly title: string
  readonly date: string
  readonly kind: DeadlineKind
  readonly yearly: boolean
  readonly responsible: Named | null
  readonly note: string
}

const toValues = (deadline: Deadline | null): Values => ({
  title: deadline?.title ?? '',
  date: deadline?.date ?? '',
  kind: deadline?.kind ?? 'oversight',
  yearly: deadline?.yearly ?? false,
  responsible: deadline?.responsibleFrom === 'deadline' ? deadline.responsible : null,
  note: deadline?.note ?? '',
})

const findMissing = ({ title, date }: Values): Record<string, string> => ({
  ...(title.trim() === '' ? { title: 'Enter what is due' } : {}),
  ...(date === '' ? { date: 'Enter a date' } : {}),
})

interface FieldsProps {
  readonly values: Values
  readonly errorOf: (path: string) => string | undefined
  readonly onChange: (values: Values) => void
  /** Selects its record, if that is still to be chosen. */
  readonly children?: ReactNode
}

const Fields = ({ values, errorOf, onChange, children }: FieldsProps) => {
  const { PersonPicker } = useDeadlineRecords()
  const set = (changes: Partial<Values>) => onChange({ ...values, ...changes })
  return (
    <>
      <TextInput
        label="Title"
        required
        data-autofocus
        autoComplete="off"
        maxLength={200}
        value={values.title}
        error={errorOf('title')}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <div className={`${layoutClasses.grid} ${classes.pair}`}>
        <TextInput
          label="Date"
          type="date"
          required
          min="1900-01-01"
          max="2199-12-31"
          value={values.date}
          error={errorOf('date')}
          onChange={(event) => set({ date: event.currentTarget.value })}
        />
        <NativeSelect
          label="Kind"
          value={values.kind}
          error={errorOf('kind')}
          data={KIND_NAMES.map((value) => ({ value, label: DEADLINE_KINDS[value].name }))}
          onChange={(event) => set({ kind: event.currentTarget.value as DeadlineKind })}
        />
      </div>
      {children}
      <Checkbox
        label="Every year"
        description="Once it is handled, it returns a year later"
        checked={values.yearly}
        onChange={(event) => set({ yearly: event.currentTarget.checked })}
      />
      <PersonPicker label="Responsible" chosen={values.responsible} onChoose={(responsible) => set({ responsible })} />
      <Textarea
        label="Note"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_NOTE_LENGTH}
        value={values.note}
        error={errorOf('note')}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </>
  )
}

/** Focuses the first field with an error in the open dialog. */
const focusFirstError = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[role="dialog"] [aria-invalid="true"]')?.focus())
}

/** The values of a deadline's fields, and what is wrong with them here or in the server's answer. */
const useDeadlineForm = (deadline: Deadline | null, { error, reset }: { readonly error: unknown; readonly reset: () => void }) => {
  const [values, setValues] = useState(() => toValues(deadline))
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({})
  const clear = () => {
    setMissing({})
    reset()
  }
  return {
    values,
    body: { ...values, title: values.title.trim(), responsible: values.responsible?._id ?? null },
    clear,
    errorOf: (path: string) => missing[path] ?? getFieldError(error, path),
    change: (next: Values) => {
      setValues(next)
      clear()
    },
    /** Saves unless something is missing. */
    submit: (save: () => void, othersMissing: Readonly<Record<string, string>> = {}) => {
      const found = { ...findMissing(values), ...othersMissing }
      setMissing(found)
      if (Object.keys(found).length > 0) focusFirstError()
      else save()
    },
  }
}

/** Adds a deadline to a charter or a site. */
export const NewDeadlineDialog = ({ onClose }: { onClose: () => void }) => {
  const { RecordPicker } = useDeadlineRecords()
  const [record, setRecord] = useState<{ charter?: string; site?: string }>({})
  const adding = useMutation({
    mutationFn: (body: BodyOf<typeof createDeadline>) => send(createDeadline, { body }),
    onSuccess: ({ title }) => {
      void reloadDeadlines()
      showSuccess({ text: `${title} was added.` })
      onClose()
    },
    onError: focusFirstError,
  })
  const form = useDeadlineForm(null, adding)
  const missingRecord: Readonly<Record<string, string>> =
    record.charter === undefined && record.site === undefined ? { charter: EXACTLY_ONE_RECORD } : {}
  return (
    <Dialog
      title="Add a deadline"
      confirmLabel="Add"
      size={520}
      isBusy={adding.isPending}
      error={getOtherError(adding.error, PATHS)}
      onConfirm={() => form.submit(() => adding.mutate({ ...form.body, ...record }), missingRecord)}
      onClose={onClose}
    >
      <Fields values={form.values} errorOf={form.errorOf} onChange={form.change}>
        <RecordPicker
          error={form.errorOf('charter') ?? form.errorOf('site')}
          onChoose={(chosen) => {
            setRecord(chosen)
            form.clear()
          }}
        />
      </Fields>
    </Dialog>
  )
}

/** Changes or deletes a deadline that people added. */
export const DeadlineDialog = ({ deadline: seen, onSaved, onClose }: DeadlineDialogProps) => {
  const change = useDeadlineChange({ deadline: seen, onSaved })
  const { deadline } = change
  const form = useDeadlineForm(seen, change)
  const [isDeleting, setDeleting] = useState(false)
  const deletion = useMutation({
    mutationFn: () => send(deleteDeadline, { params: { id: deadline._id }, version: deadline.version }),
    onSuccess: () => {
      void reloadDeadlines()
      showSuccess({ text: `${deadline.title} was deleted.` })
      onClose()
    },
  })
  if (isDeleting)
    return (
      <Dialog
        title="Delete this deadline?"
        confirmLabel="Delete"
        isDestructive
        isBusy={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
        onClose={() => setDeleting(false)}
      >
        <p className={classes.about}>
          <strong>{deadline.title}</strong> is deleted with its note.
        </p>
      </Dialog>
    )
  return (
    <Dialog
      title="Edit this deadline"
      confirmLabel="Save"
      size={520}
      isBusy={change.isSaving}
      error={getOtherError(change.error, PATHS)}
      onConfirm={() => form.submit(() => change.save(form.body))}
      onClose={onClose}
    >
      <Fields values={form.values} errorOf={form.errorOf} onChange={form.change} />
      <button
        type="button"
        className={`${textClasses.bad} ${textClasses.strong} ${textClasses.underlined} ${classes.delete}`}
        onClick={() => setDeleting(true)}
      >
        Delete this deadline
      </button>
    </Dialog>
  )
}
