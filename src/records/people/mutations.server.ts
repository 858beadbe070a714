import { sql } from 'kysely'

import type { Tx } from '../../database/connection.server.ts'
import { createSlug } from '../../database/slugs.server.ts'
import { assertUnique, rethrowDuplicate, type UniqueField } from '../../database/unique-fields.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { NewPerson, PersonChange } from './contract.ts'
import { PersonInput } from './contract.ts'

/** The title of the error contains 'Duplicate', which is a fixed text. */
const defineUnique = (path: string, constraint: string, what: string, fold: UniqueField['fold'] = (value) => value): UniqueField => ({
  path,
  table: 'person',
  constraint,
  fold,
  title: 'Duplicate person',
  formatError: (owner) => `${owner} already has this ${what}`,
})

/** Email addresses, ignoring case, and HR numbers. */
export const UNIQUE_PERSON_FIELDS: readonly UniqueField[] = [
  defineUnique('email', 'person_email', 'email address', (value) => sql`lower(${value})`),
  defineUnique('sql_person_id', 'person_sql_person_id', 'HR number'),
]
const rethrow = (error: unknown): never => rethrowDuplicate(UNIQUE_PERSON_FIELDS, error)

const FIELDS = PersonInput.keyof().options
/** The stored values of the editable fields. */
export const toStoredPerson = (row: ModelRow<'person'>): PersonChange => Object.fromEntries(FIELDS.map((field) => [field, row[field]]))

/** Updates a locked person. */
export const savePerson = async (tx: Tx, _id: string, changed: PersonChange): Promise<void> => {
  await assertUnique(tx, UNIQUE_PERSON_FIELDS, { key: _id, name: '', values: changed })
  await updateRecord(tx, 'person', _id, changed).catch(rethrow)
}

/** Inserts a person; returns their `_id`. */
export const insertPerson = async (tx: Tx, person: NewPerson): Promise<string> => {
  // The slug takes a lock, so that the second of two concurrent requests finds the email address of the first.
  const slug = await createSlug(tx, 'person', person.name)
  await assertUnique(tx, UNIQUE_PERSON_FIELDS, { key: '', name: '', values: person })
  const { _id } = await tx
    .insertInto('person')
    .values({ ...person, slug })
    .returning('_id')
    .executeTakeFirstOrThrow()
    .catch(rethrow)
  return _id
}
