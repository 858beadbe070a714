import { sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import { COLUMNS, type Sought } from './employees.ts'

const EMPLOYEE = sql.join(COLUMNS.map((column) => sql.ref(column)))

/** Every word is there; `after` says what stands before it: a blank where it has to begin a word. */
const hasAll = ({ words }: Sought, after: '% ' | '%') =>
  sql.join(
    words.map(
      (word) => sql`${sql.ref(word.includes('@') ? 'plain_addresses' : 'plain_words')} like ${after} || hr_pattern(${word}) || '%'`,
    ),
    sql` and `,
  )

/**
 * Employees of our own table (D24), who are still in the file it was filled from. Those in whom every word begins one of theirs fill most
 * searches, and an index finds them; only where they are few are the words looked for inside others.
 */
export const ownEmployees = async (db: Queryable, sought: Sought): Promise<unknown[]> => {
  const there = sql`"goneAt" is null ${sought.withEmails ? sql`and "EmailAddress" is not null and "Hris_EmailAddress" is not null` : sql``}`
  const { rows } = await sql`
    with best as materialized (
      select ${EMPLOYEE}, plain_name, case when plain_name like hr_pattern(${sought.begins}) || '%' then 0 else 1 end as place
      from hr_person where ${there} and ${hasAll(sought, '% ')}
      order by place, plain_name collate "C", "PersonID" limit ${sought.most}
    ), others as (
      select ${EMPLOYEE}, plain_name, 2 as place
      from hr_person where (select count(*) from best) < ${sought.most}
        and ${there} and ${hasAll(sought, '%')} and not (${hasAll(sought, '% ')})
      order by plain_name collate "C", "PersonID" limit ${sought.most}
    )
    select ${EMPLOYEE} from (select * from best union all select * from others) as found
    order by place, plain_name collate "C", "PersonID" limit ${sought.most}`.execute(db)
  return rows
}
