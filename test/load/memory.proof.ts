import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

import { calls } from '../../src/app/routes.server.ts'
import { type Call, callName } from '../../src/contract/call.ts'
import { can } from '../../src/contract/capabilities.ts'
import { toInputJsonSchema } from '../../src/platform/server/body-limit.ts'
import { endsSessions, fillPath } from '../support/api-client.ts'
import { createFileForm, openHttpClient } from '../support/http-requests.ts'
import { buildLargestBody } from '../support/largest-bodies.ts'
import { createFile, createNoisyImage } from '../support/pictures.ts'
import { type Proof, runProof } from '../support/proof.ts'
import { readKnownValues } from '../support/read-paths.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'
import type { HealthMeasurements } from './memory/health-watch.ts'

// The largest request of every call, sent many times concurrently, while memory and health are monitored.

const MAX_MEGABYTES = 600
const MAX_HEALTH_MS = 100
/** How often a load is sent if health checks were slow: what the machine did meanwhile does not repeat, what blocks the server does. */
const MAX_TRIES = 3

/** Ids of records, by the words of paths that mean them. */
type Ids = Readonly<Record<string, readonly string[]>>

/** What is sent concurrently: its name, its call, and its inputs. */
interface Load {
  readonly name: string
  readonly call: Call
  readonly params: Readonly<Record<string, string>>
  readonly body?: Buffer
  readonly type?: string
}

/** A picture of nearly the maximum size. */
const largestPicture = async (field: string): Promise<Pick<Load, 'body' | 'type'>> => {
  const picture = createFile(await createNoisyImage(1800, 1800).png().toBuffer(), 'noise.png', 'image/png')
  const form = new Response(createFileForm(picture, field))
  return { type: form.headers.get('content-type') ?? '', body: Buffer.from(await form.arrayBuffer()) }
}
const json = (text: string): Pick<Load, 'body' | 'type'> => ({ type: 'application/json', body: Buffer.from(text) })

const LISTS = ['sites', 'charters', 'brands', 'regions', 'leadership', 'support']
const VALUES = `{"values":[${'{},'.repeat(340_000)}{}]}`

/** Every call with its largest request, and requests designed to be expensive. */
const listLoads = async (ids: Ids): Promise<Load[]> => {
  const all: Load[] = []
  for (const call of calls) {
    if (endsSessions(call) || call.response === 'events') continue
    const params = Object.fromEntries(Object.keys(call.params?.shape ?? {}).map((name) => [name, getParam(call, name, ids)]))
    const load = { name: callName(call), call, params }
    if (call.upload) all.push({ ...load, ...(await largestPicture(call.upload.field)) })
    else if (call.body) all.push({ ...load, ...json(buildLargestBody(toInputJsonSchema(call.body))) })
    else all.push(load)
    if (call.body) all.push({ ...load, name: `${load.name}, nothing but values`, ...json(VALUES) })
    if (call.path === '/api/exports/list')
      for (const list of LISTS) all.push({ ...load, name: `${load.name}, ${list}`, ...json(JSON.stringify({ list, format: 'xlsx' })) })
  }
  return all
}

const getParam = ({ path }: Call, name: string, ids: Ids): string => {
  if (name === 'group') return 'LEADERSHIP'
  const kind = Object.keys(ids).find((one) => path.includes(one))
  return (kind && ids[kind]?.[0]) ?? 'nobody'
}

/** The level with the least access that may make the call; null if no session is needed. */
const getRequiredLevel = ({ capability }: Call): number | null =>
  capability === 'no session' ? null : ([10, 6, 5, 1].find((level) => can(level, capability)) ?? 1)

/** The threads of this process: Linux gives each a priority of its own; elsewhere the process has one. */
const readThreads = (): number[] => (existsSync('/proc/self/task') ? readdirSync('/proc/self/task').map(Number) : [process.pid])

/**
 * Starts watching a server. From then on the threads that send the requests have a lower priority than the server and the watch: senders represent
 * other machines, and must not be measured. `read` returns the measurements since the last call.
 */
const watchHealth = (server: TestServer) => {
  const { pid } = server.program.child
  const senders = readThreads()
  const worker = new Worker(new URL('memory/health-watch.ts', import.meta.url), { workerData: { url: server.url, pid } })
  worker.once('online', () => {
    for (const thread of senders) setPriority(thread, constants.priority.PRIORITY_LOW)
  })
  const read = async (): Promise<HealthMeasurements> => {
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    worker.postMessage('read')
    const [measured] = (await once(worker, 'message')) as [HealthMeasurements]
    return measured
  }
  return { read, [Symbol.asyncDispose]: async () => void (await worker.terminate()) }
}

