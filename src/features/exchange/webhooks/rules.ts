import { getRecordName, PARTS, RECORD_KINDS, RECORD_LABELS, type RecordKind } from '../../../contract/records.ts'

const describeArchiving = (noun: string) => ({ archived: `A ${noun} was archived`, restored: `An archived ${noun} was restored` })
const describeEvents = (noun: string) => ({
  created: `A ${noun} was created`,
  changed: `A ${noun} was changed`,
  ...describeArchiving(noun),
  deleted: `A ${noun} was deleted`,
})

/** 'board members or districts' */
const describeParts = (kind: RecordKind): string => {
  const names = Object.values(PARTS).flatMap(({ owner, name }) => (owner === kind && name !== undefined ? [name] : []))
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].join(' or ')
}

/**
 * The event types by record kind, with their descriptions: every event that a webhook can receive. docs/operators/webhooks.md is compared with it.
 */
export const EVENTS = {
  // The widest kind first.
  ...(Object.fromEntries(RECORD_KINDS.toReversed().map((kind) => [kind, describeEvents(getRecordName(kind).toLowerCase())])) as Readonly<
    Record<RecordKind, ReturnType<typeof describeEvents>>
  >),
  charter_affair: {
    created: 'A charter affair was created; only the fact, never its content',
    changed: 'A charter affair, its members or districts were changed; only the fact, never its content',
    deleted: 'A charter affair was deleted',
  },
  site: {
    created: 'A site was created',
    changed: `A site was changed: its own fields, ${describeParts('site')}`,
    ...describeArchiving('site'),
    deleted: 'A site was deleted',
  },
  person: {
    created: 'A person was added',
    changed: 'A person was changed: their own fields, or the roles they hold',
    left: 'A person was marked as no longer employed',
    returned: 'Marking a person as no longer employed was undone',
    ...describeArchiving('person'),
    deleted: 'A person was deleted',
  },
  request: {
    created: 'A change or support request was sent',
    answered: 'A request was marked as done or declined',
    reopened: 'A request was opened again',
  },
  grant: {
    created: 'A permission record was created',
    changed: 'A permission record was changed: its level, or the account it belongs to',
    removed: 'A permission record was removed',
  },
} as const

export type EventKind = keyof typeof EVENTS
export type EventType = { readonly [K in EventKind]: `${K}.${keyof (typeof EVENTS)[K] & string}` }[EventKind]

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[]
/** Every event by its type, `site.changed`. */
export const EVENT_TYPES = EVENT_KINDS.flatMap((kind) => Object.keys(EVENTS[kind]).map((name) => `${kind}.${name}` as EventType))

/** Sent through a button; webhooks cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test'
/** Messages of channels about deadlines, which do not come from the history. */
export const DEADLINE_MESSAGES = ['deadlines.summary', 'deadlines.overdue'] as const

/** What a webhook sends: events that a program reads, or messages for people in a channel. */
export const FORMATS = ['standard', 'teams', 'slack'] as const
export type WebhookFormat = (typeof FORMATS)[number]
export type ChannelFormat = Exclude<WebhookFormat, 'standard'>
export const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Another program',
  teams: 'Microsoft Teams',
  slack: 'Slack',
}

/** The choices of a channel. */
export const CHANNEL_OPTIONS = ['quiet', 'summary', 'overdue', 'affairs'] as const
type ChannelOption = (typeof CHANNEL_OPTIONS)[number]
export type WebhookContent = Readonly<Record<ChannelOption, boolean>> & {
  readonly format: WebhookFormat
  readonly events: readonly string[]
}
export const QUIET_MINUTES = 15

/** What is wrong with the choices of a webhook, by field. */
export const findContentErrors = (webhook: WebhookContent): { readonly path: string; readonly message: string }[] => {
  const { format, events, summary, overdue } = webhook
  const isChannel = format !== 'standard'
  return [
    ...(isChannel ? [] : CHANNEL_OPTIONS.filter((option) => webhook[option])).map((path) => ({
      path,
      message: 'Only for channels of Teams and Slack',
    })),
    ...(events.length > 0 || (isChannel && (summary || overdue)) ? [] : [{ path: 'events', message: 'Choose at least one event' }]),
  ]
}

/** What a webhook sends, as text: its events, and the messages about deadlines. */
export const formatContent = ({ events, summary, overdue }: WebhookContent): string =>
  [formatEvents(events), summary ? 'Weekly summary' : '', overdue ? 'Overdue deadlines' : ''].filter(Boolean).join(', ')

/** What a webhook is called: its name, or where it sends to. */
export const getWebhookName = ({ name, url }: { readonly name: string | null; readonly url: string }): string => name ?? new URL(url).host

/** The place of a channel without the rest of its web address, which is a password to write there. */
export const formatTarget = ({ url, format }: { readonly url: string; readonly format: WebhookFormat }): string =>
  format === 'standard' ? url : `${new URL(url).host}/…`

/** The kinds as the page labels them. */
export const EVENT_KIND_LABELS: Readonly<Record<EventKind, string>> = {
  ...RECORD_LABELS,
  request: 'Requests',
  grant: 'Permissions',
}

export const MAX_WEBHOOKS = 50
export const MAX_WEBHOOK_URL_LENGTH = 1000
export const MAX_WEBHOOK_NAME_LENGTH = 60
export const MAX_DELIVERIES = 100
/** How long completed and failed deliveries are kept. */
export const KEPT_DELIVERY_DAYS = 30
/** How many hours a replaced secret remains valid by default. */
export const OLD_SECRET_HOURS = 24
export const MAX_OLD_SECRET_HOURS = 168

/** Ports of web servers. Mail, databases and the like answer on others, and must not be sent what looks like their own commands. */
const isPort = (port: string, allowsPlain: boolean): boolean =>
  port === '' || port === '443' || (allowsPlain && (port === '80' || Number(port) > 1023))

/** What is wrong with the web address of a webhook; undefined if nothing. Plain `http` and other ports are for programs in a private network. */
export const findAddressError = (address: string, allowsPlain: boolean): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return 'Enter a web address such as https://example.org/webhook'
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user or a password'
  if (url.protocol !== 'https:' && !allowsPlain) return 'The address must begin with https://'
  return isPort(url.port, allowsPlain) ? undefined : `Webhooks cannot go to port ${url.port}. Leave the port out of the address.`
}

/** The events of a webhook as text: `Sites (created, changed), People (left)`. */
export const formatEvents = (events: readonly string[]): string =>
  EVENT_KINDS.flatMap((kind) => {
    const names = Object.keys(EVENTS[kind])
    const chosen = names.filter((name) => events.includes(`${kind}.${name}`))
    if (chosen.length === 0) return []
    return [chosen.length === names.length ? EVENT_KIND_LABELS[kind] : `${EVENT_KIND_LABELS[kind]} (${chosen.join(', ')})`]
  }).join(', ')
