import { setTimeout as pause } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { fetchJson, toRequest } from '../support/api-client.ts'
import { signInLocally } from '../support/local-sign-in.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { GROUP_SCHEMA, PATCH_SCHEMA, USER_SCHEMA } from '../support/scim.ts'
import { createServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

// A directory provisions many people, groups of `PER_GROUP` of them, and one group of all.

const USERS = 20_000
const PER_GROUP = 500
const GROUPS = USERS / PER_GROUP
const MAX_MINUTES = 10
/** Roughly what Entra ID sends concurrently. */
const PARALLEL = 8
/** Members in one PATCH. */
const MEMBERS_PER_PATCH = 100
const GIVE_UP_MS = 60_000

/** The JSON of a resource, or of a list. */
interface ScimBody {
  readonly id: string
  readonly members?: readonly { readonly value: string }[]
  readonly totalResults: number
  readonly Resources: readonly ScimBody[]
}

test(
  `${USERS} users and their groups are there in less than ${MAX_MINUTES} minutes, though the server is killed twice`,
  async () => {
    await using server = await createServer()
    await server.start()
    const { headers } = await signInLocally(server.url, 'super@sample.test')
    const created = await fetchJson<{ token: string }>(`${server.url}/api/scim-tokens`, toRequest('POST', headers, { name: 'Directory' }))
    const authorization = `Bearer ${created.token}`
    let answers = 0

    /** Repeats requests without a response, like directories; objects that were created anyway are found by name. */
    const send = async (method: string, path: string, body?: object): Promise<{ status: number; answer: ScimBody }> => {
      for (const until = performance.now() + GIVE_UP_MS; ; await pause(100)) {
        const request = {
          method,
          headers: { authorization, 'content-type': 'application/scim+json' },
          body: body ? JSON.stringify(body) : null,
        }
        const response = await fetch(`${server.url}/scim/v2${path}`, request).catch(() => undefined)
        const text = await response?.text().catch(() => undefined)
        if (response && text !== undefined && response.status < 500) {
          answers++
          return { status: response.status, answer: (text === '' ? undefined : JSON.parse(text)) as ScimBody }
        }
        if (performance.now() > until) throw new Error(`${method} ${path} is not answered: ${text ?? 'no connection'}`)
      }
    }

    const find = async (type: 'Users' | 'Groups', filter: string): Promise<string | undefined> =>
      (await send('GET', `/${type}?filter=${encodeURIComponent(filter)}&excludedAttributes=members`)).answer.Resources[0]?.id
    const findOrCreate = async (type: 'Users' | 'Groups', filter: string, resource: object): Promise<string> => {
      const known = await find(type, filter)
      if (known !== undefined) return known
      const { status, answer } = await send('POST', `/${type}`, resource)
      if (status === 201) return answer.id
      // Created by a request without a response.
      const again = status === 409 ? await find(type, filter) : undefined
      if (again === undefined) throw new Error(`${filter}: ${status} ${JSON.stringify(answer)}`)
      return again
    }

    const ids: string[] = []
    const provisionUser = async (at: number): Promise<void> => {
      const userName = `teacher.${at}@network.test`
      ids[at] = await findOrCreate('Users', `userName eq "${userName}"`, {
        schemas: [USER_SCHEMA],
        externalId: `object-${at}`,
        userName,
        active: true,
        displayName: `Teacher ${at}`,
        name: { givenName: 'Teacher', familyName: String(at) },
        emails: [{ primary: true, type: 'work', value: userName }],
      })
    }
    const provisionGroup = async (displayName: string, members: readonly string[]): Promise<void> => {
      const group = await findOrCreate('Groups', `displayName eq "${displayName}"`, { schemas: [GROUP_SCHEMA], displayName })
      for (let from = 0; from < members.length; from += MEMBERS_PER_PATCH) {
        const value = members.slice(from, from + MEMBERS_PER_PATCH).map((one) => ({ value: one }))
        const body = { schemas: [PATCH_SCHEMA], Operations: [{ op: 'Add', path: 'members', value }] }
        const { status, answer } = await send('PATCH', `/Groups/${group}`, body)
        if (status >= 300) throw new Error(`${displayName}: ${status} ${JSON.stringify(answer)}`)
      }
    }
    const provisionGroupAt = (at: number): Promise<void> =>
      at === 0 ? provisionGroup('Everyone', ids) : provisionGroup(`School ${at}`, ids.slice((at - 1) * PER_GROUP, at * PER_GROUP))

    const killAfter = async (count: number): Promise<void> => {
      const from = answers
      await waitUntil(`${count} answers`, () => answers >= from + count, { timeoutMs: MAX_MINUTES * 60_000 })
      await server.kill()
      await server.start()
    }
    const begin = performance.now()
    await Promise.all([runConcurrently(Array(USERS).keys(), PARALLEL, provisionUser), killAfter(USERS)])
    const afterUsers = performance.now()
    await Promise.all([runConcurrently(Array(GROUPS + 1).keys(), PARALLEL, provisionGroupAt), killAfter(GROUPS)])
    const minutes = (performance.now() - begin) / 60_000
    process.stdout.write(`${USERS} users in ${((afterUsers - begin) / 1000).toFixed(0)} s, with groups ${(minutes * 60).toFixed(0)} s\n`)
    expect(minutes, 'minutes for users and groups').toBeLessThan(MAX_MINUTES)

    expect((await send('GET', '/Users?count=0')).answer.totalResults).toBe(USERS)
    const { answer: groups } = await send('GET', '/Groups?count=1000&excludedAttributes=members')
    expect(groups.totalResults).toBe(GROUPS + 1)
    let members = 0
    for (const { id } of groups.Resources) members += (await send('GET', `/Groups/${id}`)).answer.members?.length ?? 0
    expect(members).toBe(2 * USERS)
    const { answer: everyone } = await send('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Everyone"')}`)
    expect(new Set(everyone.Resources[0]?.members?.map(({ value }) => value)).size).toBe(USERS)
  },
  (MAX_MINUTES + 5) * 60_000,
)
