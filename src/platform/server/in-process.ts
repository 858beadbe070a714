import { AsyncLocalStorage } from 'node:async_hooks'

import type { FastifyInstance } from 'fastify'

import type { BodyOf, Call, ParamsOf, QueryOf, ResponseOf } from '../../contract/call.ts'
import { Problem, ProblemBody } from '../../contract/problem.ts'
import type { AppContext, SignedIn } from './app-context.ts'

const callers = new AsyncLocalStorage<SignedIn>()

/** The caller of a request that this process sends to itself. */
export const getInProcessCaller = (): SignedIn | undefined => callers.getStore()

interface InProcessInputs<C extends Call> {
  readonly params?: ParamsOf<C>
  /** What is undefined is not sent. */
  readonly query?: { readonly [Name in keyof QueryOf<C>]?: QueryOf<C>[Name] | undefined }
  readonly body?: BodyOf<C>
  /** The past day that is shown. */
  readonly on?: string | undefined
}
export type SendInProcess = <C extends Call>(call: C, inputs?: InProcessInputs<C>) => Promise<ResponseOf<C>>

const buildUrl = (call: Call, params: object = {}, query: object = {}): string => {
  const values = new Map(Object.entries(params))
  const path = call.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(values.get(name))))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
}

/**
 * Sends calls for someone within this process: through the same route, so that access, validation, limits and the audit trail are those of a request
 * over the network. Throws the `Problem` of a refusal.
 */
export const createSendInProcess =
  (app: FastifyInstance, { configuration }: AppContext, user: SignedIn, remoteAddress: string): SendInProcess =>
  async (call, { params, query, body, on } = {}) => {
    // Sent within `run`: what `inject` returns sends nothing until it is awaited.
    const response = await callers.run(
      user,
      async () =>
        await app.inject({
          method: call.method,
          url: buildUrl(call, params, { on, ...query }),
          headers: { host: new URL(configuration.publicUrl).host },
          remoteAddress,
          ...(body === undefined ? {} : { payload: body as object }),
        }),
    )
    const answer: unknown = response.body === '' ? undefined : JSON.parse(response.body)
    if (response.statusCode < 300) return answer as ResponseOf<typeof call>
    const { title, status, detail, errors } = ProblemBody.parse(answer)
    throw new Problem(status, title, { ...(detail === undefined ? {} : { detail }), ...(errors === undefined ? {} : { errors }) })
  }
