import { type Client, sendAndReadBody } from '../../support/writers/requests.ts'

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
  async send<T = unknown>(client: Client, method: string, path: string, body?: object): Promise<T | undefined> {
    this.sent++
    const { status, text, isUnavailable, ms } = await sendAndReadBody(client, method, path, body)
    this.slowestMs = Math.max(this.slowestMs, ms)
    if (status === 0) this.connectionErrors.push(`${method} ${path}: ${text}`)
    else if (isUnavailable) this.unavailable++
    else if (status >= 300) this.unexpected.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
    else {
      this.succeeded++
      return JSON.parse(text) as T
    }
    return undefined
  }
}
