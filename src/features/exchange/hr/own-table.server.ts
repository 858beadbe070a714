import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { COLUMNS, literally, type Sought } from './employees.ts'

const EMPLOYEE = sql.join(COLUMNS.map((column) => sql.ref(column)))

/** Of those who are found in a lesser way no more are looked at; among so many, somebody types on. */
const MOST_LOOKED_AT = 1000

interface Word {
  /** Lower case, no accents. */
  readonly plain: string
  /** It may stand inside a word; what is not a single letter may. */
  readonly inside: readonly string[]
  /** It begins a word. */
  readonly beginning: readonly string[]
}

/** What was typed as the table has it, before the search itself: its plan then knows how rare each word is. */
const plainWords = async (db: Queryable, { words, begins }: Sought) => {
  const { rows } = await sql<Word>`
    select plain, hr_pairs(split_part(plain, '@', 1)) as inside, hr_pairs(' ' || split_part(plain, '@', 1)) as beginning
    from unnest(${[begins, ...words]}::text[]) with ordinality as typed(word, place), hr_plain(word) as plain order by place`.execute(db)
  const [whole, ...each] = rows
  return { name: whole?.plain ?? '', each: each.filter(({ plain }) => plain !== '') }
}

const pattern = (plain: string): string => `${literally(plain, /[\\%_]/g)}%`

/** Every word begins one of theirs, or stands inside one; a single letter always begins one. */
const hasAll = (each: readonly Word[], where: 'inside' | 'beginning'): RawBuilder<unknown> => {
  const begins = ({ plain }: Word): boolean => where === 'beginning' || plain.length === 1
  const pairs = new Set(each.flatMap((word) => (begins(word) ? word.beginning : word.inside)))
  const likes = each.map(
    (word) =>
      sql`${sql.ref(word.plain.includes('@') ? 'plain_addresses' : 'plain_words')} like ${`${begins(word) ? '% ' : '%'}${pattern(word.plain)}`}`,
  )
  return sql`plain_pairs @> ${[...pairs]}::text[] and ${sql.join(likes, sql` and `)}`
}

/**
 * Employees of our own table (D24), who are still in the file it was filled from: whose name begins with what was typed, then those of whose
 * words every one typed begins one, then those who have them inside. Each way is tried where the ones before found too few.
 */
export const ownEmployees = async (db: Queryable, sought: Sought): Promise<unknown[]> => {
  const { name, each } = await plainWords(db, sought)
  if (each.length === 0) return []
  const { most } = sought
  const there = sql`"goneAt" is null ${sought.withEmails ? sql`and "EmailAddress" is not null and "Hris_EmailAddress" is not null` : sql``}`
  const named = sql`plain_name collate "C" like ${pattern(name)}`
  const inOrder = sql`order by plain_name collate "C", "PersonID" limit ${most}`
  const lesser = (place: number, before: string, how: RawBuilder<unknown>) => sql`
    select * from (
      select ${EMPLOYEE}, plain_name, ${sql.lit(place)} as place from hr_person
      where (select count(*) from ${sql.raw(before)}) < ${most} and ${there} and ${how} limit ${MOST_LOOKED_AT}
    ) as looked_at ${inOrder}`
  const { rows } = await sql`
    with named as materialized (select ${EMPLOYEE}, plain_name, 0 as place from hr_person where ${there} and ${named} ${inOrder}),
    begun as materialized (select * from named union all (${lesser(1, 'named', sql`${hasAll(each, 'beginning')} and not (${named})`)})),
    whole as (select * from begun union all (${lesser(2, 'begun', sql`${hasAll(each, 'inside')} and not (${hasAll(each, 'beginning')}) and not (${named})`)}))
    select ${EMPLOYEE} from whole order by place, plain_name collate "C", "PersonID" limit ${most}`.execute(db)
  return rows
}
