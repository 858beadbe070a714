import { createHash } from 'node:crypto'

import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import { isEmail } from '../../../contract/emails.ts'
import { capitalize } from '../../../contract/format.ts'
import { cleanLine } from '../../../contract/text-cleaning.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { wasEverGranted } from '../levels/queries.server.ts'

/** The accounts for which the local provider shows buttons. */
export const SAMPLE_ACCOUNTS = [
  { address: 'super@sample.test', level: 1, may: 'Super administrator' },
  { address: 'affairs@sample.test', level: 5, may: 'Charter affairs' },
  { address: 'manager@sample.test', level: 6, may: 'Administrator' },
  { address: 'staff@sample.test', level: BROWSE_LEVEL, may: 'View only' },
] as const

/** The address in lower case; undefined if the text is not an address. */
export const parseAddress = (text: string): string | undefined => {
  const address = cleanLine(text).toLowerCase()
  return isEmail(address) ? address : undefined
}

/** The level an address signs in at for the first time. */
const getSampleLevel = (address: string): number => {
  const sample = SAMPLE_ACCOUNTS.find((account) => account.address === address)
  if (sample) return sample.level
  const level = Number(/^level(\d{1,2})@sample\.test$/.exec(address)?.[1])
  return level >= 1 && level <= BROWSE_LEVEL ? level : BROWSE_LEVEL
}

/** 'Dana Whitlock' for `dana.whitlock@…`, 'Level 7' for `level7@…`. */
export const toName = (address: string): string => {
  const [local = address] = address.split('@')
  const words = local.replace(/(\D)(\d+)$/, '$1 $2').split(/[\s._+-]+/)
  return words.filter(Boolean).map(capitalize).join(' ')
}

/** The object id of an address: always the same, in the format of Entra ID. */
export const toObjectId = (address: string): string => {
  const hex = createHash('sha256').update(`homeroom local account ${address}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

const findPersonByEmail = (db: Queryable, address: string): Promise<{ _id: string; name: string } | undefined> =>
  db
    .selectFrom('person')
    .select(['_id', 'name'])
    .where('archivedAt', 'is', null)
    .where(({ eb, fn }) => eb(fn('lower', ['email']), '=', address))
    .executeTakeFirst()

/** The name of the person with this address in the directory; if there is none, a name made from the address. */
export const getLocalName = async (db: Queryable, address: string): Promise<string> =>
  (await findPersonByEmail(db, address))?.name ?? toName(address)

/**
 * Inserts the permission record of a sample account at its first sign-in: a record like any other, so that a later grant or removal applies.
 * Level 10 needs none, because everyone has it.
 */
export const grantSampleLevel = async (
  tx: Tx,
  applicationID: string,
  { account, address, name }: { account: string; address: string; name: string },
): Promise<void> => {
  const accessLevel = getSampleLevel(address)
  if (accessLevel === BROWSE_LEVEL || (await wasEverGranted(tx, applicationID, address))) return
  await tx
    .insertInto('permission')
    .values({
      applicationID,
      azureID: address,
      name,
      account,
      person: (await findPersonByEmail(tx, address))?._id ?? null,
      accessLevel,
      superAdmin: accessLevel === 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
