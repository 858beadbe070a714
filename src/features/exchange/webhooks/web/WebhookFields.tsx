import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useId } from 'react'

import { capitalize } from '../../../../contract/format.ts'
import {
  EVENT_KIND_LABELS,
  EVENT_KINDS,
  EVENTS,
  type EventKind,
  type EventType,
  FORMAT_LABELS,
  FORMATS,
  MAX_WEBHOOK_NAME_LENGTH,
  MAX_WEBHOOK_URL_LENGTH,
  QUIET_MINUTES,
  type WebhookContent,
  type WebhookFormat,
} from '../rules.ts'
import { ChannelPreview } from './ChannelPreview.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './WebhookFields.module.css'

export interface WebhookValues extends WebhookContent {
  readonly name: string | null
  readonly url: string
  readonly events: readonly EventType[]
}
/** A webhook without choices. */
export const EMPTY_WEBHOOK: WebhookValues = {
  name: null,
  url: '',
  format: 'standard',
  events: [],
  quiet: false,
  summary: false,
  overdue: false,
  affairs: false,
}

const ADDRESS_HINTS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Where the other program takes messages.',
  teams: 'From the workflow of the channel. Anyone who has it can write there.',
  slack: 'Of the incoming webhook of the channel. Anyone who has it can write there.',
}
const WARNING =
  'Everyone in the channel can read values and deadlines of charter affairs then: also guests, people who join later, and people whose level here does not allow it.'

interface WebhookFieldsProps {
  readonly values: WebhookValues
  readonly errorOf: (path: string) => string | undefined
  readonly onChange: (values: WebhookValues) => void
}

const getTypes = (kind: EventKind): EventType[] => Object.keys(EVENTS[kind]).map((name) => `${kind}.${name}` as EventType)

interface ChannelFieldsProps {
  readonly values: WebhookValues
  readonly onChange: (changes: Partial<WebhookValues>) => void
}

/** When messages come to a channel, and what they may say. */
const ChannelFields = ({ values: { quiet, summary, overdue, affairs }, onChange }: ChannelFieldsProps) => (
  <fieldset className={`${layoutClasses.shrinkable} ${layoutClasses.vertical} ${classes.options}`}>
    <legend className={`${textClasses.smallFont} ${textClasses.strong} ${layoutClasses.bottomMargin4}`}>Messages</legend>
    <Checkbox
      label="Quiet"
      description={`What happens within ${QUIET_MINUTES} minutes comes as one message.`}
      checked={quiet}
      onChange={({ currentTarget: { checked } }) => onChange({ quiet: checked })}
    />
    <Checkbox
      label="Weekly summary"
      description="The deadlines of the next 30 days, on Monday mornings."
      checked={summary}
      onChange={({ currentTarget: { checked } }) => onChange({ summary: checked })}
    />
    <Checkbox
      label="Overdue deadlines"
      description="Each on the morning after its date."
      checked={overdue}
      onChange={({ currentTarget: { checked } }) => onChange({ overdue: checked })}
    />
    <Checkbox
      label="Show charter affairs in this channel"
      description={<span className={affairs ? textClasses.bad : undefined}>{WARNING}</span>}
      checked={affairs}
      onChange={({ currentTarget: { checked } }) => onChange({ affairs: checked })}
    />
  </fieldset>
)

/** Where a webhook sends to, its events by kind of record, and the choices of a channel. */
export const WebhookFields = ({ values, errorOf, onChange }: WebhookFieldsProps) => {
  const { name, url, format, events } = values
  const id = useId()
  const set = (changes: Partial<WebhookValues>) => onChange({ ...values, ...changes })
  const choose = (type: EventType, isChosen: boolean) =>
    set({ events: isChosen ? [...events, type] : events.filter((one) => one !== type) })
  const error = errorOf('events')
  return (
    <>
      <NativeSelect
        label="Send to"
        data={FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
        value={format}
        error={errorOf('format')}
        onChange={({ currentTarget }) => {
          const { quiet, summary, overdue, affairs } = EMPTY_WEBHOOK
          const next = currentTarget.value as WebhookFormat
          set({ format: next, affairs, ...(next === 'standard' ? { quiet, summary, overdue } : {}) })
        }}
      />
      <TextInput
        label="Name"
        description={format === 'standard' ? 'What the program is called here.' : 'What the channel is called, such as #front-office.'}
        autoComplete="off"
        maxLength={MAX_WEBHOOK_NAME_LENGTH}
        value={name ?? ''}
        error={errorOf('name')}
        onChange={({ currentTarget: { value } }) => set({ name: value === '' ? null : value })}
      />
      <TextInput
        label="Web address"
        description={ADDRESS_HINTS[format]}
        placeholder="https://"
        required
        data-autofocus
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_WEBHOOK_URL_LENGTH}
        value={url}
        error={errorOf('url')}
        onChange={({ currentTarget: { value } }) => set({ url: value, affairs: false })}
      />
      <fieldset className={layoutClasses.shrinkable} aria-describedby={error === undefined ? undefined : id}>
        <legend className={`${textClasses.smallFont} ${textClasses.strong} ${layoutClasses.bottomMargin4}`}>Events</legend>
        {error === undefined ? null : (
          <p id={id} className={`${textClasses.label} ${textClasses.required} ${layoutClasses.bottomMargin8}`}>
            {error}
          </p>
        )}
        {EVENT_KINDS.map((kind) => (
          <div
            key={kind}
            role="group"
            aria-label={EVENT_KIND_LABELS[kind]}
            className={`${layoutClasses.lineAbove} ${layoutClasses.grid} ${classes.kind}`}
          >
            <span className={`${textClasses.smallFont} ${classes.kindName}`} aria-hidden>
              {EVENT_KIND_LABELS[kind]}
            </span>
            <div className={`${layoutClasses.wrappingRow} ${classes.names}`}>
              {getTypes(kind).map((type) => (
                <Checkbox
                  key={type}
                  label={capitalize(type.slice(kind.length + 1))}
                  aria-label={`${EVENT_KIND_LABELS[kind]}: ${type.slice(kind.length + 1)}`}
                  checked={events.includes(type)}
                  aria-invalid={error === undefined ? undefined : true}
                  onChange={(event) => choose(type, event.currentTarget.checked)}
                />
              ))}
            </div>
          </div>
        ))}
      </fieldset>
      {format === 'standard' || !values.affairs ? (
        <p className={textClasses.hint}>For charter affairs, an event says only that something changed, not what.</p>
      ) : null}
      {format === 'standard' ? null : (
        <>
          <ChannelFields values={values} onChange={set} />
          <section aria-label="What the channel will show">
            <h3 className={`${textClasses.smallFont} ${textClasses.strong} ${layoutClasses.bottomMargin4}`}>What the channel will show</h3>
            <ChannelPreview values={{ ...values, format }} />
          </section>
        </>
      )}
    </>
  )
}
