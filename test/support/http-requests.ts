import { Agent, request } from 'node:http'

import type { FastifyInstance } from 'fastify'

import { streamChanges } from '../../src/features/changing/live/contract.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Text and bytes are sent unchanged, a form as multipart/form-data, anything else as JSON. */
  readonly body?: unknown
}

/** A form with one file. */
export const createFileForm = (file: Blob, field = 'file'): FormData => {
  const form = new FormData()
  form.set(field, file)
  return form
}

/** Sends one request; adds no browser headers and follows no redirect. */
export type SendRequest = (method: string, path: string, options?: RequestOptions) => Promise<HttpResponse>

const serializeBody = async ({
  headers = {},
  body,
}: RequestOptions): Promise<{ headers: Record<string, string>; payload: string | Buffer | undefined }> => {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return { headers, payload: body }
  if (!(body instanceof FormData)) return { headers: { 'content-type': 'application/json', ...headers }, payload: JSON.stringify(body) }
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type') ?? ''
  return { headers: { 'content-type': type, ...headers }, payload: Buffer.from(await encoded.arrayBuffer()) }
}

/** Sends a request that must succeed; returns the JSON of its response. */
export const sendSuccessfully = async <T>(send: SendRequest, method: string, path: string, options: RequestOptions): Promise<T> => {
  const { status, body } = await send(method, path, options)
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${body}`)
  return (body === '' ? undefined : JSON.parse(body)) as T
}

/** Server-sent events do not end, so no one waits for their end. */
export const isStream = (url: string): boolean => url.split('?')[0] === streamChanges.path
const isEndless = (headers: Record<string, unknown>): boolean => String(headers['content-type']).startsWith('text/event-stream')

/** Sends requests to a server in this process without a network. */
export const injectInto =
  (app: FastifyInstance, authority: string): SendRequest =>
  async (method, url, options = {}) => {
    const { headers, payload } = await serializeBody(options)
    const request = { method: method as 'GET', url, authority, headers, ...(payload === undefined ? {} : { payload }) }
    const response = await app.inject(isStream(url) ? { ...request, payloadAsStream: true } : request)
    if (isEndless(response.headers)) response.raw.res.end()
    return { status: response.statusCode, headers: response.headers as HttpResponse['headers'], body: isStream(url) ? '' : response.body }
  }

export interface HttpClient extends Disposable {
  readonly send: SendRequest
  readonly close: () => void
}

/** Sends requests over keep-alive connections; `localAddress` is the loopback address they come from. */
export const openHttpClient = (
  url: string,
  { maxSockets = 20, timeoutMs = 120_000, localAddress }: { maxSockets?: number; timeoutMs?: number; localAddress?: string } = {},
): HttpClient => {
  const { hostname, port, host } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets, ...(localAddress === undefined ? {} : { localAddress }) })
  const send: SendRequest = async (method, path, options = {}) => {
    const { headers, payload } = await serializeBody(options)
    const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
    return new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers: { host, ...length, ...headers } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        if (isEndless(response.headers)) {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' })
          return sent.destroy()
        }
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            // Decoded when it is read: a proof of load reads no body, and decoding would delay its other requests.
            get body() {
              return Buffer.concat(chunks).toString()
            },
          })
        })
      })
      sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no response in ${timeoutMs / 1000} s`)))
      sent.on('error', reject)
      sent.end(payload)
    })
  }
  const close = (): void => agent.destroy()
  return { send, close, [Symbol.dispose]: close }
}
