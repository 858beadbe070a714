import { type RawBuilder, sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import { EMPLOYEE_COLUMNS, escapeLike, type EmployeeSearch } from './employees.ts'

const SELECTED_COLUMNS = sql.join(EMPLOYEE_COLUMNS.map((column) => sql.ref(column)))

/** Limits the candidates for less exact matches; with more matches than this, people type more. */
const MAX_CANDIDATES = 1000

interface SearchWord {
  /** Lower case, no accents. */
  readonly plain: string
  /** Letter pairs of the word inside another word. Single letters are not searched inside words. */
  readonly inside: readonly string[]
  /** Letter pairs of the word at the beginning of another word. */
  readonly beginning: readonly string[]
}

/** Normalizes the words before the search itself, so that the query planner knows how rare each word is. */
const normalizeWords = async (db: Queryable, { words, namePrefix: begins }: EmployeeSearch) => {
  const { rows } = await sql<SearchWord>`
    select plain, hr_letter_pairs(split_part(plain, '@', 1)) as inside, hr_letter_pairs(' ' || split_part(plain, '@', 1)) as beginning
    from unnest(${[begins, ...words]}::text[]) with ordinality as typed(word, ordinal), hr_normalize(word) as plain order by ordinal`.execute(
    db,
  )
  const [whole, ...each] = rows
  return { name: whole?.plain ?? '', each: each.filter(({ plain }) => plain !== '') }
}

const toPrefixPattern = (plain: string): string => `${escapeLike(plain, /[\\%_]/g)}%`

/** Matches if every word occurs at the beginning of one of the employee's words, or inside one; single letters only at the beginning. */
const matchesAllWords = (each: readonly SearchWord[], where: 'inside' | 'beginning'): RawBuilder<unknown> => {
  const begins = ({ plain }: SearchWord): boolean => where === 'beginning' || plain.length === 1
  const pairs = new Set(each.flatMap((word) => (begins(word) ? word.beginning : word.inside)))
  const likes = each.map(
    (word) =>
      sql`${sql.ref(word.plain.includes('@') ? 'normalized_addresses' : 'normalized_words')} like ${`${begins(word) ? '% ' : '%'}${toPrefixPattern(word.plain)}`}`,
  )
  return sql`letter_pairs @> ${[...pairs]}::text[] and ${sql.join(likes, sql` and `)}`
}

/**
 * Searches the employees of our own table who are in the latest imported file: first those whose name begins with the search text, then those with
 * words that begin with every word of it, then those that contain them. Each step runs only if the previous ones found too few.
 */
export const searchOwnTable = async (db: Queryable, search: EmployeeSearch): Promise<unknown[]> => {
  const { name, each } = await normalizeWords(db, search)
  if (each.length === 0) return []
  const { limit: most } = search
  const isActive = sql`"goneAt" is null ${search.withEmails ? sql`and "EmailAddress" is not null and "Hris_EmailAddress" is not null` : sql``}`
  const nameMatches = sql`normalized_name collate "C" like ${toPrefixPattern(name)}`
  const inOrder = sql`order by normalized_name collate "C", "PersonID" limit ${most}`
  const selectMatches = (rank: number, previous: string, condition: RawBuilder<unknown>) => sql`
    select * from (
      select ${SELECTED_COLUMNS}, normalized_name, ${sql.lit(rank)} as rank from hr_person
      where (select count(*) from ${sql.raw(previous)}) < ${most} and ${isActive} and ${condition} limit ${MAX_CANDIDATES}
    ) as candidates ${inOrder}`
  const { rows } = await sql`
    with name_matches as materialized (select ${SELECTED_COLUMNS}, normalized_name, 0 as rank from hr_person where ${isActive} and ${nameMatches} ${inOrder}),
    prefix_matches as materialized (select * from name_matches union all (${selectMatches(1, 'name_matches', sql`${matchesAllWords(each, 'beginning')} and not (${nameMatches})`)})),
    all_matches as (select * from prefix_matches union all (${selectMatches(2, 'prefix_matches', sql`${matchesAllWords(each, 'inside')} and not (${matchesAllWords(each, 'beginning')}) and not (${nameMatches})`)}))
    select ${SELECTED_COLUMNS} from all_matches order by rank, normalized_name collate "C", "PersonID" limit ${most}`.execute(db)
  return rows
}
