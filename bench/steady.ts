import { Agent, request } from 'node:http'

export interface SteadyRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  /** What to call it in the table. */
  readonly kind: string
  /** Is told the cache tag of the answer. */
  readonly onTag?: (etag: string) => void
}

/** What came of asking at a steady rate. */
export interface SteadyResult {
  readonly answers: number
  /** Answers of 4xx and 5xx, and connections that broke, by what they were. */
  readonly errors: ReadonlyMap<string, number>
  /** Milliseconds from the moment a request was due, by kind and for all of them (`all`). */
  readonly times: ReadonlyMap<string, { readonly p50: number; readonly p95: number; readonly p99: number; readonly count: number }>
}

const MAX_SOCKETS = 400

/**
 * Asks so many times a second, whether the server keeps up or not: a request's time counts from the moment it was due, so that a server that stalls
 * does not look fast because it was asked less (the mistake of every closed loop).
 */
export const sendSteadily = async (
  port: number,
  rate: number,
  seconds: number,
  next: (at: number) => SteadyRequest,
  each: (second: number) => Promise<void> = async () => {},
): Promise<SteadyResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  const times = new Map<string, number[]>()
  const errors = new Map<string, number>()
  const failed = (what: string): void => void errors.set(what, (errors.get(what) ?? 0) + 1)
  const waiting = new Set<Promise<void>>()
  let answers = 0

  const ask = ({ method, path, headers, body, kind, onTag: tagged }: SteadyRequest, due: number): Promise<void> =>
    new Promise((resolve) => {
      const json = body && JSON.stringify(body)
      const typed = json === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) }
      const sent = request({ agent, port, host: '127.0.0.1', method, path, headers: { ...headers, ...typed } }, (response) => {
        response.resume()
        response.on('error', (error) => (failed(`${kind}: ${error.message}`), resolve()))
        response.on('end', () => {
          answers++
          const took = performance.now() - due
          for (const name of [kind, 'all']) {
            const list = times.get(name) ?? []
            list.push(took)
            times.set(name, list)
          }
          const status = response.statusCode ?? 0
          if (status >= 400) failed(`${kind}: ${status}`)
          else if (tagged && response.headers.etag) tagged(response.headers.etag)
          resolve()
        })
      })
      sent.on('error', (error) => (failed(`${kind}: ${error.message}`), resolve()))
      sent.end(json)
    })

  const began = performance.now()
  for (let at = 0; at < rate * seconds; at++) {
    const due = began + (at * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    if (at % rate === 0) void each(at / rate)
    const asked = ask(next(at), due)
    waiting.add(asked)
    void asked.then(() => waiting.delete(asked))
  }
  await Promise.all(waiting)
  agent.destroy()
  const part = (sorted: readonly number[], share: number): number =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10
  return {
    answers,
    errors,
    times: new Map(
      [...times].map(([kind, all]) => {
        const sorted = all.toSorted((a, b) => a - b)
        return [kind, { p50: part(sorted, 0.5), p95: part(sorted, 0.95), p99: part(sorted, 0.99), count: all.length }]
      }),
    ),
  }
}
