import { sql } from 'kysely'

import { type FieldError, Problem } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { createSlug } from '../../../database/slugs.server.ts'
import { updateRecord } from '../../../database/update-record.server.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'
import type { NewPerson, PersonChange } from './contract.ts'
import { PersonInput } from './contract.ts'

type UniqueField = 'email' | 'sql_person_id'
const FIELD_WORDS: Record<UniqueField, string> = { email: 'email address', sql_person_id: 'HR number' }

/** The title of the error contains 'Duplicate', which is a fixed text. */
const buildDuplicateError = (errors: readonly FieldError[]): Problem =>
  new Problem(409, 'Duplicate person', { detail: `${errors.map(({ message }) => message).join('. ')}.`, errors: [...errors] })
const buildFieldError = (whose: string, path: UniqueField): FieldError => ({
  path,
  message: `${whose} already has this ${FIELD_WORDS[path]}`,
})

/** Throws if another person has the email address, ignoring case, or the HR number. `_id` is of the edited person. */
const assertNoDuplicates = async (tx: Tx, _id: string | null, { email = null, sql_person_id = null }: PersonChange): Promise<void> => {
  const { rows } = await sql<{ name: string } & Record<UniqueField, boolean>>`
    select name, coalesce(lower(email) = lower(${email}), false) as email, coalesce(sql_person_id = ${sql_person_id}, false) as sql_person_id
    from person where _id is distinct from ${_id}::text and (lower(email) = lower(${email}) or sql_person_id = ${sql_person_id})`.execute(
    tx,
  )
  const errors = (['email', 'sql_person_id'] as const).flatMap((path) => {
    const other = rows.find((row) => row[path])
    return other ? [buildFieldError(other.name, path)] : []
  })
  if (errors.length > 0) throw buildDuplicateError(errors)
}

/** The unique indexes of email addresses, ignoring case, and HR numbers. */
const UNIQUE_INDEXES: Readonly<Record<string, UniqueField>> = { person_email: 'email', person_sql_person_id: 'sql_person_id' }
/** Turns a violation of a unique index, by a concurrent save, into the duplicate error. */
const rethrowDuplicate = (error: unknown): never => {
  const path = error instanceof Error && 'constraint' in error ? UNIQUE_INDEXES[String(error.constraint)] : undefined
  throw path ? buildDuplicateError([buildFieldError('Someone else', path)]) : error
}

const FIELDS = PersonInput.keyof().options
/** The stored values of the editable fields. */
export const toStoredPerson = (row: ModelRow<'person'>): PersonChange => Object.fromEntries(FIELDS.map((field) => [field, row[field]]))

/** The columns of a change that nobody else's can contradict: email addresses and HR numbers are unique. */
export const toPersonColumns = (changed: PersonChange): PersonChange | undefined =>
  changed.email === undefined && changed.sql_person_id === undefined ? changed : undefined

/** Updates a locked person. */
export const savePerson = async (tx: Tx, _id: string, changed: PersonChange): Promise<void> => {
  await assertNoDuplicates(tx, _id, changed)
  await updateRecord(tx, 'person', _id, changed).catch(rethrowDuplicate)
}

/** Inserts a person; returns their `_id`. */
export const insertPerson = async (tx: Tx, person: NewPerson): Promise<string> => {
  // The slug takes a lock, so that of two concurrent requests the second finds the first one's email address.
  const slug = await createSlug(tx, 'person', person.name)
  await assertNoDuplicates(tx, null, person)
  const { _id } = await tx
    .insertInto('person')
    .values({ ...person, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
    .catch(rethrowDuplicate)
  return _id
}
