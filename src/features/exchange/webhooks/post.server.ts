import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

import { getErrorCode } from '../../../platform/server/error-code.ts'
import { createPublicLookup, findTargetError, RefusedTarget } from './target.server.ts'

/** From the name lookup to the response headers. */
const TIMEOUT_MS = 15_000
/** The response body is ignored; a longer one costs its connection. */
const MAX_RESPONSE_BYTES = 64 * 1024
const MAX_SOCKETS = 16

interface HttpClientOptions {
  readonly allowPrivate: boolean
  readonly lookup?: LookupFunction
  readonly timeoutMs?: number
  /** The proxy for a URL; undefined for a direct connection. */
  readonly findProxy?: (address: string) => string | undefined
}

interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** The answer to a message: its status, and how long it asks to wait, `Retry-After` in seconds or as a date. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfterMs: number | undefined
}
const MAX_RETRY_AFTER_MS = 3_600_000

const readRetryAfter = (header: string | undefined): number | undefined => {
  const ms = header === undefined ? Number.NaN : /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}

const isStaleConnection = (error: unknown): boolean => getErrorCode(error) === 'ECONNRESET'

/** Posts messages to webhooks over keep-alive connections. Does not follow redirects or store cookies. */
export class WebhookHttpClient {
  readonly #options: HttpClientOptions
  readonly #lookup: LookupFunction | undefined
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  }

  readonly #proxyAgents = new Map<string, http.Agent>()

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#lookup = options.lookup ?? (options.allowPrivate ? undefined : createPublicLookup())
  }

  /** Throws if there is no answer. */
  async post(message: Message): Promise<PostAnswer> {
    const error = findTargetError(message.url, this.#options.allowPrivate)
    if (error !== undefined) throw new RefusedTarget(error)
    const { timeoutMs = TIMEOUT_MS } = this.#options
    const signal = AbortSignal.any([message.signal, AbortSignal.timeout(timeoutMs)])
    const proxy = this.#options.findProxy?.(message.url)
    if (proxy !== undefined) await this.#checkName(new URL(message.url).hostname)
    return this.#send({ ...message, signal }, true, proxy)
  }

  /** With a proxy, the proxy looks up the name; a name that resolves to a private address here is refused all the same. */
  async #checkName(hostname: string): Promise<void> {
    const lookup = this.#lookup
    if (!lookup || isIP(hostname) !== 0) return
    await new Promise<void>((resolve, reject) => {
      lookup(hostname, { all: true }, (error) => (error instanceof RefusedTarget ? reject(error) : resolve()))
    })
  }

  #agentOf(url: URL, proxy: string | undefined): http.Agent {
    const isSecure = url.protocol === 'https:'
    if (proxy === undefined) return this.#agents[isSecure ? 'https:' : 'http:']
    const known = this.#proxyAgents.get(url.protocol)
    if (known) return known
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS, proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }
    const agent = isSecure ? new https.Agent(options) : new http.Agent(options)
    this.#proxyAgents.set(url.protocol, agent)
    return agent
  }

  #send(message: Message, mayRetry: boolean, proxy: string | undefined): Promise<PostAnswer> {
    const url = new URL(message.url)
    const isSecure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).request(url, {
        method: 'POST',
        agent: this.#agentOf(url, proxy),
        headers: {
          ...message.headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'user-agent': 'Homeroom',
        },
        signal: message.signal,
        // The proxy itself may be on a private network.
        ...(this.#lookup && proxy === undefined ? { lookup: this.#lookup } : {}),
      })
      request.on('response', (response) => {
        resolve({ status: response.statusCode ?? 0, retryAfterMs: readRetryAfter(response.headers['retry-after']) })
        let size = 0
        response.on('error', () => undefined) // a truncated body does not matter
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_RESPONSE_BYTES) request.destroy()
        })
      })
      request.on('error', (error) => {
        // The other side closed an idle connection just before it was reused, so it has read nothing.
        if (mayRetry && request.reusedSocket && isStaleConnection(error)) resolve(this.#send(message, false, proxy))
        else reject(error)
      })
      request.end(message.body)
    })
  }

  close(): void {
    for (const agent of [...Object.values(this.#agents), ...this.#proxyAgents.values()]) agent.destroy()
  }
}

/** Why there was no response, as a text for level 1. */
export const formatPostError = (error: unknown): string => {
  if (error instanceof RefusedTarget) return error.message
  if (!(error instanceof Error)) return 'The connection failed'
  if (error.name === 'TimeoutError' || (error.cause instanceof Error && error.cause.name === 'TimeoutError'))
    return 'No answer in 15 seconds'
  return error.message === '' ? getErrorCode(error) : error.message.slice(0, 300)
}
