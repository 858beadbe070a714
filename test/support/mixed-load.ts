import { createRandom } from '../../sample/random.ts'
import { openHttpClient, type RequestOptions } from './http-requests.ts'
import type { Network } from './large-network.ts'
import { toLetters } from './new-records.ts'
import { readKnownValues } from './read-paths.ts'
import { runAtRate } from './run-at-rate.ts'
import { signInAt } from './sessions.ts'

/** Requests a second; every tenth is a save. */
export const MIXED_RATE = 200
const MAX_SOCKETS = 400
const READERS = 40
const WRITERS = 10
const SITES_SAVED = 200
const LISTS = ['sites_pop', 'site_summaries', 'people', 'charters_pop', 'regions_pop', 'brand'] as const
const SEARCHES = ['marisol', 'principal lodi', 'srm michigan', 'lodi', '209-555', 'resource center fresno', 'rosa', 'counselor dayton']

interface RateRequest extends RequestOptions {
  /** Its name in the table. */
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly onTag?: (etag: string) => void
}

/** The answer to one request; `ms` counts from the moment it was due. */
export interface RateAnswer {
  readonly kind: string
  readonly ms: number
  /** A status of 4xx or 5xx, or what broke the connection. */
  readonly error?: string
}

/** Sends requests at `MIXED_RATE`. */
export const sendAtRate = async (url: string, seconds: number, next: (at: number) => RateRequest): Promise<RateAnswer[]> => {
  using client = openHttpClient(url, { maxSockets: MAX_SOCKETS })
  const answers: RateAnswer[] = []
  await runAtRate(MIXED_RATE * seconds, MIXED_RATE, async (at, due) => {
    const { kind, method, path, onTag, ...options } = next(at)
    const answer = await client.send(method, path, options).catch((error: Error) => error)
    const status = answer instanceof Error ? answer.message : answer.status
    const isAnswered = typeof status === 'number' && status < 400
    answers.push({ kind, ms: performance.now() - due, ...(isAnswered ? {} : { error: String(status) }) })
    if (!(answer instanceof Error) && isAnswered && answer.headers['etag']) onTag?.(String(answer.headers['etag']))
  })
  return answers
}

/** The requests of a working day, by their number: lists, records, searches, and one save in ten; and the path of a site, for a bare server to send. */
export const createMixedRequests = async (
  network: Pick<Network, 'db' | 'configuration'>,
): Promise<{ readonly next: (at: number) => RateRequest; readonly sitePath: string }> => {
  const headersAtLevel = async (level: number) => ({ ...(await signInAt(network, level)).headers })
  const readers = await Promise.all(Array.from({ length: READERS }, () => headersAtLevel(10)))
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => headersAtLevel(6)))
  const { ids, slugs } = await readKnownValues(network.db)
  const random = createRandom('load', 1)
  const pick = <T>(all: readonly T[]): T => all[random.int(0, all.length - 1)] as T
  const tags = new Map<string, string>()

  const pickRead = (reader: number): Pick<RateRequest, 'kind' | 'path' | 'onTag' | 'headers'> => {
    const share = random.int(1, 90)
    if (share <= 12) {
      const path = `/locations-api/${pick(LISTS)}`
      // Like a browser that already has the list, sends the last ETag it received.
      const key = `${reader} ${path}`
      const tag = tags.get(key)
      return { kind: 'a whole list', path, onTag: (etag) => tags.set(key, etag), headers: tag ? { 'if-none-match': tag } : {} }
    }
    if (share <= 47) return { kind: 'a site', path: `/locations-api/siteslugprograms/${pick(slugs.site)}` }
    if (share <= 67) return { kind: 'a person', path: `/locations-api/people_sites_slug/${pick(slugs.person)}` }
    if (share <= 77) return { kind: 'a charter', path: `/locations-api/charterbyslug/${pick(slugs.charter)}` }
    return { kind: 'a search', path: `/api/search?q=${encodeURIComponent(pick(SEARCHES))}` }
  }
  const toSave = (nth: number): RateRequest => ({
    kind: 'a save',
    method: 'PATCH',
    path: `/locations-api/sites/${ids.site[nth % SITES_SAVED] ?? ''}`,
    headers: writers[nth % WRITERS] ?? {},
    body: { displayName: `Load ${toLetters(nth)}` },
  })
  const next = (at: number): RateRequest => {
    if (at % 10 === 0) return toSave(at / 10)
    const read = pickRead(at % READERS)
    return { ...read, method: 'GET', headers: { ...readers[at % READERS], 'accept-encoding': 'gzip, deflate, br', ...read.headers } }
  }
  return { next, sitePath: `/locations-api/siteslugprograms/${slugs.site[0] ?? ''}` }
}
