import { sql } from 'kysely'

import { Problem } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import { assertReferences } from '../../database/record-lookup.server.ts'
import { isSlugTaken, saveFormerSlug } from '../../database/slugs.server.ts'
import { assertUnique, type UniqueField } from '../../database/unique-fields.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { CharterChange, NewCharter } from './contract.ts'
import { CharterInput } from './contract.ts'
import { DUPLICATE_NAME } from './fields.ts'

const FIELDS = CharterInput.keyof().options

/** The stored values of the editable fields. */
export const toStoredCharter = (row: ModelRow<'charter'>) =>
  Object.fromEntries(FIELDS.map((field) => [field, row[field]])) as Pick<ModelRow<'charter'>, (typeof FIELDS)[number]>

const buildConflict = (path: string, message: string): Problem => new Problem(409, message, { errors: [{ path, message }] })

const SLUG_IN_USE = 'This slug is already in use'

/** Names are unique, ignoring case and outer spaces; imports may bring in duplicates. */
export const UNIQUE_CHARTER_FIELDS: readonly UniqueField[] = [
  {
    path: 'name',
    table: 'charter',
    fold: (value) => sql`lower(btrim(${value}))`,
    title: DUPLICATE_NAME,
    formatError: () => DUPLICATE_NAME,
  },
  {
    path: 'slug',
    table: 'charter',
    constraint: 'charter_slug',
    fold: (value) => sql`lower(${value})`,
    title: SLUG_IN_USE,
    formatError: () => SLUG_IN_USE,
  },
]

/** The lock keeps other transactions from taking the name until this one ends. */
const assertNameIsFree = async (tx: Tx, name: string, own: string | null): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('homeroom charter name'))`.execute(tx)
  await assertUnique(tx, UNIQUE_CHARTER_FIELDS, { key: own ?? '', name, values: { name } })
}

/** Checks that brand and photo exist and that name and slug are not taken. */
const validateCharter = async (tx: Tx, changed: CharterChange, own: string | null): Promise<void> => {
  const { name, slug } = changed
  await assertReferences(tx, { brand: 'brand', photo: 'picture' }, changed)
  if (name !== undefined) await assertNameIsFree(tx, name, own)
  if (slug !== undefined && (await isSlugTaken(tx, 'charter', slug, own))) throw buildConflict('slug', SLUG_IN_USE)
}

/** The columns of a change. */
export const toCharterColumns = <C extends CharterChange>({ schoolTypeUrls, ...columns }: C) => ({
  ...columns,
  ...(schoolTypeUrls === undefined ? {} : { schoolTypeUrls: JSON.stringify(schoolTypeUrls) }),
})

/** Updates a locked charter. An unchanged name is not checked, because imports may bring in duplicates. */
export const saveCharter = async (tx: Tx, _id: string, changed: CharterChange, stored: { name: string; slug: string }): Promise<void> => {
  const { name, slug, ...others } = changed
  const renamed = { ...(name === stored.name ? {} : { name }), ...(slug === stored.slug ? {} : { slug }) }
  await validateCharter(tx, { ...others, ...renamed }, _id)
  await updateRecord(tx, 'charter', _id, toCharterColumns({ ...others, ...renamed }))
  if (renamed.slug !== undefined) await saveFormerSlug(tx, 'charter', _id, stored.slug, renamed.slug)
}

/** Inserts a charter; returns its `_id`. */
export const insertCharter = async (tx: Tx, charter: NewCharter): Promise<string> => {
  await validateCharter(tx, charter, null)
  const { _id } = await tx
    .insertInto('charter')
    .values({
      ...charter,
      schoolTypeUrls: JSON.stringify(charter.schoolTypeUrls),
      directory_id: null,
    })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}
