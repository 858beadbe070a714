import { setTimeout as pause } from 'node:timers/promises'

import type { Call } from '../../src/contract/call.ts'

export interface ApiResponse {
  readonly status: number
  /** The JSON of the response; null if it is not JSON. */
  readonly body: unknown
}

/** Sends a call with any body, valid or not. */
export type SendBody = (call: Call, params: Readonly<Record<string, string>>, body?: unknown) => Promise<ApiResponse>

/** The path of a call with its parameters filled in. */
export const fillPath = ({ path }: Call, params: Readonly<Record<string, string | number>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))

/** Calls that would end their sender's own sessions. */
export const endsSessions = ({ path, method }: Call): boolean =>
  /logout|sign-out|\/sessions/.test(path) && (method !== 'GET' || /logout/.test(path))

/** Sends with someone's headers over the network, and honors Retry-After. */
export const createSender =
  (url: string, headers: Readonly<Record<string, string>>): SendBody =>
  async (call, params, body) => {
    const path = fillPath(call, params)
    for (;;) {
      const response = await fetch(`${url}${path}`, {
        method: call.method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
      })
      const text = await response.text()
      if (response.status === 429) {
        await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
        continue
      }
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : null }
    }
  }
