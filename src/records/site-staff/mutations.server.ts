import { sql } from 'kysely'

import { invalidFields, notFound, Problem } from '../../contract/problem.ts'
import { normalizeSlug, isId } from '../../contract/slugs.ts'
import { formatArchived } from '../../database/archived-records.server.ts'
import type { Tx } from '../../database/connection.server.ts'
import { NOT_EMPLOYED, PERSON_REQUIRED, ROLE_REQUIRED } from './contract.ts'

interface FoundPerson {
  readonly _id: string
  readonly leftAt: Date | null
  readonly archivedAt: Date | null
}

/** With `isLocked` the row lock waits for a departure or an archiving in another transaction. */
const findPerson = async (tx: Tx, idOrSlug: string, isLocked = false): Promise<FoundPerson | undefined> =>
  tx
    .selectFrom('person')
    .select(['_id', 'leftAt', 'archivedAt'])
    .where(sql<boolean>`_id = ${idOrSlug} or lower(slug) = lower(${normalizeSlug(idOrSlug)})`)
    .orderBy(sql`_id = ${idOrSlug}`, 'desc')
    .$if(isLocked, (query) => query.forKeyShare())
    .executeTakeFirst()

const findRole = async (tx: Tx, _id: string): Promise<{ _id: string; name: string } | undefined> =>
  isId(_id) ? tx.selectFrom('role').select(['_id', 'name']).where('_id', '=', _id).executeTakeFirst() : undefined

/** Adds a person to the staff of a site. */
export const insertSiteStaff = async (
  tx: Tx,
  site: string,
  given: { readonly person: string; readonly role_match: string },
): Promise<void> => {
  const [person, role] = [await findPerson(tx, given.person, true), await findRole(tx, given.role_match)]
  const errors = [
    ...(person ? [] : [{ path: 'person', message: PERSON_REQUIRED }]),
    ...(role ? [] : [{ path: 'role_match', message: ROLE_REQUIRED }]),
  ]
  if (!person || !role) throw invalidFields(errors)
  if (person.archivedAt !== null) throw invalidFields([{ path: 'person', message: formatArchived('person') }])
  if (person.leftAt !== null) throw invalidFields([{ path: 'person', message: NOT_EMPLOYED }])
  const added = await tx
    .insertInto('site_person')
    .values({ site, person: person._id, role: role._id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('_id')
    .executeTakeFirst()
  if (!added)
    throw new Problem(409, `This person already has the role ${role.name} at this site`, {
      errors: [{ path: 'role_match', message: `Already has the role ${role.name} at this site` }],
    })
}

/** Removes one role of a person at a site; their other roles stay. */
export const deleteSiteStaff = async (
  tx: Tx,
  site: string,
  { person_id, role_id }: { readonly person_id: string; readonly role_id: string },
): Promise<void> => {
  const [person, role] = [await findPerson(tx, person_id), await findRole(tx, role_id)]
  const { numDeletedRows } =
    person && role
      ? await tx
          .deleteFrom('site_person')
          .where('site', '=', site)
          .where('person', '=', person._id)
          .where('role', '=', role._id)
          .executeTakeFirst()
      : { numDeletedRows: 0n }
  if (numDeletedRows === 0n) throw notFound('Staff member')
}
