import { sql } from 'kysely'

import type { BodyOf } from '../../../contract/call.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { ReminderPreferences, saveReminderPreferences } from './contract.ts'
import type { DueReminder } from './queries.server.ts'

export const savePreferences = async (
  db: Queryable,
  account: string,
  { checks, ...others }: BodyOf<typeof saveReminderPreferences>,
): Promise<ReminderPreferences> => {
  const preferences = { ...others, ...(checks === undefined ? {} : { checks }) }
  return db
    .insertInto('reminder_preference')
    .values({ account, ...preferences })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(preferences))
    .returning(['reminders', 'digest', 'checks'])
    .executeTakeFirstOrThrow()
}

/** If the clock was set back, the time of the run is not set back. */
export const saveRun = async (tx: Tx, at: Date, digest: string | null): Promise<void> => {
  await sql`
    insert into deadline_round (at, digest) values (${at}, ${digest})
    on conflict ("isOnly") do update
    set at = greatest(deadline_round.at, excluded.at), digest = coalesce(excluded.digest, deadline_round.digest)`.execute(tx)
}

/** Stores what was sent to an address; without an email if the recipient does not want any. A duplicate fails, together with its email. */
export const insertReminders = async (
  tx: Tx,
  due: readonly DueReminder[],
  { recipient, mail, at }: { readonly recipient: string; readonly mail: string | null; readonly at: Date },
): Promise<void> => {
  if (due.length === 0) return
  const list = (name: keyof DueReminder): string[] => due.map((one) => one[name])
  await sql`
    insert into deadline_reminder (deadline, date, day, recipient, mail, at)
    select deadline, date, day, ${recipient}, ${mail}::uuid, ${at}::timestamptz
    from unnest(${list('deadline')}::text[], ${list('date')}::date[], ${list('day')}::date[]) as due (deadline, date, day)`.execute(tx)
}
