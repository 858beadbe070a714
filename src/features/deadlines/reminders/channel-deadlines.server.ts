import type { AppContext } from '../../../platform/server/app-context.ts'
import { getReadableDeadlines, listOpen } from '../deadlines/queries.server.ts'
import { addDays } from '../deadlines/rules.ts'
import { buildOverdueMessage, buildWeekMessage, type DeadlineMessage } from './mails.server.ts'

/** A summary has what is due within this many days, as the email does. */
export const DIGEST_DAYS = 30

/** Who reads a channel: everyone there, so deadlines of charters only if those were turned on. */
interface ChannelReader {
  readonly mayReadAffairs: boolean
}

const listUntil = async (context: AppContext, { mayReadAffairs }: ChannelReader, days: number) => {
  const view = await getReadableDeadlines(context)
  const until = addDays(view.today, days)
  const rows = listOpen(view).filter((row) => row.date <= until && view.isVisible(row, { mayReadAffairs, person: null }))
  return { view, rows: rows.toSorted((a, b) => (a.date === b.date ? (a._id < b._id ? -1 : 1) : a.date < b.date ? -1 : 1)) }
}

/** The overdue deadlines that a channel may be told of. */
export const listOverdue = async (
  context: AppContext,
  reader: ChannelReader,
): Promise<{ readonly deadline: string; readonly date: string }[]> => {
  const { rows } = await listUntil(context, reader, -1)
  return rows.map(({ _id, date }) => ({ deadline: _id, date }))
}

/** What a channel is told of the week, or of these overdue deadlines; null if there is nothing to say. */
export const readDeadlineMessage = async (
  context: AppContext,
  reader: ChannelReader,
  overdue?: ReadonlySet<string>,
): Promise<DeadlineMessage | null> => {
  const { view, rows } = await listUntil(context, reader, overdue ? -1 : DIGEST_DAYS)
  const shown = overdue ? rows.filter(({ _id }) => overdue.has(_id)) : rows
  if (shown.length === 0) return null
  const deadlines = shown.map((row) => ({ deadline: view.toDeadline(row), isOwn: false, problem: null }))
  const options = { publicUrl: context.configuration.publicUrl, today: view.today }
  return overdue ? buildOverdueMessage(deadlines, options) : buildWeekMessage(deadlines, options)
}
