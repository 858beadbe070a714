import type { Client } from '../../support/writers/writers.ts'

/** Counts responses by kind. */
export class ResponseLog {
  sent = 0
  succeeded = 0
  /** `503` with `Retry-After`, as a problem. */
  unavailable = 0
  /** Anything else, as text. */
  readonly unexpected: string[] = []
  /** No response: a refused or broken connection. */
  readonly connectionErrors: string[] = []
  slowestMs = 0

  /** Sends one request; returns the response if it succeeded. */
  async send<T = unknown>({ url, headers }: Client, method: string, path: string, body?: object): Promise<T | undefined> {
    this.sent++
    const began = performance.now()
    try {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(120_000),
      })
      const text = await response.text()
      if (response.status < 300) {
        this.succeeded++
        return JSON.parse(text) as T
      }
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
      if (response.status === 503 && Number(response.headers.get('retry-after')) > 0 && isProblem) this.unavailable++
      else this.unexpected.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
      this.connectionErrors.push(`${method} ${path}: ${String(error)} ${cause}`)
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began)
    }
    return undefined
  }
}
