import { expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { connectDirectory, toDirectory } from '../../../../test/support/scim.ts'

test('an interrupted provisioning run continues at another server: everyone exists once and is in the group', async () => {
  const app = await startApp()
  const directory = await connectDirectory(app)
  const names = Array.from({ length: 60 }, (_one, at) => `run${at}@network.test`)
  /** Provisions users as directories do: looks for each user first, and creates the missing ones. */
  const provision = async (send: typeof directory.send, userNames: readonly string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const userName of userNames) {
      const found = (await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)).json()
      const user = found.Resources[0] ?? (await send('POST', '/Users', { userName })).json()
      ids.push(user.id as string)
    }
    return ids
  }
  await provision(directory.send, names.slice(0, 35))
  const second = toDirectory(await app.startSecond(), directory.token)
  const ids = await provision(second.send, names)
  expect(new Set(ids).size).toBe(60)
  expect((await second.send('GET', '/Users?count=0')).json().totalResults).toBe(60)
  const group = (await second.send('POST', '/Groups', { displayName: 'Everyone' })).json()
  for (const part of [ids.slice(0, 40), ids.slice(20)])
    await second.patch(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: part.map((value) => ({ value })) })
  expect((await second.send('GET', `/Groups/${group.id}`)).json().members.length).toBe(60)
})
