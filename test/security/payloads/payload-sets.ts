import { randomInt } from 'node:crypto'

import { search } from '../../../src/features/finding/search/contract.ts'
import { listRoles } from '../../../src/features/records/people/contract.ts'
import { listRegions } from '../../../src/features/records/regions/contract.ts'
import { readSettings } from '../../../src/features/records/settings/contract.ts'
import { createSender } from '../../support/api-client.ts'
import type { TestServer } from '../../support/server.ts'
import { signInAt, type SignedInUser } from '../../support/sessions.ts'
import { type RecordSet, type Stored, storeEverywhere } from './api-storage.ts'
import { writeToDatabase } from './direct-storage.ts'
import type { Group } from './payloads.ts'

const letters = (): string => Array.from({ length: 14 }, () => String.fromCharCode(97 + randomInt(26))).join('')

/** A level 1 user whose name and browser are the payload, as a provider might send them. */
export const signInAs = async ({ db, configuration }: TestServer, text: string): Promise<SignedInUser> => {
  const user = await signInAt({ db, configuration }, 1)
  await db.updateTable('account').set({ name: text }).where('_id', '=', user.account).execute()
  await db.updateTable('session').set({ userAgent: text }).where('account', '=', user.account).execute()
  return user
}

/** Creates a record of every kind with the payload in each field: through the API, and then directly in the database. */
export const createRecordSet = async (
  server: TestServer,
  payload: Group,
  counted: Stored,
): Promise<{ set: RecordSet; columns: number }> => {
  const user = await signInAs(server, payload.text)
  const send = createSender(server.url, user.headers)
  const [{ body: regions }, { body: roles }, { body: settings }] = [
    await send(listRegions, {}),
    await send(listRoles, {}),
    await send(readSettings, {}),
  ]
  const set: RecordSet = {
    payload,
    word: letters(),
    region: (regions as { _id: string; name: string }[]).find(({ name }) => name === 'California')?._id ?? '',
    role: (roles as { _id: string }[])[0]?._id ?? '',
    settings: settings as RecordSet['settings'],
    made: new Map([['account', { _id: user.account, slug: user.account }]]),
  }
  await storeEverywhere(set, send, counted)
  // Searches without results are stored for level 1.
  for (const { text } of payload.parts)
    await fetch(`${server.url}${search.path}?q=${encodeURIComponent(`${set.word} ${text}`)}`, { headers: user.headers })
  return { set, columns: await writeToDatabase(server.db, set) }
}
