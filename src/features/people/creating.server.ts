import { sql } from 'kysely'

import type { Tx } from '../../database/connection.server.ts'
import { newSlug } from '../../database/slugs.server.ts'
import { Problem } from '../../platform/contract/problem.ts'
import type { NewPerson } from './contract.ts'

type Unique = 'email' | 'sql_person_id'
const WORDS: Record<Unique, string> = { email: 'address', sql_person_id: 'HR number' }

/** D4: the title of every duplicate person says so. */
const duplicate = (path: Unique, whose: string): Problem =>
  new Problem(409, 'Duplicate person', { errors: [{ path, message: `${whose} has this ${WORDS[path]} already` }] })

/** The indexes that keep addresses, whatever their case, and HR numbers each to one person. */
const INDEXES: Record<string, Unique> = { person_email: 'email', person_sql_person_id: 'sql_person_id' }
const brokenIndex = (error: unknown): Unique | undefined =>
  error instanceof Error && 'constraint' in error ? INDEXES[String(error.constraint)] : undefined

/** Adds somebody to the application (D52); gives their `_id`. */
export const addPerson = async (tx: Tx, person: NewPerson): Promise<string> => {
  // Whoever else adds somebody waits here, so that of two at once the second is told whose address it is.
  const slug = await newSlug(tx, 'person', person.name)
  const { rows } = await sql<{ name: string; path: Unique }>`
    select name, case when lower(email) = lower(${person.email}) then 'email' else 'sql_person_id' end as path from person
    where lower(email) = lower(${person.email}) or sql_person_id = ${person.sql_person_id} order by path limit 1`.execute(tx)
  const [other] = rows
  if (other) throw duplicate(other.path, other.name)
  try {
    const { _id } = await tx
      .insertInto('person')
      .values({ ...person, slug })
      .returning('_id')
      .executeTakeFirstOrThrow()
    return _id
  } catch (error) {
    // An edit of somebody who is there took the address in the same moment.
    const path = brokenIndex(error)
    if (path) throw duplicate(path, 'Somebody else')
    throw error
  }
}
