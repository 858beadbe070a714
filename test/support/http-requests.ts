import { Agent, request as send } from 'node:http'

import type { FastifyInstance } from 'fastify'

/** What a server answered. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

export interface RequestOptions {
  readonly headers?: Record<string, string>
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

/** Sends one request; nothing is added that a browser would add, and no redirect is followed. */
export type SendRequest = (method: string, path: string, asked?: RequestOptions) => Promise<HttpResponse>

const serializeBody = ({ headers = {}, body }: RequestOptions): { headers: Record<string, string>; payload: string | Buffer | undefined } =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    ? { headers, payload: body }
    : { headers: { 'content-type': 'application/json', ...headers }, payload: JSON.stringify(body) }

/** Asks a server of this process without a network. */
export const injectInto =
  (app: FastifyInstance, authority: string): SendRequest =>
  async (method, url, asked = {}) => {
    const { headers, payload } = serializeBody(asked)
    const answer = await app.inject({ method: method as 'GET', url, authority, headers, ...(payload === undefined ? {} : { payload }) })
    return { status: answer.statusCode, headers: answer.headers as HttpResponse['headers'], body: answer.body }
  }

/** Asks over the network, on connections that are kept. */
export const openHttpClient = (base: string, sockets = 20): { ask: SendRequest; close: () => void } => {
  const { hostname, port } = new URL(base)
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const ask: SendRequest = (method, path, asked = {}) =>
    new Promise((resolve, reject) => {
      const { headers, payload } = serializeBody(asked)
      const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
      const out = send({ agent, hostname, port, method, path, headers: { host: `${hostname}:${port}`, ...length, ...headers } })
      out.on('error', reject)
      out.on('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces).toString() })
        })
      })
      out.end(payload)
    })
  return { ask, close: () => agent.destroy() }
}
