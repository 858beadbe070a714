import { Agent, request } from 'node:http'

export interface ConstantRateRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  /** Its name in the table. */
  readonly kind: string
  /** Called with the ETag of the response. */
  readonly onTag?: (etag: string) => void
}

/** The result of a load at a steady rate. */
export interface ConstantRateResult {
  readonly responses: number
  /** Responses of 4xx and 5xx, and broken connections, by kind and status or message. */
  readonly errors: ReadonlyMap<string, number>
  /** Milliseconds from the moment a request was due, by kind and for all of them (`all`). */
  readonly times: ReadonlyMap<string, { readonly p50: number; readonly p95: number; readonly p99: number; readonly count: number }>
}

const MAX_SOCKETS = 400

/**
 * Sends `rate` requests a second, whether or not the server keeps up. A request's time counts from the moment it was due, so that a server that
 * stalls does not look fast because it gets fewer requests, as it would in a closed loop.
 */
export const sendAtConstantRate = async (
  port: number,
  rate: number,
  seconds: number,
  next: (at: number) => ConstantRateRequest,
  each: (second: number) => Promise<void> = async () => {},
): Promise<ConstantRateResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  const times = new Map<string, number[]>()
  const errors = new Map<string, number>()
  const countError = (what: string): void => void errors.set(what, (errors.get(what) ?? 0) + 1)
  const pending = new Set<Promise<void>>()
  let responses = 0

  const send = ({ method, path, headers, body, kind, onTag }: ConstantRateRequest, due: number): Promise<void> =>
    new Promise((resolve) => {
      const json = body && JSON.stringify(body)
      const bodyHeaders =
        json === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) }
      const clientRequest = request(
        { agent, port, host: '127.0.0.1', method, path, headers: { ...headers, ...bodyHeaders } },
        (response) => {
          response.resume()
          response.on('error', (error) => (countError(`${kind}: ${error.message}`), resolve()))
          response.on('end', () => {
            responses++
            const duration = performance.now() - due
            for (const name of [kind, 'all']) {
              const list = times.get(name) ?? []
              list.push(duration)
              times.set(name, list)
            }
            const status = response.statusCode ?? 0
            if (status >= 400) countError(`${kind}: ${status}`)
            else if (onTag && response.headers.etag) onTag(response.headers.etag)
            resolve()
          })
        },
      )
      clientRequest.on('error', (error) => (countError(`${kind}: ${error.message}`), resolve()))
      clientRequest.end(json)
    })

  const startedAt = performance.now()
  for (let at = 0; at < rate * seconds; at++) {
    const due = startedAt + (at * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    if (at % rate === 0) void each(at / rate)
    const response = send(next(at), due)
    pending.add(response)
    void response.then(() => pending.delete(response))
  }
  await Promise.all(pending)
  agent.destroy()
  const getPercentile = (sorted: readonly number[], share: number): number =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10
  return {
    responses,
    errors,
    times: new Map(
      [...times].map(([kind, all]) => {
        const sorted = all.toSorted((a, b) => a - b)
        return [
          kind,
          { p50: getPercentile(sorted, 0.5), p95: getPercentile(sorted, 0.95), p99: getPercentile(sorted, 0.99), count: all.length },
        ]
      }),
    ),
  }
}
