import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

import type { TestApp } from './app.ts'
import { injectInto, type HttpResponse } from './http-requests.ts'

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type ScimAnswer = HttpResponse & Pick<LightMyRequestResponse, 'json'>

type Send = (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ScimAnswer>

let userCount = 0
export const newUserName = (): string => `test.user.${++userCount}@network.test`

const createUserCalls = (send: Send) => ({
  createUser: async (more: object = {}) => {
    const answer = await send('POST', '/Users', { schemas: [USER_SCHEMA], userName: newUserName(), active: true, ...more })
    expect(answer.status).toBe(201)
    return answer.json()
  },
  readUser: async (id: string) => (await send('GET', `/Users/${id}`)).json(),
  /** The users or groups that match a filter. */
  find: async (filter: string, path: '/Users' | '/Groups' = '/Users') =>
    (await send('GET', `${path}?filter=${encodeURIComponent(filter)}`)).json(),
})

/** A directory that provisions: sends requests with its own token. */
export interface TestDirectory extends ReturnType<typeof createUserCalls> {
  readonly token: string
  readonly send: Send
  /** A PATCH with these operations. */
  readonly patch: (path: string, ...operations: object[]) => Promise<ScimAnswer>
}

/** Sends requests like a directory, to `/scim/v2` of a server in this process. */
export const toDirectory = ({ app, context }: Pick<TestApp, 'app' | 'context'>, token: string): TestDirectory => {
  const inject = injectInto(app, new URL(context.configuration.publicUrl).host)
  const send: TestDirectory['send'] = async (method, path, body, headers = {}) => {
    const answer = await inject(method, `/scim/v2${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
      body,
    })
    return { ...answer, json: () => JSON.parse(answer.body) }
  }
  return {
    token,
    send,
    patch: (path, ...Operations) => send('PATCH', path, { schemas: [PATCH_SCHEMA], Operations }),
    ...createUserCalls(send),
  }
}

/** Connects a directory: level 1 creates its token. */
export const connectDirectory = async (app: TestApp, name = 'Directory'): Promise<TestDirectory> => {
  const made: LightMyRequestResponse = await app.as(1).request('POST', '/api/scim-tokens', { payload: { name } })
  return toDirectory(app, made.json().token as string)
}
