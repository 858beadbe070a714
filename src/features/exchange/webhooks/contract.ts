import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, text, byUuid } from '../../../contract/fields.ts'
import { optionalLine, requiredUrl } from '../../../contract/text-schemas.ts'
import {
  DEADLINE_MESSAGES,
  EVENT_TYPES,
  findAddressError,
  findContentErrors,
  FORMATS,
  KEPT_DELIVERY_DAYS,
  MAX_DELIVERIES,
  MAX_OLD_SECRET_HOURS,
  MAX_WEBHOOK_NAME_LENGTH,
  MAX_WEBHOOK_URL_LENGTH,
  OLD_SECRET_HOURS,
  TEST_EVENT,
} from './rules.ts'

const WEBHOOK_STATES = ['active', 'paused', 'off'] as const
const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
const eventType = z.enum(EVENT_TYPES)

/** A webhook without its secret. */
export const Webhook = z.strictObject({
  _id: id,
  /** What people call the channel or the program. */
  name: text,
  url: z.string(),
  format: z.enum(FORMATS),
  events: z.array(eventType),
  /** Of a channel: whether what happens within 15 minutes is one message. */
  quiet: z.boolean(),
  /** The summary of deadlines on Monday mornings, and deadlines on the day after their date. */
  summary: z.boolean(),
  overdue: z.boolean(),
  /** Whether messages have values and deadlines of charter affairs, and who turned that on. */
  affairs: z.boolean(),
  affairsBy: text,
  /** `off`: the address answered 410 Gone. */
  state: z.enum(WEBHOOK_STATES),
  /** Why it was turned off. */
  problem: text,
  createdAt: moment,
  createdBy: text,
  /** Until when messages are also signed with the replaced secret. */
  oldSecretEndsAt: moment.nullable(),
  /** Deliveries that are pending or being retried, and those that failed in the last days. */
  waiting: z.int(),
  failed: z.int(),
  lastDeliveredAt: moment.nullable(),
  version: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

/** The content of a delivery. Fields are named, but their values are never included. */
export const EventBody = z.strictObject({
  type: z.enum([...EVENT_TYPES, TEST_EVENT, ...DEADLINE_MESSAGES]),
  timestamp: moment,
  data: z.strictObject({
    kind: z.string(),
    _id: id,
    slug: text,
    name: text,
    version: z.int().nullable(),
    changed: z.array(z.string()),
    by: text,
  }),
})
export type EventBody = z.infer<typeof EventBody>

export const Delivery = z.strictObject({
  _id: z.int(),
  /** The header `webhook-id`: the same for all attempts and replays. */
  message: z.string(),
  body: EventBody,
  state: z.enum(DELIVERY_STATES),
  tries: z.int(),
  createdAt: moment,
  lastTryAt: moment.nullable(),
  /** When a pending delivery is attempted next; null if an earlier one of its record is pending. */
  nextTryAt: moment.nullable(),
  /** When it was delivered or abandoned. */
  endedAt: moment.nullable(),
  /** The HTTP status of the last response. */
  status: z.int().nullable(),
  problem: text,
  /** The delivery that this one repeats. */
  replayOf: z.int().nullable(),
})
export type Delivery = z.infer<typeof Delivery>

/** A new secret, shown once. */
const NewSecret = z.strictObject({ _id: id, secret: z.string(), version: z.int() })
export type NewSecret = z.infer<typeof NewSecret>

/** Checked again with the setting of the server, which the browser does not know. */
const url = requiredUrl(MAX_WEBHOOK_URL_LENGTH, (address) => findAddressError(address, true))
const events = z.array(eventType).transform((given) => EVENT_TYPES.filter((type) => given.includes(type)))
const name = optionalLine(MAX_WEBHOOK_NAME_LENGTH)
const option = z.boolean()
const withDefault = option.default(false)
const access = { capability: 'manage webhooks' } as const

export const listWebhooks = call('GET', '/api/webhooks', {
  ...access,
  summary: 'The webhooks, oldest first, without their secrets.',
  response: z.array(Webhook),
})

export const readWebhook = call('GET', '/api/webhooks/:id', {
  ...access,
  summary: 'One webhook, without its secret.',
  params: byUuid,
  response: Webhook,
})

export const createWebhook = call('POST', '/api/webhooks', {
  ...access,
  summary:
    'Creates a webhook for the events that happen from now on. Its secret is in this response and is never shown again. With `format` it is a channel of Teams or Slack, which gets messages for people. `affairs` shows values of charter affairs to everyone there, and needs level 5.',
  body: z
    .strictObject({
      name: name.default(null),
      url,
      events,
      format: z.enum(FORMATS).default('standard'),
      quiet: withDefault,
      summary: withDefault,
      overdue: withDefault,
      affairs: withDefault,
    })
    .superRefine((webhook, context) => {
      for (const { path, message } of findContentErrors(webhook)) context.addIssue({ code: 'custom', path: [path], message })
    }),
  response: NewSecret,
})

export const updateWebhook = call('PATCH', '/api/webhooks/:id', {
  ...access,
  summary:
    'Changes the address, the events or the format of a webhook, pauses it or turns it on. What happens while it is paused is delivered afterwards; one that is off begins with what happens from now on. Another address or format turns `affairs` off, unless the request has it.',
  params: byUuid,
  body: z
    .strictObject({
      name,
      url,
      events,
      format: z.enum(FORMATS),
      quiet: option,
      summary: option,
      overdue: option,
      affairs: option,
      state: z.enum(['active', 'paused']),
    })
    .partial(),
  response: Webhook,
})

export const renewWebhookSecret = call('POST', '/api/webhooks/:id/secret', {
  ...access,
  summary: 'Gives a webhook a new secret. For `overlapHours` messages carry the signatures of both, then that of the new one alone.',
  params: byUuid,
  body: z.strictObject({
    overlapHours: z
      .int('Enter a number of hours')
      .min(0, 'Enter a number of hours')
      .max(MAX_OLD_SECRET_HOURS, 'At most one week')
      .default(OLD_SECRET_HOURS),
  }),
  response: NewSecret,
})

export const deleteWebhook = call('DELETE', '/api/webhooks/:id', {
  ...access,
  summary: 'Removes a webhook with its deliveries.',
  params: byUuid,
  response: 'nothing',
})

export const sendTestEvent = call('POST', '/api/webhooks/:id/test', {
  ...access,
  summary: `Sends the event \`${TEST_EVENT}\` to a webhook, or a sample message to a channel.`,
  params: byUuid,
  response: Delivery,
})

/** A field of a message: what changed, from what, to what; or another text. */
const MessageFact = z.strictObject({ label: z.string(), from: z.string().optional(), to: z.string().optional() }).readonly()
export type MessageFact = z.infer<typeof MessageFact>

const texts = z.array(z.string()).readonly()
/** A record or deadline in a message about several. */
const MessageRow = z.strictObject({ title: z.string(), href: z.string(), details: texts }).readonly()
export type MessageRow = z.infer<typeof MessageRow>

/** A message for people in a channel, in no format yet. Its texts are as people typed them. */
const Message = z
  .strictObject({
    title: z.string(),
    /** Who did what. */
    intro: texts,
    facts: z.array(MessageFact).readonly(),
    groups: z.array(z.strictObject({ title: text, rows: z.array(MessageRow).readonly() }).readonly()).readonly(),
    /** How much more there is, and was left out. */
    more: z.int(),
    button: z.strictObject({ text: z.string(), href: z.string() }).readonly(),
  })
  .readonly()
export type Message = z.infer<typeof Message>

/** A message that a channel would get: what it is about is an event, `quiet` for several, `summary` or `overdue`. */
const MessagePreview = z.strictObject({ about: z.string(), message: Message.nullable() })
export type MessagePreview = z.infer<typeof MessagePreview>

export const previewMessages = call('POST', '/api/webhooks/preview', {
  ...access,
  summary:
    'The messages that a channel with these choices would get: of the last event of each type among the latest changes, or all of them gathered with `quiet`, and of today’s deadlines with `summary` and `overdue`. `message` is null where there was none. Nothing is sent. `affairs` needs level 5.',
  body: z.strictObject({
    format: z.enum(['teams', 'slack']),
    events,
    quiet: withDefault,
    summary: withDefault,
    overdue: withDefault,
    affairs: withDefault,
  }),
  response: z.array(MessagePreview),
})

export const listDeliveries = call('GET', '/api/webhooks/:id/deliveries', {
  ...access,
  summary: `The deliveries of a webhook, newest first, ${MAX_DELIVERIES} at a time; with \`before\` those before a delivery. They are kept for ${KEPT_DELIVERY_DAYS} days after their end.`,
  params: byUuid,
  query: z.strictObject({ state: z.enum(DELIVERY_STATES).optional(), before: z.coerce.number().int().positive().optional() }),
  response: z.array(Delivery),
})

export const replayDelivery = call('POST', '/api/webhooks/:id/deliveries/:delivery/replay', {
  ...access,
  summary: 'Sends a delivery again under the same `webhook-id`, after what waits for its record. One that still waits is tried now.',
  params: z.object({ id: z.uuid(), delivery: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
  response: Delivery,
})
