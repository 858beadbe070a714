import { sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { write } from '../../../database/saving.server.ts'
import { newSlug } from '../../../database/slugs.server.ts'
import { type FieldError, Problem } from '../../../platform/contract/problem.ts'
import type { NewPerson, PersonChange } from './contract.ts'
import { WrittenPerson } from './contract.ts'

type Unique = 'email' | 'sql_person_id'
const WORDS: Record<Unique, string> = { email: 'email address', sql_person_id: 'HR number' }

/** The title of every duplicate person says so (D4, section 8). */
const duplicate = (errors: readonly FieldError[]): Problem =>
  new Problem(409, 'Duplicate person', { detail: `${errors.map(({ message }) => message).join('. ')}.`, errors: [...errors] })
const isOf = (whose: string, path: Unique): FieldError => ({ path, message: `${whose} already has this ${WORDS[path]}` })

/** Refuses an address, whatever its case, or an HR number that somebody else has. `_id` is of whoever is edited. */
const refuseDuplicates = async (tx: Tx, _id: string | null, { email = null, sql_person_id = null }: PersonChange): Promise<void> => {
  const { rows } = await sql<{ name: string } & Record<Unique, boolean>>`
    select name, coalesce(lower(email) = lower(${email}), false) as email, coalesce(sql_person_id = ${sql_person_id}, false) as sql_person_id
    from person where _id is distinct from ${_id}::text and (lower(email) = lower(${email}) or sql_person_id = ${sql_person_id})`.execute(
    tx,
  )
  const errors = (['email', 'sql_person_id'] as const).flatMap((path) => {
    const other = rows.find((row) => row[path])
    return other ? [isOf(other.name, path)] : []
  })
  if (errors.length > 0) throw duplicate(errors)
}

/** The indexes that keep addresses, whatever their case, and HR numbers each to one person. */
const INDEXES: Readonly<Record<string, Unique>> = { person_email: 'email', person_sql_person_id: 'sql_person_id' }
/** Somebody else took the address or the number in the same moment. */
const toldOfDuplicate = (error: unknown): never => {
  const path = error instanceof Error && 'constraint' in error ? INDEXES[String(error.constraint)] : undefined
  throw path ? duplicate([isOf('Someone else', path)]) : error
}

/** Somebody as they are written: what an edit is compared with (D33). */
export const storedPerson = (tx: Tx, _id: string) =>
  tx.selectFrom('person').select(WrittenPerson.keyof().options).where('_id', '=', _id).executeTakeFirstOrThrow()

/** Writes what was changed of a claimed person. */
export const savePerson = async (tx: Tx, _id: string, changed: PersonChange): Promise<void> => {
  await refuseDuplicates(tx, _id, changed)
  await write(tx, 'person', _id, changed).catch(toldOfDuplicate)
}

/** Adds somebody to the application (D52); gives their `_id`. */
export const addPerson = async (tx: Tx, person: NewPerson): Promise<string> => {
  // Whoever else adds somebody waits here, so that of two at once the second is told whose address it is.
  const slug = await newSlug(tx, 'person', person.name)
  await refuseDuplicates(tx, null, person)
  const { _id } = await tx
    .insertInto('person')
    .values({ ...person, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
    .catch(toldOfDuplicate)
  return _id
}
