import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { DEADLINE_KINDS, KIND_NAMES } from '../../../../contract/deadlines.ts'
import { formatCount } from '../../../../contract/format.ts'
import { RECORD_KINDS, RECORD_NOUNS } from '../../../../contract/records.ts'
import type { CalendarTarget } from '../../../../platform/web/calendar-window.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { DialogButtons } from '../../../../platform/web/kit/DialogButtons.tsx'
import { DeadlineSearch } from '../../deadlines/contract.ts'
import { STATE_LABELS } from '../../deadlines/rules.ts'
import { createCalendar } from '../contract.ts'
import { MAX_CALENDAR_NAME_LENGTH, REMINDER_CHOICES } from '../rules.ts'
import type { GivenCalendar } from './CalendarAddress.tsx'
import { CalendarWindow } from './CalendarWindow.tsx'
import { invalidateCalendars, useFoundCount } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './CalendarWindow.module.css'

/** 'My deadlines', 'California, all kinds', '“renewal”, all kinds', 'Deadlines of nobody, Petition'. */
const formatCalendarName = ({ responsible, kind, q }: DeadlineSearch, region: string | undefined): string => {
  const kindName = kind === undefined ? undefined : DEADLINE_KINDS[kind].name
  const responsibleName = responsible === 'me' ? 'My deadlines' : responsible === 'none' ? 'Nobody responsible' : undefined
  const parts = [responsibleName, region, q === undefined ? undefined : `“${q.slice(0, 40)}”`, kindName].filter(
    (part) => part !== undefined,
  )
  if (parts.length === 0) return 'All deadlines'
  return responsibleName === undefined && kindName === undefined ? `${parts.join(', ')}, all kinds` : parts.join(', ')
}

const KIND_CHOICES = [{ value: '', label: 'All kinds' }, ...KIND_NAMES.map((value) => ({ value, label: DEADLINE_KINDS[value].name }))]
const REMINDERS = [
  { value: '', label: 'No reminder' },
  { value: '0', label: 'On the day' },
  ...REMINDER_CHOICES.map((days) => ({ value: String(days), label: days === 1 ? '1 day before' : `${days} days before` })),
]
const STATE_CHOICES = [...Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label })), { value: '', label: 'All states' }]
const OWN = { value: 'me', label: 'My deadlines' }
const RESPONSIBLE_OPTIONS = [OWN, { value: '', label: 'Everyone’s' }, { value: 'none', label: 'With nobody responsible' }]

/** Filters without a field in the window, named by the page that opened it. */
const FIXED_NAMES = {
  ...Object.fromEntries(RECORD_KINDS.filter((kind) => kind !== 'region').map((kind) => [kind, `one ${RECORD_NOUNS[kind][0]}`])),
  from: 'from a day on',
  to: 'up to a day',
}

interface NewCalendarFeedModalProps {
  readonly about: CalendarTarget
  readonly regions: readonly { readonly slug: string; readonly name: string }[]
  readonly onClose: () => void
}

/** The window "New calendar feed": its settings, then the URL, which is shown once. */
export const NewCalendarFeedModal = ({ about, regions, onClose }: NewCalendarFeedModalProps) => {
  const [filter, setFilter] = useState<DeadlineSearch>(() => DeadlineSearch.safeParse(about.filter).data ?? {})
  const [reminder, setReminder] = useState('7')
  const [typedName, setTypedName] = useState(about.name)
  const mayReadAffairs = useCan('read a charter affair')
  const region = regions.find(({ slug }) => slug === filter.region)
  const name = typedName ?? formatCalendarName(filter, region?.name ?? filter.region)
  const { data: found } = useFoundCount(filter)
  const [given, setGiven] = useState<GivenCalendar | null>(null)
  const reminderDays = reminder === '' ? null : Number(reminder)
  const creating = useMutation({
    mutationFn: () => withSignIn(() => send(createCalendar, { body: { name: name.trim(), filter, reminderDays } })),
    onSuccess: ({ url, deadlines }) => {
      invalidateCalendars()
      setGiven({ name: name.trim(), url, deadlines, reminderDays })
    },
  })
  const change = (field: 'responsible' | 'kind' | 'region' | 'state', value: string) => {
    const { [field]: _before, ...rest } = filter
    setFilter(value === '' ? rest : { ...rest, [field]: value })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (name.trim() !== '' && !creating.isPending) creating.mutate()
  }
  const { responsible = '' } = filter
  const options = RESPONSIBLE_OPTIONS.some(({ value }) => value === responsible)
    ? RESPONSIBLE_OPTIONS
    : [...RESPONSIBLE_OPTIONS, { value: responsible, label: 'Those of one person' }]
  const fixed = [
    ...Object.entries(FIXED_NAMES).flatMap(([field, words]) => (Object.hasOwn(filter, field) ? [words] : [])),
    ...(filter.q === undefined ? [] : [`with “${filter.q}”`]),
  ]
  return (
    <CalendarWindow title={given ? 'Your new calendar feed' : 'New calendar feed'} given={given} onClose={onClose}>
      <form noValidate onSubmit={submit} className={layoutClasses.stack}>
        <div className={`${layoutClasses.grid} ${classes.pair}`}>
          <NativeSelect
            label="Whose"
            data={options}
            value={responsible}
            onChange={(event) => change('responsible', event.currentTarget.value)}
          />
          <NativeSelect
            label="State"
            data={STATE_CHOICES}
            value={filter.state ?? ''}
            onChange={(event) => change('state', event.currentTarget.value)}
          />
          {mayReadAffairs ? (
            <NativeSelect
              label="Kind"
              data={KIND_CHOICES}
              value={filter.kind ?? ''}
              onChange={(event) => change('kind', event.currentTarget.value)}
            />
          ) : null}
          <NativeSelect
            label="Region"
            data={[{ value: '', label: 'All regions' }, ...regions.map(({ slug, name: label }) => ({ value: slug, label }))]}
            value={filter.region ?? ''}
            onChange={(event) => change('region', event.currentTarget.value)}
          />
        </div>
        <NativeSelect
          label="Reminder"
          description="At 9 in the morning, from your calendar."
          data={REMINDERS}
          value={reminder}
          onChange={(event) => setReminder(event.currentTarget.value)}
        />
        <TextInput
          label="Name"
          required
          maxLength={MAX_CALENDAR_NAME_LENGTH}
          autoComplete="off"
          value={name}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
        <p className={textClasses.dimmed} role="status">
          {found === undefined ? '\u00a0' : `${formatCount(found, 'deadline')} today${fixed.length > 0 ? `, ${fixed.join(', ')}` : ''}.`}
        </p>
        <div role="alert">{creating.error ? <p className={textClasses.error}>Error: {errorMessage(creating.error)}</p> : null}</div>
        <DialogButtons
          className={`${layoutClasses.buttons} ${classes.buttons}`}
          submitLabel="Create feed"
          isBusy={creating.isPending}
          isDisabled={name.trim() === ''}
          onClose={onClose}
        />
      </form>
    </CalendarWindow>
  )
}
