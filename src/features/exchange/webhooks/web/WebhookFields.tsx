import { Checkbox, TextInput } from '@mantine/core'
import { useId } from 'react'

import { capitalize } from '../../../../contract/format.ts'
import { EVENT_KINDS, EVENTS, type EventKind, type EventType, EVENT_KIND_LABELS, MAX_WEBHOOK_URL_LENGTH } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './WebhookFields.module.css'

export interface WebhookValues {
  readonly url: string
  readonly events: readonly EventType[]
}

interface WebhookFieldsProps {
  readonly values: WebhookValues
  readonly errorOf: (path: string) => string | undefined
  readonly onChange: (values: WebhookValues) => void
}

const getTypes = (kind: EventKind): EventType[] => Object.keys(EVENTS[kind]).map((name) => `${kind}.${name}` as EventType)

/** The web address and the events of a webhook, by kind of record. */
export const WebhookFields = ({ values: { url, events }, errorOf, onChange }: WebhookFieldsProps) => {
  const id = useId()
  const choose = (type: EventType, isChosen: boolean) =>
    onChange({ url, events: isChosen ? [...events, type] : events.filter((one) => one !== type) })
  const error = errorOf('events')
  return (
    <>
      <TextInput
        label="Web address"
        description="Where the other program takes messages."
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
        onChange={(event) => onChange({ url: event.currentTarget.value, events })}
      />
      <fieldset className={layoutClasses.shrinkable} aria-describedby={error === undefined ? undefined : id}>
        <legend className={`${textClasses.smallFont} ${textClasses.strong} ${classes.legend}`}>Events</legend>
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
      <p className={textClasses.hint}>For charter affairs, an event says only that something changed, not what.</p>
    </>
  )
}
