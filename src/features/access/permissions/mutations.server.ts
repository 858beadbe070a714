import { sql } from 'kysely'

import type { BodyOf } from '../../../contract/call.ts'
import { invalidFields, Problem } from '../../../contract/problem.ts'
import { isId } from '../../../contract/slugs.ts'
import type { Tx } from '../../../database/connection.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { lockPermissions } from '../levels/mutations.server.ts'
import type { grantPermission } from './contract.ts'
import { isAdministrator, getGrantedLevel, NEW_ADMIN_NAME } from './rules.ts'

type UserInfo = BodyOf<typeof grantPermission>['userInfo']

const isSameAddress = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

interface TargetPerson {
  readonly _id: string
  readonly email: string | null
  readonly leftAt: Date | null
}

const selectPeople = (tx: Tx) => tx.selectFrom('person').select(['_id', 'email', 'leftAt']).where('archivedAt', 'is', null)
const findPersonByEmail = (tx: Tx, address: string): Promise<TargetPerson | undefined> =>
  selectPeople(tx)
    .where(sql<boolean>`lower(email) = lower(${address})`)
    .executeTakeFirst()

const invalidPerson = (message: string): Problem => invalidFields([{ path: 'userInfo.personDbID', message }])

/** Finds the person by `_id`, by HR number, else by the address. */
const findTargetPerson = async (tx: Tx, { personDbID, azureID }: UserInfo): Promise<TargetPerson | undefined> => {
  if (!personDbID) return findPersonByEmail(tx, azureID)
  const byId = isId(personDbID) ? await selectPeople(tx).where('_id', '=', personDbID).executeTakeFirst() : undefined
  const named = byId ?? (await selectPeople(tx).where('sql_person_id', '=', personDbID).executeTakeFirst())
  if (!named) throw invalidPerson('No one in the directory has this ID or HR number')
  return named
}

/** Throws 422 for someone who has left, or if the address is not the person's own. */
const validatePerson = async (tx: Tx, { personDbID, azureID }: UserInfo, { _id, email, leftAt }: TargetPerson): Promise<void> => {
  if (leftAt !== null)
    throw invalidFields([{ path: personDbID ? 'userInfo.personDbID' : 'userInfo.azureID', message: 'This person is no longer employed' }])
  if (email !== null && !isSameAddress(email, azureID)) throw invalidPerson('This person has another email address in the directory')
  const owner = await findPersonByEmail(tx, azureID)
  if (owner && owner._id !== _id) throw invalidPerson('This email address belongs to someone else in the directory')
}

/** The account of our tenant with this address; if there are several, the newest, which belongs to the current owner. */
const findAccountByAddress = async (tx: Tx, actor: SignedIn, address: string): Promise<string | null> => {
  const account = await tx
    .selectFrom('account')
    .select('_id')
    .where(sql<boolean>`lower("azureID") = lower(${address})`)
    .where('tenant', '=', (query) => query.selectFrom('account as mine').select('mine.tenant').where('mine._id', '=', actor.account))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return account?._id ?? null
}

const alreadyAdministrator = (name: string): Problem => new Problem(409, `${name} is already an administrator`)

/** A created or raised record; `before` is null for a new one. */
interface GrantedRecord {
  readonly _id: string
  readonly before: { readonly name: string; readonly azureID: string; readonly accessLevel: number } | null
}

/** Makes someone an administrator at no more than the caller's own level. A record below an administrator's level is raised. */
export const insertPermission = async (
  tx: Tx,
  configuration: Configuration,
  actor: SignedIn,
  userInfo: UserInfo,
): Promise<GrantedRecord> => {
  const level = await lockPermissions(tx, configuration, actor)
  const accessLevel = getGrantedLevel(level, userInfo.accessLevel)
  const { azureID, name } = userInfo
  const person = await findTargetPerson(tx, userInfo)
  const account = await findAccountByAddress(tx, actor, azureID)
  if (isSameAddress(azureID, actor.azureID) || isSameAddress(person?.email, actor.azureID) || account === actor.account)
    throw new Problem(403, 'You can’t make yourself an administrator', { detail: 'Another administrator can do this.' })
  if (person) await validatePerson(tx, userInfo, person)

  const records = await tx
    .selectFrom('permission')
    .select(['_id', 'name', 'azureID', 'accessLevel'])
    .where('applicationID', '=', configuration.appId)
    .where(sql<boolean>`(lower("azureID") = lower(${azureID}) or account = ${account}::uuid or person = ${person?._id ?? null}::text)`)
    .execute()
  if (records.some((record) => isAdministrator(record.accessLevel))) throw alreadyAdministrator(name)
  const values = { name, person: person?._id ?? null, account, superAdmin: false, accessLevel, accessName: NEW_ADMIN_NAME }
  const lowerRecord = records.find((record) => isSameAddress(record.azureID, azureID))
  if (lowerRecord) {
    await tx.updateTable('permission').set(values).where('_id', '=', lowerRecord._id).execute()
    const { _id, ...before } = lowerRecord
    return { _id, before }
  }
  const created = await tx
    .insertInto('permission')
    .values({ applicationID: configuration.appId, azureID, ...values })
    .onConflict((conflict) => conflict.doNothing())
    .returning('_id')
    .executeTakeFirst()
  if (!created) throw alreadyAdministrator(name)
  return { _id: created._id, before: null }
}
