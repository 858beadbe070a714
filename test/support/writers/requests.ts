import { toRequest } from '../api-client.ts'

/** A user of a server: someone's authentication headers, and the server that they send requests to. */
export interface Client {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Longer than any response may take, however busy the machine is. */
const MAX_RESPONSE_MS = 45_000

/** A whole response; without one the status is 0, and the text says why. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** The id of the request, as stored in the history. */
  readonly request: string
  /** `503` with `Retry-After`, as a problem. */
  readonly isUnavailable: boolean
  readonly ms: number
}

/** Sends one request, and reads its response to the end. */
export const sendAndReadBody = async ({ url, headers }: Client, method: string, path: string, body?: unknown): Promise<Answer> => {
  const began = performance.now()
  const measureMs = (): number => performance.now() - began
  try {
    const response = await fetch(url + path, { ...toRequest(method, headers, body), signal: AbortSignal.timeout(MAX_RESPONSE_MS) })
    const text = await response.text()
    const header = (name: string): string => response.headers.get(name) ?? ''
    const isProblem = header('content-type').startsWith('application/problem+json')
    const isUnavailable = response.status === 503 && Number(header('retry-after')) > 0 && isProblem
    return { status: response.status, text, request: header('x-request-id'), isUnavailable, ms: measureMs() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return { status: 0, text: `${String(error)}${cause}`, request: '', isUnavailable: false, ms: measureMs() }
  }
}