/** Sends a load many times concurrently from one account; returns the statuses: 0 for a broken connection. */
const sendAtOnce = async (server: TestServer, { call, body, type, params }: Load, count: number): Promise<number[]> => {
  const level = getRequiredLevel(call)
  const headers = {
    ...(level === null ? {} : (await signInAt(server, level)).headers),
    ...(type === undefined ? {} : { 'content-type': type }),
  }
  using client = openHttpClient(server.url, { maxSockets: Infinity })
  // If a body is refused before it is read, its connection may be closed while it is sent.
  const sendOne = (): Promise<number> =>
    client.send(call.method, fillPath(call, params), { headers, body }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error && /^no response|aborted/.test(error.message) ? 0 : -1),
    )
  return await Promise.all(Array.from({ length: count }, sendOne))
}

/** Sends each load whose name fits, `atOnce` times, to a server with a network of this size. */
export const runMemoryProof = async (
  { log, report, expectEqual, expectAtMost }: Proof,
  {
    sites,
    atOnce,
    isSelected,
    maxTries = MAX_TRIES,
  }: { sites: number; atOnce: number; isSelected: (name: string) => boolean; maxTries?: number },
): Promise<void> => {
  await using server = await startServer({ SAMPLE: String(sites) })
  // The practice provider is loaded by the first sign-in; a server of an organization has none.
  await fetch(`${server.url}/auth/azure`, { redirect: 'manual' })
  await using watch = watchHealth(server)
  const { ids } = await readKnownValues(server.db)
  const loads = (await listLoads({ people: ids.person, ...ids })).filter(({ name }) => isSelected(name))
  const all: number[] = []
  let [most, slowest, failedChecks, repeated] = [0, 0, 0, 0]
  /** Sends a load; returns the slowest health check meanwhile. */
  const measure = async (load: Load): Promise<number> => {
    await watch.read()
    const statuses = await sendAtOnce(server, load, atOnce)
    const seen = await watch.read()
    const slowestCheck = Math.max(...seen.times)
    const kinds = Object.entries(Object.groupBy(statuses, String)).map(([status, found]) => `${found?.length} x ${status}`)
    log(`      ${load.name}: ${kinds.join(', ')}; ${Math.round(seen.most)} MB; /healthz ${Math.round(slowestCheck)} ms`)
    most = Math.max(most, seen.most)
    failedChecks += seen.failedChecks
    all.push(...statuses)
    return slowestCheck
  }
  for (const load of loads) {
    let slowestCheck = await measure(load)
    for (let tries = 1; slowestCheck > MAX_HEALTH_MS && tries < maxTries; tries++) {
      repeated++
      slowestCheck = Math.min(slowestCheck, await measure(load))
    }
    slowest = Math.max(slowest, slowestCheck)
  }
  if (!all.some((status) => status >= 200 && status < 300)) throw new Error('No request succeeded, so that nothing was measured')
  report('Sites of the network', sites)
  report('Requests, each sent many times at once by one account or without one', loads.length)
  report('Of each at once', atOnce)
  report('Loads sent again because health checks were slow', repeated)
  report('Responses of 429, asked to come back', all.filter((status) => status === 429).length)
  expectEqual('Responses of 500, or broken off', all.filter((status) => status === 0 || status === 500).length, 0)
  expectEqual('Failed health checks during the requests', failedChecks, 0)
  expectAtMost('Most memory (RSS) of the server', Math.round(most), MAX_MEGABYTES, 'MB')
  expectAtMost('Slowest response of /healthz during the requests', Math.round(slowest), MAX_HEALTH_MS, 'ms')
}

if (import.meta.main) {
  const text = { type: 'string', default: '' } as const
  const { values } = parseArgs({
    options: { sites: { ...text, default: '300' }, 'at-once': { ...text, default: '50' }, only: text, write: { type: 'boolean' } },
  })
  const isSelected = (name: string): boolean => name.includes(values.only)
  await runProof('memory', (proof) => runMemoryProof(proof, { sites: Number(values.sites), atOnce: Number(values['at-once']), isSelected }))
}
