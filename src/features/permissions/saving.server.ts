import { type RawBuilder, sql } from 'kysely'

import type { Tx } from '../../database/connection.server.ts'
import { LOCKS } from '../../database/locks.ts'
import type { BodyOf } from '../../platform/contract/call.ts'
import { may } from '../../platform/contract/capabilities.ts'
import { badFields, levelTooLow, notFound, Problem, stale } from '../../platform/contract/problem.ts'
import { isId } from '../../platform/contract/slugs.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import type { SignedIn } from '../../platform/server/house.ts'
import type { grantPermission } from './contract.ts'
import { levelOf } from './queries.server.ts'
import { isAdministrator, levelGrantedBy, NEW_ADMIN_LEVEL, NEW_ADMIN_NAME } from './rules.ts'

type UserInfo = BodyOf<typeof grantPermission>['userInfo']

const isSame = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/**
 * Waits until no other grant or removal is under way, and reads the caller’s level as it is then: of two who remove each other at the same
 * moment, the later one is no administrator any more (D14).
 */
const takeTurn = async (tx: Tx, configuration: Configuration, { account }: SignedIn): Promise<number> => {
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions})`.execute(tx)
  const { level } = await tx.selectNoFrom(levelOf(configuration, sql`${account}::uuid`).as('level')).executeTakeFirstOrThrow()
  if (!may(level, 'manage administrators')) throw levelTooLow('manage administrators')
  return level
}

interface PersonMeant {
  readonly _id: string
  readonly email: string | null
}

/** Who of the directory is meant: by `_id`, by HR number, else by the address. */
const personMeant = async (tx: Tx, { personDbID, azureID }: UserInfo): Promise<PersonMeant | undefined> => {
  const people = tx.selectFrom('person').select(['_id', 'email'])
  const given = personDbID ?? ''
  if (isId(given)) {
    const person = await people.where('_id', '=', given).executeTakeFirst()
    if (!person) throw badFields([{ path: 'userInfo.personDbID', message: 'This person does not exist' }])
    return person
  }
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
  const accessLevel = levelGrantedBy(await takeTurn(tx, configuration, actor))
  const { azureID, name } = userInfo
  const person = await personMeant(tx, userInfo)
  const account = await accountOf(tx, actor, azureID)
  if (isSame(azureID, actor.azureID) || isSame(person?.email, actor.azureID) || account === actor.account)
    throw new Problem(403, 'Nobody makes themselves an administrator', { detail: 'Another administrator can.' })

  const held = await tx
    .selectFrom('permission')
    .select(['_id', 'azureID', 'accessLevel'])
    .where('applicationID', '=', configuration.appId)
    .where(sql<boolean>`(lower("azureID") = lower(${azureID}) or account = ${account}::uuid or person = ${person?._id ?? null}::uuid)`)
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

/** True for records of people who are in SUPER_ADMINS, which may change with the configuration. */
const isOfSuperAdmin = ({ superAdmins }: Configuration, record: string): RawBuilder<boolean> => {
  const addresses = sql`any(${[...superAdmins]}::text[])`
  return sql`(lower(${sql.ref(`${record}.azureID`)}) = ${addresses} or exists (
    select from super_admin_binding as bound where bound.account = ${sql.ref(`${record}.account`)} and bound.address = ${addresses}))`
}

/** Takes a permission record away, by the rules of D14. */
export const removeLevel = async (
  tx: Tx,
  configuration: Configuration,
  actor: SignedIn,
  _id: string,
  seen: number | undefined,
): Promise<void> => {
  const level = await takeTurn(tx, configuration, actor)
  const record = isId(_id)
    ? await tx
        .selectFrom('permission as wanted')
        .select(['wanted._id', 'wanted.accessLevel', 'wanted.version'])
        .select([
          levelOf(configuration, sql.ref('wanted.account')).as('ofAccount'),
          isOfSuperAdmin(configuration, 'wanted').as('isSuper'),
          sql<boolean>`exists (select from permission as other
            where other."applicationID" = wanted."applicationID" and other._id <> wanted._id and other."accessLevel" <= ${NEW_ADMIN_LEVEL}
              and not ${isOfSuperAdmin(configuration, 'other')})`.as('isAnotherLeft'),
        ])
        .where('wanted._id', '=', _id)
        .where('wanted.applicationID', '=', configuration.appId)
        .executeTakeFirst()
    : undefined
  if (!record) throw notFound('Administrator')
  if (seen !== undefined && seen !== record.version) throw stale()
  if (Math.min(record.accessLevel, record.ofAccount, record.isSuper ? 1 : record.accessLevel) < level)
    throw new Problem(403, 'Nobody removes somebody with more privilege', { detail: 'Somebody of their level can.' })
  if (record.accessLevel <= NEW_ADMIN_LEVEL && !record.isAnotherLeft)
    throw new Problem(409, `The last administrator of level ${NEW_ADMIN_LEVEL} stays`, { detail: 'Make somebody else one first.' })
  await tx.deleteFrom('permission').where('_id', '=', record._id).execute()
}
