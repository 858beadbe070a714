import { sql } from 'kysely'

import type { Tx } from '../../database/connection.server.ts'
import type { BodyOf } from '../../platform/contract/call.ts'
import { badFields, Problem } from '../../platform/contract/problem.ts'
import { isId, isUuid } from '../../platform/contract/slugs.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import type { SignedIn } from '../../platform/server/house.ts'
import type { grantPermission } from './contract.ts'
import { authorize } from './queries.server.ts'
import { isAdministrator, levelGrantedBy, NEW_ADMIN_NAME } from './rules.ts'

type UserInfo = BodyOf<typeof grantPermission>['userInfo']

const isSame = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

interface PersonMeant {
  readonly _id: string
  readonly email: string | null
  readonly leftAt: Date | null
}

/** Who of the directory is meant: by `_id`, by HR number, else by the address. */
const personMeant = async (tx: Tx, { personDbID, azureID }: UserInfo): Promise<PersonMeant | undefined> => {
  const people = tx.selectFrom('person').select(['_id', 'email', 'leftAt'])
  const given = personDbID ?? ''
  const byId = isId(given) ? await people.where('_id', '=', given).executeTakeFirst() : undefined
  if (byId) return byId
  if (isUuid(given)) throw badFields([{ path: 'userInfo.personDbID', message: 'This person does not exist' }])
  const byNumber = given === '' ? undefined : await people.where('sql_person_id', '=', given).executeTakeFirst()
  return byNumber ?? people.where(sql<boolean>`lower(email) = lower(${azureID})`).executeTakeFirst()
}

/** The account of our tenant that signed in with the address, if one has; of two the newer, whose address it is now. */
const accountOf = async (tx: Tx, actor: SignedIn, address: string): Promise<string | null> => {
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

const isOneAlready = (name: string): Problem => new Problem(409, `${name} is an administrator already`)

/**
 * Makes somebody an administrator, of no more than the caller holds (D14); gives the record's `_id`. A record that gave less than an
 * administrator's level is raised.
 */
export const grantLevel = async (tx: Tx, configuration: Configuration, actor: SignedIn, userInfo: UserInfo): Promise<string> => {
  const accessLevel = levelGrantedBy((await authorize(tx, configuration, actor)).level)
  const { azureID, name } = userInfo
  const person = await personMeant(tx, userInfo)
  if (person && person.leftAt !== null) throw badFields([{ path: 'userInfo.personDbID', message: 'This person has left' }])
  const account = await accountOf(tx, actor, azureID)
  if (isSame(azureID, actor.azureID) || isSame(person?.email, actor.azureID) || account === actor.account)
    throw new Problem(403, 'Nobody makes themselves an administrator', { detail: 'Another administrator can.' })

  const held = await tx
    .selectFrom('permission')
    .select(['_id', 'azureID', 'accessLevel'])
    .where('applicationID', '=', configuration.appId)
    .where(sql<boolean>`(lower("azureID") = lower(${azureID}) or account = ${account}::uuid or person = ${person?._id ?? null}::text)`)
    .execute()
  if (held.some((record) => isAdministrator(record.accessLevel))) throw isOneAlready(name)
  const values = { name, person: person?._id ?? null, account, superAdmin: false, accessLevel, accessName: NEW_ADMIN_NAME }
  const lower = held.find((record) => isSame(record.azureID, azureID))
  if (lower) {
    await tx.updateTable('permission').set(values).where('_id', '=', lower._id).execute()
    return lower._id
  }
  const made = await tx
    .insertInto('permission')
    .values({ applicationID: configuration.appId, azureID, ...values })
    .onConflict((conflict) => conflict.doNothing())
    .returning('_id')
    .executeTakeFirst()
  if (!made) throw isOneAlready(name)
  return made._id
}
