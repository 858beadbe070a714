import { sql } from 'kysely'

import { isEmail } from '../../contract/emails.ts'
import { Problem } from '../../contract/problem.ts'
import { tryLock, type Tx } from '../../database/connection.server.ts'
import { LOCKS } from '../../database/locks.ts'
import { listAddresses } from '../../features/access/session/queries.server.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { listLeftAddresses } from '../../features/deadlines/reminders/queries.server.ts'
import { MORNING_HOUR, toLocalTime } from '../../features/deadlines/reminders/rules.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import type { NewMail } from '../../platform/server/mail/store.ts'
import type { Insight, InsightQuery, KeptInsight } from './contract.ts'
import { listKept } from './kept.server.ts'
import { readInsightOf } from './queries.server.ts'

/** An insight that someone chose for their mail, with the filters it was chosen with. */
interface MailedInsight {
  readonly insight: Insight
  readonly filter: InsightQuery
}

export type BuildMonthlyMail = (
  insights: readonly MailedInsight[],
  options: { readonly recipient: string; readonly publicUrl: string; readonly today: string },
) => Promise<NewMail>

/** After the first days of a month, in which no server ran, no mail is sent for it. */
const LAST_DAY = 7

/** The first day of the month whose mails are due; null at other times. */
const getDueMonth = ({ now, configuration }: AppContext): string | null => {
  const { day, hour } = toLocalTime(now(), configuration.timeZone)
  const date = Number(day.slice(8))
  return date <= LAST_DAY && (date > 1 || hour >= MORNING_HOUR) ? `${day.slice(0, 8)}01` : null
}

/** Accounts that chose insights before the month began and have not got its mail. */
const listDueAccounts = async (tx: Tx, { configuration }: AppContext, month: string): Promise<string[]> => {
  const { rows } = await sql<{ account: string }>`
    select distinct account from kept_insight as kept
    where place = 'mail' and "createdAt" < ${month}::date::timestamp at time zone ${configuration.timeZone}
      and not exists (select from insight_mail as sent where sent.account = kept.account and sent.month = ${month}::date)
    order by account`.execute(tx)
  return rows.map(({ account }) => account)
}

/** The insights until the end of the month before; without those that cannot be read any more, such as of a region that was archived. */
const readKeptInsights = async (
  context: AppContext,
  level: number,
  kept: readonly KeptInsight[],
  month: string,
): Promise<MailedInsight[]> => {
  const found: MailedInsight[] = []
  for (const { place, name, filter } of kept) {
    if (place !== 'mail') continue
    try {
      found.push({ insight: await readInsightOf(context, level, name, { to: addDays(month, -1), ...filter }), filter })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  return found
}

/**
 * Sends the monthly mails that are due, one for each account. Servers take turns; that a mail was sent is stored in the same transaction. Returns the
 * number of mails.
 */
export const sendMonthlyMails = async (context: AppContext, build: BuildMonthlyMail): Promise<number> => {
  const month = getDueMonth(context)
  if (month === null) return 0
  const { configuration, db, readModel } = context
  const count = await db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx, LOCKS.insights))) return 0
    const accounts = await listDueAccounts(tx, context, month)
    if (accounts.length === 0) return 0
    const left = await listLeftAddresses(readModel)
    const readers = new Map((await listAddresses(tx, configuration)).map((one) => [one.account, one]))
    let sent = 0
    for (const account of accounts) {
      const reader = readers.get(account)
      const isReachable = reader !== undefined && isEmail(reader.address) && !left.has(reader.address.toLowerCase())
      const insights = isReachable ? await readKeptInsights(context, reader.level, await listKept(tx, account), month) : []
      const content = reader && insights.length > 0 ? { recipient: reader.address, publicUrl: configuration.publicUrl, today: month } : null
      const mail = content && (await context.mail.enqueue(tx, await build(insights, content)))
      await tx.insertInto('insight_mail').values({ account, month, mail, at: context.now() }).execute()
      if (mail !== null) sent++
    }
    return sent
  })
  if (count > 0) context.mail.wake()
  return count
}
