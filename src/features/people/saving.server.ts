import { sql } from 'kysely'

import type { Tx } from '../../database/connection.server.ts'
import { write } from '../../database/saving.server.ts'
import { Problem } from '../../platform/contract/problem.ts'
import type { PersonChange } from './contract.ts'
import { WrittenPerson } from './contract.ts'

/** Somebody as they are written: what an edit is compared with (D33). */
export const storedPerson = (tx: Tx, _id: string) =>
  tx.selectFrom('person').select(WrittenPerson.keyof().options).where('_id', '=', _id).executeTakeFirstOrThrow()

/** Whose an address or an HR number is already: 409, with the title the old program's pages look for (D4, section 8). */
const refuseDuplicates = async (tx: Tx, _id: string, { email, sql_person_id }: PersonChange): Promise<void> => {
  const { rows } = await sql<{ name: string; isAddress: boolean; isNumber: boolean }>`
    select name, coalesce(lower(email) = lower(${email ?? null}), false) as "isAddress",
      coalesce(sql_person_id = ${sql_person_id ?? null}, false) as "isNumber"
    from person where _id <> ${_id} and (lower(email) = lower(${email ?? null}) or sql_person_id = ${sql_person_id ?? null})`.execute(tx)
  const errors = rows.flatMap(({ name, isAddress, isNumber }) => [
    ...(isAddress ? [{ path: 'email', message: `This is ${name}’s address` }] : []),
    ...(isNumber ? [{ path: 'sql_person_id', message: `This is ${name}’s HR number` }] : []),
  ])
  if (errors.length > 0) throw new Problem(409, 'Duplicate person', { detail: errors.map(({ message }) => message).join('. '), errors })
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'

/** Writes what was changed of a claimed person. Of two who take one address at the same moment, the later one is told as well. */
export const savePerson = async (tx: Tx, _id: string, changed: PersonChange): Promise<void> => {
  await refuseDuplicates(tx, _id, changed)
  await write(tx, 'person', _id, changed).catch((error: unknown) => {
    throw isTaken(error) ? new Problem(409, 'Duplicate person', { detail: 'Somebody else has just got this address or HR number.' }) : error
  })
}
