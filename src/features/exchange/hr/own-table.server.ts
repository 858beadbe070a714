import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { COLUMNS, escapeLike, type EmployeeSearch } from './employees.ts'

const EMPLOYEE_COLUMNS = sql.join(COLUMNS.map((column) => sql.ref(column)))

/** Of those who are found in a lesser way no more are looked at; among so many, somebody types on. */
const MAX_CANDIDATES = 1000

interface SearchWord {
  /** Lower case, no accents. */
  readonly plain: string
  /** It may stand inside a word; what is not a single letter may. */
  readonly inside: readonly string[]
  /** It begins a word. */
  readonly beginning: readonly string[]
}

/** What was typed as the table has it, before the search itself: its plan then knows how rare each word is. */
const normalizeWords = async (db: Queryable, { words, namePrefix: begins }: EmployeeSearch) => {
  const { rows } = await sql<SearchWord>`
    select plain, hr_pairs(split_part(plain, '@', 1)) as inside, hr_pairs(' ' || split_part(plain, '@', 1)) as beginning
    from unnest(${[begins, ...words]}::text[]) with ordinality as typed(word, place), hr_plain(word) as plain order by place`.execute(db)
  const [whole, ...each] = rows
  return { name: whole?.plain ?? '', each: each.filter(({ plain }) => plain !== '') }
}

const toPrefixPattern = (plain: string): string => `${escapeLike(plain, /[\\%_]/g)}%`

/** Every word begins one of theirs, or stands inside one; a single letter always begins one. */
const matchesAllWords = (each: readonly SearchWord[], where: 'inside' | 'beginning'): RawBuilder<unknown> => {
  const begins = ({ plain }: SearchWord): boolean => where === 'beginning' || plain.length === 1
  const pairs = new Set(each.flatMap((word) => (begins(word) ? word.beginning : word.inside)))
  const likes = each.map(
    (word) =>
      sql`${sql.ref(word.plain.includes('@') ? 'plain_addresses' : 'plain_words')} like ${`${begins(word) ? '% ' : '%'}${toPrefixPattern(word.plain)}`}`,
  )
  return sql`plain_pairs @> ${[...pairs]}::text[] and ${sql.join(likes, sql` and `)}`
}

/**
 * Employees of our own table (D24), who are still in the file it was filled from: whose name begins with what was typed, then those of whose
 * words every one typed begins one, then those who have them inside. Each way is tried where the ones before found too few.
 */
export const searchOwnTable = async (db: Queryable, sought: EmployeeSearch): Promise<unknown[]> => {
  const { name, each } = await normalizeWords(db, sought)
  if (each.length === 0) return []
  const { limit: most } = sought
  const there = sql`"goneAt" is null ${sought.withEmails ? sql`and "EmailAddress" is not null and "Hris_EmailAddress" is not null` : sql``}`
  const named = sql`plain_name collate "C" like ${toPrefixPattern(name)}`
  const inOrder = sql`order by plain_name collate "C", "PersonID" limit ${most}`
  const lesser = (place: number, before: string, how: RawBuilder<unknown>) => sql`
    select * from (
      select ${EMPLOYEE_COLUMNS}, plain_name, ${sql.lit(place)} as place from hr_person
      where (select count(*) from ${sql.raw(before)}) < ${most} and ${there} and ${how} limit ${MAX_CANDIDATES}
    ) as looked_at ${inOrder}`
  const { rows } = await sql`
    with named as materialized (select ${EMPLOYEE_COLUMNS}, plain_name, 0 as place from hr_person where ${there} and ${named} ${inOrder}),
    begun as materialized (select * from named union all (${lesser(1, 'named', sql`${matchesAllWords(each, 'beginning')} and not (${named})`)})),
    whole as (select * from begun union all (${lesser(2, 'begun', sql`${matchesAllWords(each, 'inside')} and not (${matchesAllWords(each, 'beginning')}) and not (${named})`)}))
    select ${EMPLOYEE_COLUMNS} from whole order by place, plain_name collate "C", "PersonID" limit ${most}`.execute(db)
  return rows
}
