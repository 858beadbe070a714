import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

import type { Network } from '../test/support/large-network.ts'

export interface RequestOptions {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

/** Sends one request, and returns the response with its body as it is sent: `fetch` would decompress it. */
export const openResponse = async (
  { url }: Network,
  path: string,
  { method = 'GET', headers, body }: RequestOptions,
): Promise<IncomingMessage> => {
  const sent = request(`${url}${path}`, { method, headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) } })
  sent.end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${method} ${path} answered ${response.statusCode}`)
  return response
}
