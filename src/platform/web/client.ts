import type { ResponseOf, BodyOf, Call, FileOf, ParamsOf, QueryOf } from '../../contract/call.ts'
import { getApi, takesDay } from '../../contract/call.ts'
import { Problem, ProblemBody, REQUEST_TOO_LARGE } from '../../contract/problem.ts'
import { READ_AFTER_HEADER, READ_AFTER_MS, WRITTEN_BY_HEADER } from '../../contract/read-after-write.ts'
import { SEEN_HEADER } from '../../contract/seen-form.ts'
import { configuration } from './configuration.ts'
import { ConnectionLost } from './failures.ts'
import { answerOffline, getCopy, isOffline, noteConnection } from './offline.ts'
import { pastDay } from './past-day.ts'
import { readToken } from './token.ts'

type RequestPart<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : object extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

/** The inputs of a call: only those that its definition has. */
export type CallRequest<C extends Call> = RequestPart<'params', ParamsOf<C>> &
  RequestPart<'query', QueryOf<C>> &
  RequestPart<'body', BodyOf<C>> &
  RequestPart<'file', FileOf<C>> & {
    readonly signal?: AbortSignal
    /** The version that an edit is based on. */
    readonly version?: number
    /** Whether all of the form was seen, so that the save is also a check. */
    readonly isSeen?: boolean
    /** Gets the id of the request once it has saved something, by which it can be undone. */
    readonly saves?: string[]
    /** Replaces the stored token. */
    readonly token?: string
    /** The request completes even if the page is closed. */
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
  readonly isSeen?: boolean
  readonly saves?: string[]
  readonly token?: string
  readonly keepalive?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** How long to wait for the response. */
  readonly timeoutMs?: number | undefined
}

/** A failed call, as passed to the listeners of `onFailure`. */
export interface Failure {
  readonly call: Call
  readonly address: string
  readonly body: unknown
  readonly error: Problem | ConnectionLost
  /** The token that the call was sent with: a failure of an old token says nothing about a newer one. */
  readonly token: string | null
}
const listeners = new Set<(failure: Failure) => void>()
/** Adds a listener that is called for every failed call. */
export const onFailure = (listener: (failure: Failure) => void): void => {
  listeners.add(listener)
}

/** Notifies the listeners of a failed call. */
export const reportFailure = (failure: Failure): void => {
  for (const listener of listeners) listener(failure)
}

/** The URL of a call on the API it belongs to. */
export const getCallUrl = (call: Call, { params, query }: Pick<AnyRequest, 'params' | 'query'> = {}): string => {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const parameters = Object.entries({ ...query, on: pastDay !== undefined && takesDay(call) ? pastDay : undefined }).filter(
    ([, value]) => value !== undefined,
  )
  const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString()
  return `${getApi(call) === 'locations' ? configuration.locationsUrl : configuration.appUrl}${path}${search ? `?${search}` : ''}`
}

/** Whether this tab has just written something, after which it reads what it needs again. */
export const hasJustWritten = (): boolean => listRecentWriters() !== ''

/** The servers of recent writes, and when they responded. */
const writers = new Map<string, number>()

const rememberWriter = (response: Response): void => {
  const server = response.headers.get(WRITTEN_BY_HEADER)
  if (server !== null) writers.set(server, performance.now())
}

const listRecentWriters = (): string => {
  for (const [server, writtenAt] of writers) if (performance.now() - writtenAt > READ_AFTER_MS) writers.delete(server)
  return [...writers.keys()].join(',')
}

const buildHeaders = (sent: AnyRequest, token: string | null): Headers => {
  const headers = new Headers({ accept: 'application/json', ...sent.headers })
  const recentWriters = listRecentWriters()
  if (recentWriters !== '') headers.set(READ_AFTER_HEADER, recentWriters)
  if (token) {
    headers.set('authorization', `Bearer ${token}`)
    headers.set('x-auth-token', token)
  }
  if (sent.body !== undefined) headers.set('content-type', 'application/json')
  if (sent.version !== undefined) headers.set('if-match', `"${sent.version}"`)
  if (sent.isSeen) headers.set(SEEN_HEADER, 'yes')
  return headers
}

