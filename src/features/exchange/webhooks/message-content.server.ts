import { sql } from 'kysely'

import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import type { HistoryParts } from '../../../contract/history.ts'
import { getRecordPath, isRestricted, PAGED_KINDS, RECORD_NOUNS } from '../../../contract/records.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { MailGroup } from '../../../platform/server/mail/layout.ts'
import { formatAction, getChangeLines } from '../../changing/history/rules.ts'
import { readRequestMessage } from '../../changing/requests/queries.server.ts'
import { readDeadlineMessage } from '../../deadlines/reminders/queries.server.ts'
import type { ActivityChange, ActivityRecord } from '../../finding/activity/contract.ts'
import { readActivityChanges } from '../../finding/activity/queries.server.ts'
import type { ActivityRecordKind } from '../../finding/activity/rules.ts'
import { MAX_TEAMS_BYTES, toTeamsMessage } from './adaptive-card.server.ts'
import type { EventBody, Message, MessageFact, MessageRow } from './contract.ts'
import { type ChannelFormat, type EventKind, EVENTS, TEST_EVENT } from './rules.ts'
import { MAX_SLACK_BYTES, toSlackMessage } from './slack-message.server.ts'

/** What a message is made with: the context, and the labels of fields of all kinds. */
export interface MessageContext extends AppContext {
  readonly parts: HistoryParts
}

/** How messages are written for each program, and how long they are at most. */
export const RENDERINGS: Readonly<Record<ChannelFormat, { readonly maxBytes: number; readonly render: (message: Message) => object }>> = {
  teams: { maxBytes: MAX_TEAMS_BYTES, render: toTeamsMessage },
  slack: { maxBytes: MAX_SLACK_BYTES, render: toSlackMessage },
}

/** The first events of a message that gathers many; the rest is counted. */
export const MAX_GATHERED = 24
/** The first fields of each of them. */
const MAX_GATHERED_FIELDS = 3

interface StoredEvent {
  readonly body: EventBody
  readonly change: number | null
}

const toActivityKind = (kind: string): ActivityRecordKind => (kind === 'grant' ? 'permission' : (kind as ActivityRecordKind))

const getPath = (record: ActivityRecord | undefined): string => {
  if (record?.kind === 'permission') return '/permissions'
  const kind = PAGED_KINDS.find((one) => one === record?.kind)
  const slug = record?.slug ?? null
  return kind === undefined || !record || slug === null ? '/activity' : getRecordPath({ kind, slug, _id: record._id })
}

const ACTIONS = new Set(['created', 'changed', 'deleted'])

/** Who did what: 'Ana Ruiz changed the site.' Of a record that few may read, only that someone did. */
const formatSentence = ({ parts }: MessageContext, { data, type }: EventBody, change: ActivityChange | undefined): string => {
  const [kind = '', name = ''] = type.split('.')
  const actor = data.by ?? 'An import or automatic change'
  const noun = Object.hasOwn(RECORD_NOUNS, kind) ? RECORD_NOUNS[kind as keyof typeof RECORD_NOUNS][0] : kind
  if (!ACTIONS.has(name)) {
    const descriptions: Readonly<Record<string, string>> = EVENTS[kind as EventKind]
    return `${descriptions[name] ?? `${noun} ${name}`}, by ${data.by ?? 'an import or automatically'}.`
  }
  const suggestedBy = change?.suggestedBy ? ` (suggested by ${change.suggestedBy})` : ''
  return `${actor} ${change ? formatAction(parts, change) : `${name} the ${noun}`}${suggestedBy}.`
}

const toFacts = ({ parts, configuration }: MessageContext, change: ActivityChange): MessageFact[] =>
  getChangeLines(parts, change, configuration.timeZone).map(({ label, from, to }) => ({
    label,
    ...(change.action === 'insert' ? {} : { from }),
    ...(change.action === 'delete' ? {} : { to }),
  }))

const toMessage = (message: Omit<Message, 'groups' | 'more'>): Message => ({ ...message, groups: [], more: 0 })

/** What is said of an event of a request: who wants what, or how it was answered. */
const readRequest = async (context: MessageContext, { body }: StoredEvent, facts: readonly MessageFact[], affairs: boolean) => {
  const request = await readRequestMessage(context, body.data._id, { mayReadAffairs: affairs })
  if (!request) return undefined
  const { title, sentence, lines, isHidden, action } = request
  const isNew = body.type === 'request.created'
  return toMessage({
    title,
    intro: [isNew ? sentence : formatSentence(context, body, undefined)],
    facts: isNew ? lines : isHidden ? [] : facts,
    button: { text: action.text, href: `${context.configuration.publicUrl}${action.path}` },
  })
}

