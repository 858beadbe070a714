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
export const fillPath = ({ path }: Call, params: object = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String((params as Record<string, string | number>)[name] ?? '')))

/** The path of a call with its parameters and its query. */
export const addressOf = (call: Call, params: object = {}, query: object = {}): string => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? fillPath(call, params) : `${fillPath(call, params)}?${search}`
}

/** Calls that would end their sender's own sessions. */
export const endsSessions = ({ path, method }: Call): boolean =>
  /logout|sign-out|\/sessions/.test(path) && (method !== 'GET' || /logout/.test(path))

/** The options of `fetch` for a request: a form is sent as it is, any other body as JSON. */
export const toRequest = (method: string, headers: Readonly<Record<string, string>>, body?: unknown): RequestInit => {
  if (body === undefined || body instanceof FormData) return { method, headers: { ...headers }, body: body ?? null }
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Sends a request that must succeed, and returns the JSON of its response. */
export const fetchJson = async <T = unknown>(url: string, request: RequestInit): Promise<T> => {
  const response = await fetch(url, request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.method ?? 'GET'} ${url} answered ${response.status}: ${text.slice(0, 1000)}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Sends with someone's headers over the network, and honors Retry-After. */
export const createSender =
  (url: string, headers: Readonly<Record<string, string>>): SendBody =>
  async (call, params, body) => {
    for (;;) {
      const response = await fetch(`${url}${fillPath(call, params)}`, { ...toRequest(call.method, headers, body), redirect: 'manual' })
      const text = await response.text()
      if (response.status === 429) {
        await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
        continue
      }
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : null }
    }
  }
