import { sql } from 'kysely'

import { callName } from '../../src/contract/call.ts'
import { calls } from '../../src/routes.server.ts'
import { openHttpClient } from '../support/http-requests.ts'
import { readMemoryMegabytes } from '../support/process-memory.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { readKnownValues } from '../support/read-paths.ts'
import { startServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'
import { sendGeneratedRequests, type Sender } from './requests/send-requests.ts'

const { requests, seed } = readNumberOptions({ requests: 100_000, seed: 7 })
const LEVELS = [1, 5, 6, 10]
const SENDERS_OF_EACH = 12
const AT_ONCE = 16

/** Ids and slugs of the network's records except those of sign-ins: a request must not end or remove the senders. */
const RECORDS = sql<{ id: string }>`
  select _id::text as id from site union all select slug from site union all select _id::text from charter union all select slug from charter
  union all select _id::text from brand union all select _id::text from person union all select _id::text from region union all select _id::text from role
  union all select _id::text from program_type union all select _id::text from sis_site limit 3000`

await runProof('requests', async ({ log, report, expectEqual, expectNone, expectAtMost }) => {
  await using server = await startServer({ SAMPLE: '20' })
  const { db, url, program } = server
  using client = openHttpClient(url)
  const { send } = client
  const senders: Sender[] = []
  for (const level of LEVELS)
    for (let nth = 0; nth < SENDERS_OF_EACH; nth++)
      senders.push({ name: `level ${level}`, headers: (await signInAt(server, level)).headers, from: '127.0.0.1' })
  // Without a session limits apply per address, so many addresses are used, like in reality.
  for (let nth = 0; nth < SENDERS_OF_EACH; nth++) senders.push({ name: 'nobody', headers: {}, from: `127.0.0.${10 + nth}` })
  const ids = (await RECORDS.execute(db)).rows.map(({ id }) => id)

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
  const totals = await sendGeneratedRequests(url, {
    requests,
    seed,
    senders,
    ids,
    atOnce: AT_ONCE,
    onSent: (sent) => {
      if (sent % Math.ceil(requests / 20) !== 0) return
      memory.push(readMemoryMegabytes(program.child.pid))
      log(`      ${sent} sent, ${Math.round((Date.now() - started) / 1000)} s, ${Math.round(memory.at(-1) ?? 0)} MB`)
    },
  })
  clearInterval(watch)

  report('Requests generated and sent over the network', totals.sent)
  report('Seed', seed)
  report('Senders of level 1, 5, 6 and 10, and without a session, of each', SENDERS_OF_EACH)
  for (const [kind, count] of Object.entries(totals.byClass).toSorted()) report(`Answered ${kind}`, count)
  expectNone('Answers of 500 or more, or none', totals.failed)
  expectNone('Answers with a stack trace, a path of a file, SQL or a message of the database', totals.disclosing)
  expectNone('Refusals that are not application/problem+json', totals.notProblems)
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
