import { sql } from 'kysely'

import { formatDay, MINUTE_MS, toIsoDay } from '../../contract/dates.ts'
import { Problem } from '../../contract/problem.ts'
import type { AppContext } from './app-context.ts'
import { ListCache } from './list-cache.ts'
import { RecordCache } from './record-cache.ts'
import { Semaphore } from './semaphore.ts'

/** Days that are kept: each takes the memory of the indexes of all records, and of the rows that have changed since. */
const MAX_DAYS = 3
const KEEP_MS = 10 * MINUTE_MS

const refuseDay = (message: string): Problem => new Problem(422, message, { errors: [{ path: 'on', message }] })

interface KeptDay {
  /** The last change before the end of the day, and the number of erasures: a later one makes it stale. */
  readonly lastChange: string
  readonly context: Promise<AppContext>
}

/** The context of requests for a past day: the records as they were when it ended. Refuses days that have not begun, or have no history. */
export const createAsOf = (present: AppContext): ((day: string) => Promise<AppContext>) => {
  const kept = new Map<string, KeptDay>()
  const builds = new Semaphore(1)
  const { db, readModel, configuration } = present

  const readPast = async (before: Date): Promise<AppContext> => {
    const past = await builds.run(() => readModel.before(before))
    return { ...present, readModel: past, lists: new ListCache(past), records: new RecordCache(past), before }
  }

  return async (day) => {
    const { timeZone } = configuration
    const today = toIsoDay(present.now(), timeZone)
    if (day > today) throw refuseDay('The day must not be in the future')
    if (day === today) return present
    const { rows } = await sql<{ ends: Date; first: Date | null; lastChange: string | null }>`
      select day.ends, (select min(at) from change) as first,
        (select concat_ws(' ', _id, (select count(*) from erasure), (select count(*) from erasure_pending))
          from change where at < day.ends order by at desc, _id desc limit 1) as "lastChange"
      from (select (${day}::date + 1)::timestamp at time zone ${timeZone} as ends) as day`.execute(db)
    const [{ ends, first, lastChange } = { ends: new Date(), first: null, lastChange: null }] = rows
    if (lastChange === null) {
      const begin = first ? `The history begins on ${formatDay(toIsoDay(first, timeZone))}` : 'There is no history yet'
      throw refuseDay(begin)
    }
    const known = kept.get(day)
    kept.delete(day)
    const now = known?.lastChange === lastChange ? known : { lastChange, context: readPast(ends) }
    kept.set(day, now)
    const forget = (): void => {
      if (kept.get(day) === now) kept.delete(day)
    }
    if (now !== known) setTimeout(forget, KEEP_MS).unref()
    now.context.catch(forget)
    for (const oldest of kept.keys()) if (kept.size > MAX_DAYS) kept.delete(oldest)
    return now.context
  }
}
