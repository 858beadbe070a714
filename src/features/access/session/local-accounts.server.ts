import { createHash } from 'node:crypto'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { BROWSE_LEVEL } from '../../../platform/contract/capabilities.ts'
import { isEmail } from '../../../platform/contract/emails.ts'
import { cleanLine } from '../../../platform/contract/texts.ts'
import { wasEverGranted } from '../levels/queries.server.ts'

/** The accounts the local provider has buttons for, with the levels of their permission records (architecture). */
export const SAMPLE_ACCOUNTS = [
  { address: 'super@sample.test', level: 1, may: 'Super administrator' },
  { address: 'affairs@sample.test', level: 5, may: 'Charter affairs' },
  { address: 'manager@sample.test', level: 6, may: 'Administrator' },
  { address: 'staff@sample.test', level: BROWSE_LEVEL, may: 'View only' },
] as const

/** What was typed as an address, in lower case; undefined where it is none. */
export const addressIn = (typed: string): string | undefined => {
  const address = cleanLine(typed).toLowerCase()
  return isEmail(address) ? address : undefined
}

/** The level an address signs in at for the first time. */
const sampleLevelOf = (address: string): number => {
  const sample = SAMPLE_ACCOUNTS.find((account) => account.address === address)
  if (sample) return sample.level
  const level = Number(/^level(\d{1,2})@sample\.test$/.exec(address)?.[1])
  return level >= 1 && level <= BROWSE_LEVEL ? level : BROWSE_LEVEL
}

/** `dana.whitlock@…` is Dana Whitlock, `level7@…` is Level 7. */
export const nameFrom = (address: string): string => {
  const [local = address] = address.split('@')
  const words = local.replace(/(\D)(\d+)$/, '$1 $2').split(/[\s._+-]+/)
  return words
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** The object id of an address: always the same, and in the form of the directory's own. */
export const objectIdOf = (address: string): string => {
  const hex = createHash('sha256').update(`homeroom local account ${address}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

const personWith = (db: Queryable, address: string): Promise<{ _id: string; name: string } | undefined> =>
  db
    .selectFrom('person')
    .select(['_id', 'name'])
    .where(({ eb, fn }) => eb(fn('lower', ['email']), '=', address))
    .executeTakeFirst()

/** What somebody is called who signs in with this address: their name in the directory, if they are there. */
export const localNameOf = async (db: Queryable, address: string): Promise<string> =>
  (await personWith(db, address))?.name ?? nameFrom(address)

/**
 * Gives a sample account its permission record at its first sign-in: a record like any other, so that a later grant or removal counts.
 * Level 10 is what everybody has and needs none (D10).
 */
export const grantSampleLevel = async (
  tx: Tx,
  applicationID: string,
  { account, address, name }: { account: string; address: string; name: string },
): Promise<void> => {
  const accessLevel = sampleLevelOf(address)
  if (accessLevel === BROWSE_LEVEL || (await wasEverGranted(tx, applicationID, address))) return
  await tx
    .insertInto('permission')
    .values({
      applicationID,
      azureID: address,
      name,
      account,
      person: (await personWith(tx, address))?._id ?? null,
      accessLevel,
      superAdmin: accessLevel === 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
