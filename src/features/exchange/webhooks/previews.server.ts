import { sql } from 'kysely'

import { listOverdue, readDeadlineMessage } from '../../deadlines/reminders/queries.server.ts'
import type { Message, MessagePreview } from './contract.ts'
import { type HistoryRow, listTables, readEvents } from './events.server.ts'
import { gather, MAX_GATHERED, type MessageContext, readEventMessages, RENDERINGS, toDeadlineMessage } from './message-content.server.ts'
import { cutToFit } from './message.server.ts'
import type { ChannelFormat, WebhookContent } from './rules.ts'

/** The latest changes of each table, among which an event of each type is found. */
const PREVIEWED_CHANGES = 200

const readRecentEvents = async ({ db, configuration }: MessageContext, types: readonly string[]) => {
  const { rows } = await sql<HistoryRow>`
    select latest.* from unnest(${listTables(types)}::text[]) as name, lateral (
      select _id, at, "table", record, parent, action, "actorName", before, after from change
      where "table" = name and action in ('insert', 'update', 'delete') order by _id desc limit ${PREVIEWED_CHANGES}) as latest
    order by _id desc`.execute(db)
  return readEvents(db, rows, configuration.appId)
}

/** The messages about deadlines that a channel with these choices would get today. */
const readDeadlinePreviews = async (
  context: MessageContext,
  { summary, overdue, affairs }: Pick<WebhookContent, 'summary' | 'overdue' | 'affairs'>,
): Promise<MessagePreview[]> => {
  const reader = { mayReadAffairs: affairs }
  const read = async (about: string, deadlines?: ReadonlySet<string>) => {
    const found = await readDeadlineMessage(context, reader, deadlines)
    return { about, message: found && toDeadlineMessage(found) }
  }
  const late = overdue ? await listOverdue(context, reader) : []
  return [
    ...(summary ? [await read('summary')] : []),
    ...(overdue ? [await read('overdue', new Set(late.map(({ deadline }) => deadline)))] : []),
  ]
}

/** The messages that a channel with these choices would get: of the last event of each type, null where there was none lately, and of today's deadlines. */
export const readPreviews = async (
  context: MessageContext,
  { format, events, quiet, ...rest }: WebhookContent & { readonly format: ChannelFormat },
): Promise<MessagePreview[]> => {
  const recent = await readRecentEvents(context, events)
  const last = events.flatMap((type) => recent.find((event) => event.type === type) ?? [])
  const messages = await readEventMessages(context, last, rest.affairs)
  const byType = new Map<string, Message | undefined>(last.map(({ type }, at) => [type, messages[at]]))
  const gathered = gather(messages.slice(0, MAX_GATHERED), messages.length, context.configuration.publicUrl)
  const previews =
    quiet && messages.length > 1
      ? [{ about: 'quiet', message: gathered }]
      : events.map((type) => ({ about: type, message: byType.get(type) ?? null }))
  const { maxBytes, render } = RENDERINGS[format]
  return [...previews, ...(await readDeadlinePreviews(context, rest))].map(({ about, message }) => ({
    about,
    message: message && cutToFit(message, maxBytes, render),
  }))
}
