import { sql } from 'kysely'

import { pickFullName } from '../sample/names.ts'
import { createRandom } from '../sample/random.ts'
import type { Db } from '../src/database/connection.server.ts'
import type { Network } from '../test/support/large-network.ts'
import { signInAt } from '../test/support/sessions.ts'
import { runLoad } from './load.ts'

const EMPLOYEES = 100_000
const BATCH_SIZE = 5000
/** Two letters that start many names, two that start none, whole names, a number, an email address, and an unknown name. */
const SEARCHES = ['ma', 'qx', 'zs', 'smith', 'maria lopez', 'jose gar', 'ez', 'h0421', 'bench77@work', 'nobody atall', '%_', 'a r']

/** Fills Homeroom's own HR table up to 100,000 employees. */
const fillHr = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from hr_person`.execute(db)
  for (let from = rows[0]?.count ?? 0; from < EMPLOYEES; from += BATCH_SIZE) {
    const people = Array.from({ length: Math.min(BATCH_SIZE, EMPLOYEES - from) }, (_, at) => {
      const [first = '', ...last] = pickFullName(createRandom('bench hr', from + at)).split(' ')
      return { number: from + at, first, last: last.join(' ') }
    })
    await sql`insert into hr_person ("PersonID", "FirstName", "LastName", "Hris_EmailAddress", "EmailAddress", "Title", "Department", "Company", "Region")
      select 'H' || lpad(number::text, 6, '0'), first, last, 'bench' || number || '@hr.test', 'bench' || number || '@work.test',
        'Teacher', 'Instruction', 'Cedar', 'California'
      from jsonb_to_recordset(${JSON.stringify(people)}) as given(number int, first text, last text)`.execute(db)
  }
  await sql`analyze hr_person`.execute(db)
}

/** The search with the highest p99; each is sent sequentially, as one person types. */
export const measureHr = async (network: Network): Promise<{ readonly typed: string; readonly p99: number; readonly searches: number }> => {
  await fillHr(network.db)
  let slowest = { typed: '', p99: 0 }
  for (const typed of SEARCHES) {
    // Each search uses another user, since the rate of searches is limited per person.
    const { headers } = await signInAt(network, 6)
    const options = { url: network.url, path: `/api/sql/${encodeURIComponent(typed)}`, headers: { ...headers }, status: 200 }
    await runLoad(options, 0.5, 1)
    const { p99 } = await runLoad(options, 2, 1)
    if (p99 > slowest.p99) slowest = { typed, p99 }
  }
  return { ...slowest, searches: SEARCHES.length }
}