/** The message of each event, from its change as it is stored now. */
export const readEventMessages = async (context: MessageContext, events: readonly StoredEvent[], affairs: boolean): Promise<Message[]> => {
  await context.readModel.ready()
  const numbers = [...new Set(events.flatMap(({ change }) => change ?? []))]
  const named = events.map(({ body: { data } }) => ({ kind: toActivityKind(data.kind), _id: data._id }))
  const { changes, records } = await readActivityChanges(context, { accessLevel: BROWSE_LEVEL }, numbers, named)
  const messages: Message[] = []
  for (const event of events) {
    const { data } = event.body
    const isHidden = isRestricted(data.kind) && !affairs
    const [change] = isHidden ? [] : (changes.get(event.change ?? 0) ?? [])
    const facts = change ? toFacts(context, change) : []
    const record = records.get(data._id)
    const request = data.kind === 'request' ? await readRequest(context, event, facts, affairs) : undefined
    // What changed may be a part of another record: a role of a person is at a site.
    const other = change && change.record !== data._id ? records.get(change.record) : undefined
    messages.push(
      request ??
        toMessage({
          title: record?.name ?? data.name ?? 'A record',
          intro: [formatSentence(context, event.body, change), ...(other ? [other.name] : [])],
          facts,
          button: { text: 'Open in Homeroom', href: `${context.configuration.publicUrl}${getPath(record)}` },
        }),
    )
  }
  return messages
}

const toRow = ({ title, intro, facts, button }: Message): MessageRow => ({
  title,
  href: button.href,
  details: [
    ...intro,
    ...facts
      .slice(0, MAX_GATHERED_FIELDS)
      .map(({ label, from, to }) => `${label}: ${[from, to].filter((text) => text !== undefined).join(' → ')}`),
    ...(facts.length > MAX_GATHERED_FIELDS ? [`and ${facts.length - MAX_GATHERED_FIELDS} more fields`] : []),
  ],
})

/** Several events as one message. */
export const gather = (messages: readonly Message[], count: number, publicUrl: string): Message => ({
  title: `${count.toLocaleString('en-US')} changes`,
  intro: [],
  facts: [],
  groups: [{ title: null, rows: messages.map(toRow) }],
  more: count - messages.length,
  button: { text: 'Open the activity', href: `${publicUrl}/activity` },
})

const toDeadlineRow = ({ mark, markAside = '', note, title, href, details }: MailGroup['rows'][number]): MessageRow => ({
  title: `${mark}${markAside}: ${title}`,
  href,
  details: [note, ...details],
})

export const toDeadlineMessage = ({
  title,
  intro,
  groups,
  button,
}: NonNullable<Awaited<ReturnType<typeof readDeadlineMessage>>>): Message => ({
  title,
  intro,
  facts: [],
  groups: groups.map((group) => ({ title: group.title, rows: group.rows.map(toDeadlineRow) })),
  more: groups.reduce((sum, { count, rows }) => sum + count - rows.length, 0),
  button,
})

/** Of a summary, or of the overdue deadlines that it was made for; null if they were handled in the meantime. */
const readDeadlines = async (
  context: MessageContext,
  { body }: StoredEvent,
  message: string,
  affairs: boolean,
): Promise<Message | null> => {
  const reader = { mayReadAffairs: affairs }
  const told = await context.db.selectFrom('webhook_deadline').select('deadline').where('message', '=', message).execute()
  const overdue = body.type === 'deadlines.overdue' ? new Set(told.map(({ deadline }) => deadline)) : undefined
  const found = await readDeadlineMessage(context, reader, overdue)
  return found && toDeadlineMessage(found)
}

const buildSample = ({ configuration }: MessageContext, { data }: EventBody): Message =>
  toMessage({
    title: 'Test message from Homeroom',
    intro: [`${data.by ?? 'Someone'} sent this from the page of the channel. Messages look like this; nothing was changed.`],
    facts: [{ label: 'Phone', from: '(209) 555-0100', to: '(209) 555-0199' }],
    button: { text: 'Open in Homeroom', href: configuration.publicUrl },
  })

/** What the deliveries say that become one message; null if there is nothing to say any longer. */
export const readMessage = async (
  context: MessageContext,
  { message, gathered, affairs }: { readonly message: string; readonly gathered: readonly number[]; readonly affairs: boolean },
): Promise<Message | null> => {
  const { rows } = await sql<{ body: string; change: number | null }>`
    select body, change from webhook_delivery where _id = any(${gathered.slice(0, MAX_GATHERED)}::bigint[]) order by _id`.execute(
    context.db,
  )
  const events = rows.map(({ body, change }) => ({ body: JSON.parse(body) as EventBody, change }))
  const [first] = events
  if (!first) return null
  if (first.body.type === TEST_EVENT) return buildSample(context, first.body)
  if (first.body.data.kind === 'webhook') return readDeadlines(context, first, message, affairs)
  const messages = await readEventMessages(context, events, affairs)
  const [only] = messages
  return only && gathered.length === 1 ? only : gather(messages, gathered.length, context.configuration.publicUrl)
}