/** JSON, or a form with the file of an upload, whose content type the browser sets. */
const buildBody = ({ upload }: Call, { body, file }: AnyRequest): { body?: BodyInit } => {
  if (!upload || !file) return body === undefined ? {} : { body: JSON.stringify(body) }
  const form = new FormData()
  form.set(upload.field, file)
  return { body: form }
}

/** For a refusal that is not ours: a proxy in front of the server sends its own page. */
const describeForeignRefusal = ({ status, statusText }: Response, { upload }: Call): string =>
  status === 413 ? (upload?.tooLarge ?? REQUEST_TOO_LARGE) : statusText || `The server responded with an error (${status})`

const readProblem = async (response: Response, call: Call): Promise<Problem> => {
  const problem = ProblemBody.safeParse(await response.json().catch(() => null))
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  // The server logs its errors under this id; refusals are not logged.
  const requestId = response.status < 500 ? undefined : (response.headers.get('x-request-id') ?? undefined)
  return problem.success
    ? new Problem(response.status, problem.data.title, { detail: problem.data.detail, errors: problem.data.errors, retryAfter, requestId })
    : new Problem(response.status, describeForeignRefusal(response, call), { retryAfter, requestId })
}

/** Reads a successful response. `lost` reports a connection that breaks midway. */
type ReadResponse<T> = (response: Response, lost: (cause: unknown) => Promise<never>) => Promise<T>

/** Sends a call and reads its response with `read`; a refusal throws its `Problem`, a network failure `ConnectionLost`. */
export const sendRequest = async <T>(call: Call, sent: AnyRequest, read: ReadResponse<T>): Promise<T> => {
  const token = sent.token ?? readToken()
  const address = getCallUrl(call, sent)
  const fail = (error: Problem | ConnectionLost): never => {
    reportFailure({ call, address, body: sent.body, error, token })
    throw error
  }
  const lost = (cause: unknown) => (sent.signal?.aborted ? Promise.reject(cause) : fail(new ConnectionLost(cause)))
  const signals = [sent.signal, sent.timeoutMs === undefined ? undefined : AbortSignal.timeout(sent.timeoutMs)].filter(
    (one) => one !== undefined,
  )
  const response = await fetch(address, {
    method: call.method,
    headers: buildHeaders(sent, token),
    credentials: 'include',
    ...buildBody(call, sent),
    ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
    ...(sent.keepalive ? { keepalive: true } : {}),
  }).catch(lost)
  noteConnection(false)
  if (!call.isBackground) rememberWriter(response)
  const save = response.headers.get('x-request-id')
  if (response.ok && save !== null) sent.saves?.push(save)
  return response.ok ? read(response, async (cause) => lost(cause)) : fail(await readProblem(response, call))
}

/** How long a read waits for the network before the copy on this device answers it, at first and once the network is known to be lost. */
const COPY_ANSWERS_AFTER_MS = 8000
const COPY_ANSWERS_SOON_MS = 2500

/** `send` without the types of the request, for code that handles any call. Without a network, a copy of the directory on this device answers reads. */
export const sendUntyped = async <C extends Call>(call: C, sent: AnyRequest = {}): Promise<ResponseOf<C>> => {
  const mayAnswer = call.method === 'GET' && pastDay === undefined && getCopy() !== null
  const timeoutMs = mayAnswer ? (isOffline() ? COPY_ANSWERS_SOON_MS : COPY_ANSWERS_AFTER_MS) : undefined
  try {
    const read: ReadResponse<unknown> = async (response, lost) => (response.status === 204 ? undefined : response.json().catch(lost))
    return (await sendRequest(call, { timeoutMs, ...sent }, read)) as ResponseOf<C>
  } catch (error) {
    const found = mayAnswer && error instanceof ConnectionLost ? await answerOffline(call, sent) : undefined
    if (found === undefined) throw error
    noteConnection(true)
    return found.answer as ResponseOf<C>
  }
}

/** Sends a call and returns its response; a refusal throws its `Problem`, a network failure `ConnectionLost`. */
export const send = <C extends Call>(call: C, ...[sent]: RequestArguments<C>): Promise<ResponseOf<C>> => sendUntyped(call, sent)
