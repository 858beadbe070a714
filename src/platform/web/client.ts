import type { ResponseOf, BodyOf, Call, FileOf, ParamsOf, QueryOf } from '../../contract/call.ts'
import { getApi } from '../../contract/call.ts'
import { Problem, ProblemBody } from '../../contract/problem.ts'
import { configuration } from './configuration.ts'
import { ConnectionLost } from './failures.ts'
import { readToken } from './token.ts'

type RequestPart<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : object extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

/** What a call is sent with: just the parts its definition names. */
export type CallRequest<C extends Call> = RequestPart<'params', ParamsOf<C>> &
  RequestPart<'query', QueryOf<C>> &
  RequestPart<'body', BodyOf<C>> &
  RequestPart<'file', FileOf<C>> & {
    readonly signal?: AbortSignal
    /** The version an edit was based on. */
    readonly version?: number
    /** In place of the token that is stored. */
    readonly token?: string
    /** Arrives even where the page is left. */
    readonly keepalive?: boolean
  }
type RequestArguments<C extends Call> = object extends CallRequest<C> ? [sent?: CallRequest<C>] : [sent: CallRequest<C>]

export interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: Blob
  readonly signal?: AbortSignal
  readonly version?: number
  readonly token?: string
  readonly keepalive?: boolean
}

/** A call that failed, as the listeners of `onFailure` hear of it. */
export interface Failure {
  readonly call: Call
  readonly address: string
  readonly body: unknown
  readonly error: Problem | ConnectionLost
  /** What the call was signed with: an answer to an old token says nothing about a newer one. */
  readonly token: string | null
}
const listeners = new Set<(failure: Failure) => void>()
/** The response interceptor: is notified of every failed call. */
export const onFailure = (listener: (failure: Failure) => void): void => {
  listeners.add(listener)
}

/** Tells the listeners of a call that failed. */
export const reportFailure = (failure: Failure): void => {
  for (const listener of listeners) listener(failure)
}

/** The address of a call on the API it belongs to. */
export const getCallUrl = (call: Call, { params, query }: Pick<AnyRequest, 'params' | 'query'> = {}): string => {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString()
  return `${getApi(call) === 'locations' ? configuration.locationsUrl : configuration.appUrl}${path}${search ? `?${search}` : ''}`
}

const buildHeaders = (sent: AnyRequest, token: string | null): Headers => {
  const headers = new Headers({ accept: 'application/json' })
  if (token) {
    headers.set('authorization', `Bearer ${token}`)
    headers.set('x-auth-token', token)
  }
  if (sent.body !== undefined) headers.set('content-type', 'application/json')
  if (sent.version !== undefined) headers.set('if-match', `"${sent.version}"`)
  return headers
}

/** JSON, or a form with the one file of an upload, whose content type the browser writes. */
const buildBody = ({ upload }: Call, { body, file }: AnyRequest): { body?: BodyInit } => {
  if (!upload || !file) return body === undefined ? {} : { body: JSON.stringify(body) }
  const form = new FormData()
  form.set(upload.field, file)
  return { body: form }
}

const readProblem = async (response: Response): Promise<Problem> => {
  const problem = ProblemBody.safeParse(await response.json().catch(() => null))
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  // What the server failed at is in its log under this; a refusal is nothing to look up.
  const requestId = response.status < 500 ? undefined : (response.headers.get('x-request-id') ?? undefined)
  return problem.success
    ? new Problem(response.status, problem.data.title, { detail: problem.data.detail, errors: problem.data.errors, retryAfter, requestId })
    : new Problem(response.status, response.statusText || `The server answered ${response.status}`, { retryAfter, requestId })
}

/** What is done with an answer that went well. `lost` is for a connection that breaks before its end. */
type ReadResponse<T> = (response: Response, lost: (cause: unknown) => Promise<never>) => Promise<T>

/** Sends a call and takes its answer in whichever form it has; a refused one throws its `Problem`, a lost one `ConnectionLost`. */
export const sendRequest = async <T>(call: Call, sent: AnyRequest, take: ReadResponse<T>): Promise<T> => {
  const token = sent.token ?? readToken()
  const address = getCallUrl(call, sent)
  const fail = (error: Problem | ConnectionLost): never => {
    reportFailure({ call, address, body: sent.body, error, token })
    throw error
  }
  const lost = (cause: unknown) => (sent.signal?.aborted ? Promise.reject(cause) : fail(new ConnectionLost(cause)))
  const response = await fetch(address, {
    method: call.method,
    headers: buildHeaders(sent, token),
    credentials: 'include',
    ...buildBody(call, sent),
    ...(sent.signal ? { signal: sent.signal } : {}),
    ...(sent.keepalive ? { keepalive: true } : {}),
  }).catch(lost)
  return response.ok ? take(response, async (cause) => lost(cause)) : fail(await readProblem(response))
}

/** `send` without the types of a definition, for code that handles any call. */
export const sendUntyped = (call: Call, sent: AnyRequest = {}): Promise<unknown> =>
  sendRequest(call, sent, async (response, lost) => (response.status === 204 ? undefined : response.json().catch(lost)))

/** Sends a call and gives its answer; a refused one throws its `Problem`, a lost one `ConnectionLost`. */
export const send = <C extends Call>(call: C, ...[sent]: RequestArguments<C>): Promise<ResponseOf<C>> =>
  sendUntyped(call, sent) as Promise<ResponseOf<C>>
