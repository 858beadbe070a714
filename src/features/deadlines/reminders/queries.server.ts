import { sql } from 'kysely'

import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { listAddresses } from '../../access/session/queries.server.ts'
import type { ReminderPreferences } from './contract.ts'

export { listOverdue, readDeadlineMessage } from './channel-deadlines.server.ts'

const EVERYTHING: ReminderPreferences = { reminders: true, digest: true, checks: true }

export const readPreferences = async (db: Queryable, account: string): Promise<ReminderPreferences> =>
  (await db
    .selectFrom('reminder_preference')
    .select(['reminders', 'digest', 'checks'])
    .where('account', '=', account)
    .executeTakeFirst()) ?? EVERYTHING

/** What is known about an email address: the level it can read at, and its owner's preferences. */
export interface Recipient extends ReminderPreferences {
  readonly address: string
  readonly level: number
}

/** Recipients by lower-case address. An address without an account can only read what everyone can. */
export class Recipients {
  readonly #known: ReadonlyMap<string, Recipient>

  constructor(known: readonly Recipient[]) {
    this.#known = new Map(known.map((one) => [one.address.toLowerCase(), one]))
  }

  find(address: string): Recipient {
    return this.#known.get(address.toLowerCase()) ?? { address, level: BROWSE_LEVEL, ...EVERYTHING }
  }

  all(): readonly Recipient[] {
    return [...this.#known.values()]
  }
}

export const readRecipients = async (db: Queryable, configuration: Configuration): Promise<Recipients> => {
  const rows = await db.selectFrom('reminder_preference').selectAll().execute()
  const preferences = new Map(rows.map(({ account, reminders, digest, checks }) => [account, { reminders, digest, checks }]))
  const addresses = await listAddresses(db, configuration)
  return new Recipients(
    addresses.map(({ address, account, level }) => ({ address, level, ...(preferences.get(account ?? '') ?? EVERYTHING) })),
  )
}

/** The addresses of people who left, except those that someone else has now. */
export const listLeftAddresses = async (model: ReadModel): Promise<ReadonlySet<string>> => {
  const rest = createTimeSlices()
  const [here, left] = [new Set<string>(), new Set<string>()]
  for (const { email, leftAt } of model.table('person').all()) {
    if (email !== null) (leftAt === null ? here : left).add(email.toLowerCase())
    await rest()
  }
  return left.difference(here)
}

/** The last run of any server. */
export interface LastRun {
  readonly at: Date
  /** The Monday of the last digests. */
  readonly digest: string | null
}

export const readLastRun = (tx: Tx): Promise<LastRun | undefined> =>
  tx.selectFrom('deadline_round').select(['at', 'digest']).executeTakeFirst()

/** A deadline, its date, and the day of its reminder. */
export interface DueReminder {
  readonly deadline: string
  readonly date: string
  readonly day: string
}

/** Reminders that are later than the last one for the same deadline and date. */
export const findUnsent = async <T extends DueReminder>(tx: Tx, due: readonly T[]): Promise<T[]> => {
  if (due.length === 0) return []
  const { rows } = await sql<DueReminder>`
    select deadline, date, max(day) as day from deadline_reminder where deadline = any(${due.map(({ deadline }) => deadline)}::text[])
    group by deadline, date`.execute(tx)
  const last = new Map(rows.map(({ deadline, date, day }) => [`${deadline} ${date}`, day]))
  return due.filter(({ deadline, date, day }) => day > (last.get(`${deadline} ${date}`) ?? ''))
}
