import { sql } from 'kysely'

import { calls } from '../../src/app/routes.server.ts'
import { callName } from '../../src/contract/call.ts'
import { endsSessions } from '../support/api-client.ts'
import { type HttpClient, openHttpClient } from '../support/http-requests.ts'
import { readMemoryMegabytes } from '../support/process-memory.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { readKnownValues } from '../support/read-paths.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { startServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'
import { type GeneratedRequest, generateRequests } from './generated-requests.ts'

const { requests, seed } = readNumberOptions({ requests: 100_000, seed: 7 })
const LEVELS = [1, 5, 6, 10]
const SENDERS_OF_EACH = 12
const AT_ONCE = 16

/** Ids and slugs of the network's records except those of sign-ins: a request must not end or remove the senders. */
const RECORDS = sql<{ id: string }>`
  select _id::text as id from site union all select slug from site union all select _id::text from charter union all select slug from charter
  union all select _id::text from brand union all select _id::text from person union all select _id::text from region union all select _id::text from role
  union all select _id::text from program_type union all select _id::text from sis_site limit 3000`

const INTERNALS =
  /node_modules|node:internal|\.[cm]?[jt]s:\d+|\n\s+at \S|\/src\/|\/tmp\/|\b(from|into|update|join)\s+"\w+"|\bselect\s+.{1,80}\s+from\s+\w+\s+where\b|relation "|syntax error at|invalid input syntax|violates|ECONN|kysely|SQLSTATE/i

/** A body that is too large may be refused before it is read: the connection is closed while it is sent. */
const MAX_READ_BYTES = 500_000

/** The user of a request, with connections from a loopback address. */
interface Sender {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly client: HttpClient
}

await runProof('requests', async ({ log, report, expectEqual, expectNone, expectAtMost }) => {
  await using server = await startServer({ SAMPLE: '20' })
  const { db, url, program } = server
  using client = openHttpClient(url)
  const { send } = client
  const senders: Sender[] = []
  for (const level of LEVELS)
    for (let nth = 0; nth < SENDERS_OF_EACH; nth++)
      senders.push({ name: `level ${level}`, headers: (await signInAt(server, level)).headers, client })
  // Without a session limits apply per address, so many addresses are used, like in reality.
  const anonymous = Array.from({ length: SENDERS_OF_EACH }, (_, nth): Sender => {
    const localAddress = `127.0.0.${10 + nth}`
    return { name: 'nobody', headers: {}, client: openHttpClient(url, { localAddress }) }
  })
  senders.push(...anonymous)
  const ids = (await RECORDS.execute(db)).rows.map(({ id }) => id)

  const byClass: Record<string, number> = {}
  const count = (kind: string): void => void (byClass[kind] = (byClass[kind] ?? 0) + 1)
  /** No response, or a status of 500 or more. */
  const failed: string[] = []
  const disclosing: string[] = []
  const notProblems: string[] = []
  const sendOne = async ({ call, method, path, headers, body }: GeneratedRequest, sender: Sender): Promise<void> => {
    const description = `${method} ${path.slice(0, 200)} by ${sender.name} ${(body ?? '').slice(0, 300)}`
    try {
      const response = await sender.client.send(method, path, { headers: { ...headers, ...sender.headers }, body })
      const { status } = response
      count(status === 429 ? '429' : `${Math.floor(status / 100)}xx`)
      if (status >= 500) failed.push(`${status} ${description}`)
      if (status < 400) return
      if (INTERNALS.test(response.body)) disclosing.push(`${description}: ${response.body.slice(0, 300)}`)
      const type = String(response.headers['content-type'])
      const isExempt = method === 'HEAD' || path.startsWith('/local-provider') || call.path.startsWith('/auth')
      if (!type.startsWith('application/problem+json') && !isExempt) notProblems.push(`${status} ${type} ${description}`)
    } catch (error) {
      const isLarge = Buffer.byteLength(body ?? '') > MAX_READ_BYTES
      count(isLarge ? 'closed while a large body was sent' : 'broken off')
      if (!isLarge) failed.push(`${error instanceof Error ? error.message : ''} ${description}`)
    }
  }

  let healthChecks = 0
  let dead = 0
  const watch = setInterval(() => {
    healthChecks++
    send('GET', '/healthz').then(
      ({ status }) => void (status === 200 || dead++),
      () => void dead++,
    )
  }, 500)
  const memory: number[] = []
  const started = Date.now()
  let [sent, completed] = [0, 0]
  await runConcurrently(generateRequests(ids, seed).take(requests), AT_ONCE, async (request) => {
    const among = endsSessions(request.call) ? anonymous : senders
    await sendOne(request, among[sent++ % among.length] as Sender)
    if (++completed % Math.ceil(requests / 20) !== 0) return
    memory.push(readMemoryMegabytes(program.child.pid))
    log(`      ${completed} sent, ${Math.round((Date.now() - started) / 1000)} s, ${Math.round(memory.at(-1) ?? 0)} MB`)
  })
  clearInterval(watch)
  for (const sender of anonymous) sender.client.close()

  report('Requests generated and sent over the network', sent)
  report('Seed', seed)
  report('Senders of level 1, 5, 6 and 10, and without a session, of each', SENDERS_OF_EACH)
  for (const [kind, count] of Object.entries(byClass).toSorted()) report(`Answered ${kind}`, count)
  expectNone('Responses of 500 or more, or none', failed)
  expectNone('Responses with a stack trace, a path of a file, SQL or a message of the database', disclosing)
  expectNone('Refusals that are not application/problem+json', notProblems)
  report('Health checks during the requests', healthChecks)
  expectEqual('of them not answered', dead, 0)
  const half = Math.max(...memory.slice(5, 10))
  report('Memory of the server in the second quarter, at most, MB', Math.round(half))
  expectAtMost('Memory of the server in the last quarter, at most', Math.round(Math.max(...memory.slice(15))), Math.round(half * 1.5), 'MB')
  expectEqual('Times the server exited', server.isRunning ? 0 : 1, 0)

  const { headers } = await signInAt(server, 1)
  const { ids: idsOf } = await readKnownValues(db)
  const RECORD_CALLS: Readonly<Record<string, readonly string[]>> = {
    'GET /locations-api/siteslugprograms/:slug': idsOf.site,
    'GET /locations-api/charterview/:id': idsOf.charter,
    'GET /locations-api/charter_affair/:id': idsOf.charter,
    'GET /locations-api/brandview/:id': idsOf.brand,
    'GET /locations-api/people_sites_slug/:slug': idsOf.person,
  }
  let read = 0
  const broken: string[] = []
  for (const call of calls) {
    if (call.method !== 'GET' || typeof call.response === 'string' || call.path.startsWith('/auth/')) continue
    const paths = call.params ? (RECORD_CALLS[callName(call)] ?? []).map((id) => call.path.replace(/:\w+/, id)) : [call.path]
    for (const path of paths) {
      const { status, body } = await send('GET', path, { headers })
      read++
      // A missing required query is reported.
      const isQueryMissing = status === 422 && call.query !== undefined
      if (!isQueryMissing && (status !== 200 || !call.response.safeParse(JSON.parse(body)).success))
        broken.push(`${path}: ${status} ${body.slice(0, 200)}`)
    }
  }
  report('Lists and records read afterwards', read)
  expectNone('of them that fail, or do not match their contract', broken)
})
