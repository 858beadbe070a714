// 200 requests a second for ten minutes, 90 % of them reads, on 1,000 sites and 10,000 people: nothing fails, and memory stops growing after two
// minutes. `--minutes N` for a shorter run.
import { createRandom } from '../../sample/random.ts'
import { startBaselineServer } from '../support/baseline-server.ts'
import { openHttpClient, type RequestOptions } from '../support/http-requests.ts'
import { startNetwork } from '../support/large-network.ts'
import { toLetters } from '../support/new-records.ts'
import { getPercentile } from '../support/percentile.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { readKnownValues } from '../support/read-paths.ts'
import { runAtRate } from '../support/run-at-rate.ts'
import { signInAt } from '../support/sessions.ts'

const RATE = 200
const MAX_SOCKETS = 400
const READERS = 40
const WRITERS = 10
const SITES_SAVED = 200
const BARE_SECONDS = 60
const SETTLED_MINUTES = 2
const { minutes } = readNumberOptions({ minutes: 10 })
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
interface Answer {
  readonly kind: string
  readonly ms: number
  /** A status of 4xx or 5xx, or what broke the connection. */
  readonly error?: string
}

/** Sends requests at the rate. */
const sendAtRate = async (url: string, seconds: number, next: (at: number) => RateRequest): Promise<Answer[]> => {
  using client = openHttpClient(url, { maxSockets: MAX_SOCKETS })
  const answers: Answer[] = []
  await runAtRate(RATE * seconds, RATE, async (at, due) => {
    const { kind, method, path, onTag, ...options } = next(at)
    const answer = await client.send(method, path, options).catch((error: Error) => error)
    const status = answer instanceof Error ? answer.message : answer.status
    const isAnswered = typeof status === 'number' && status < 400
    answers.push({ kind, ms: performance.now() - due, ...(isAnswered ? {} : { error: String(status) }) })
    if (!(answer instanceof Error) && isAnswered && answer.headers['etag']) onTag?.(String(answer.headers['etag']))
  })
  return answers
}

await runProof('load', async ({ log, report, expectEqual, expectAtMost }) => {
  await using network = await startNetwork(1000, 10_000, log)
  const { url } = network
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

  const site = await fetch(`${url}/locations-api/siteslugprograms/${slugs.site[0] ?? ''}`, { headers: network.headers })
  const bare = await startBaselineServer(Buffer.from(await site.arrayBuffer()))
  const beside = await sendAtRate(`http://127.0.0.1:${bare.port}`, BARE_SECONDS, () => ({ kind: 'bare', method: 'GET', path: '/' }))
  await bare.stop()

  let settled = 0
  const settledAt = Math.min(SETTLED_MINUTES, minutes / 2) * 60
  log(`${RATE} requests a second for ${minutes} minutes …`)
  const answers = await sendAtRate(url, minutes * 60, (at) => {
    const second = at / RATE
    if (second === settledAt) settled = network.memory()
    if (second > 0 && second % 60 === 0) log(`minute ${second / 60}: ${Math.round(network.memory())} MB`)
    return next(at)
  })
  const memory = network.memory()

  report('Sites, people', '1,000, 10,000')
  report('Requests a second, and minutes', `${RATE}, ${minutes}`)
  report('Responses', answers.length)
  const errors = answers.filter(({ error }) => error !== undefined)
  for (const [what, all] of Map.groupBy(errors, ({ kind, error }) => `${kind}: ${error}`)) report(`Failed: ${what}`, all.length)
  expectEqual('Responses of 4xx or 5xx and broken connections', errors.length, 0)
  const within = (all: readonly Answer[], share: number): string => {
    const times = all.map(({ ms }) => ms)
    return `${Math.round(getPercentile(times, share) * 10) / 10} ms`
  }
  for (const [kind, all] of [['All of them', answers] as const, ...Map.groupBy(answers, ({ kind }) => kind)]) {
    const [half, most, nearlyAll] = [within(all, 0.5), within(all, 0.95), within(all, 0.99)]
    report(kind, `${all.length.toLocaleString('en-US')} times; half within ${half}, 95 % within ${most}, 99 % within ${nearlyAll}`)
  }
  const bareTimes = `half within ${within(beside, 0.5)}, 95 % within ${within(beside, 0.95)}`
  report('A bare node:http server with the bytes of one site, at the same rate', bareTimes)
  report('Memory after two minutes, and at the end', `${Math.round(settled)} MB, ${Math.round(memory)} MB`)
  expectAtMost('Memory at the end, in percent of that after two minutes', Math.round((memory / settled) * 1000) / 10, 110, '%')
})
