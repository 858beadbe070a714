import { setTimeout as pause } from 'node:timers/promises'

import { runConcurrently } from '../../support/run-concurrently.ts'
import { GROUP_SCHEMA, PATCH_SCHEMA, USER_SCHEMA } from '../../support/scim.ts'
import type { TestServer } from '../../support/server.ts'

/** Roughly what Entra ID sends concurrently. */
const PARALLEL = 8
/** Members in one PATCH. */
const MEMBERS_PER_PATCH = 100
const GIVE_UP_MS = 60_000

interface Listed {
  readonly totalResults: number
  readonly Resources: readonly { readonly id: string; readonly members?: readonly { readonly value: string }[] }[]
}

/** A directory that provisions `users` people, groups of `perGroup` of them, and one group of all. */
export interface DirectoryRun {
  readonly provisionUsers: () => Promise<void>
  readonly provisionGroups: () => Promise<void>
  /** The number of responses so far. */
  readonly countAnswers: () => number
  readonly readTotals: () => Promise<{ users: number; groups: number; members: number; inGroupOfAll: number }>
}

export const startDirectoryRun = (
  server: TestServer,
  token: string,
  { users, perGroup }: { readonly users: number; readonly perGroup: number },
): DirectoryRun => {
  let answers = 0
  const ids: string[] = []

  /** Repeats requests without a response, like directories; objects that were created anyway are found by name. */
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; json: () => unknown }> => {
    const until = performance.now() + GIVE_UP_MS
    for (;;) {
      const answer = await fetch(`${server.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined)
      if (answer && answer.status < 500) {
        answers++
        return { status: answer.status, json: () => JSON.parse(answer.text) as unknown }
      }
      if (performance.now() > until) throw new Error(`${method} ${path} is not answered: ${answer?.text ?? 'no connection'}`)
      await pause(100)
    }
  }

  const findOrCreate = async (type: 'Users' | 'Groups', filter: string, resource: object): Promise<string> => {
    const find = async (): Promise<string | undefined> => {
      const found = await send('GET', `/${type}?filter=${encodeURIComponent(filter)}&excludedAttributes=members`)
      return (found.json() as Listed).Resources[0]?.id
    }
    const known = await find()
    if (known !== undefined) return known
    const created = await send('POST', `/${type}`, resource)
    if (created.status === 201) return (created.json() as { id: string }).id
    // Created by a request without a response.
    const again = created.status === 409 ? await find() : undefined
    if (again === undefined) throw new Error(`${filter}: ${created.status} ${JSON.stringify(created.json())}`)
    return again
  }

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
      const patched = await send('PATCH', `/Groups/${group}`, {
        schemas: [PATCH_SCHEMA],
        Operations: [{ op: 'Add', path: 'members', value }],
      })
      if (patched.status >= 300) throw new Error(`${displayName}: ${patched.status} ${JSON.stringify(patched.json())}`)
    }
  }

  const groups = Math.ceil(users / perGroup)
  return {
    provisionUsers: () => runConcurrently(Array(users).keys(), PARALLEL, provisionUser),
    provisionGroups: () =>
      runConcurrently(Array(groups + 1).keys(), PARALLEL, (at) =>
        at === 0 ? provisionGroup('Everyone', ids) : provisionGroup(`School ${at}`, ids.slice((at - 1) * perGroup, at * perGroup)),
      ),
    countAnswers: () => answers,
    readTotals: async () => {
      const known = (await send('GET', '/Users?count=0')).json() as Listed
      const listed = (await send('GET', '/Groups?count=1000&excludedAttributes=members')).json() as Listed
      let members = 0
      for (const { id } of listed.Resources) {
        const group = (await send('GET', `/Groups/${id}`)).json() as Listed['Resources'][number]
        members += group.members?.length ?? 0
      }
      const everyone = (await send('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Everyone"')}`)).json() as Listed
      const inGroupOfAll = new Set(everyone.Resources[0]?.members?.map(({ value }) => value)).size
      return { users: known.totalResults, groups: listed.totalResults, members, inGroupOfAll }
    },
  }
}
