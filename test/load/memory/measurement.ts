import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

import type { Call } from '../../../src/contract/call.ts'
import { callName } from '../../../src/contract/call.ts'
import { can } from '../../../src/contract/capabilities.ts'
import { toInputJsonSchema } from '../../../src/platform/server/body-limit.ts'
import { calls } from '../../../src/routes.server.ts'
import { endsSessions, fillPath } from '../../support/api-client.ts'
import { openHttpClient } from '../../support/http-requests.ts'
import { buildLargestBody } from '../../support/largest-bodies.ts'
import { createFile, createNoisyImage } from '../../support/pictures.ts'
import type { TestServer } from '../../support/server.ts'
import { signInAt } from '../../support/sessions.ts'

interface Sent {
  readonly type: string
  readonly bytes: Buffer
}

/** A picture of nearly the maximum size. */
const largestPicture = async (field: string): Promise<Sent> => {
  const data = new FormData()
  data.set(field, createFile(await createNoisyImage(1800, 1800).png().toBuffer(), 'noise.png', 'image/png'))
  const form = new Response(data)
  return { type: form.headers.get('content-type') ?? '', bytes: Buffer.from(await form.arrayBuffer()) }
}

/** What is sent concurrently: its name, its call, and its inputs. */
export interface Load {
  readonly name: string
  readonly call: Call
  readonly sent: Sent | undefined
  readonly params: Readonly<Record<string, string>>
}

const json = (text: string): Sent => ({ type: 'application/json', bytes: Buffer.from(text) })

const LISTS = ['sites', 'charters', 'brands', 'regions', 'leadership', 'support']
const VALUES = `{"values":[${'{},'.repeat(340_000)}{}]}`

/** Every call with its largest request, and requests designed to be expensive. */
export const listLoads = async (record: Readonly<Record<string, string>>): Promise<Load[]> => {
  const all: Load[] = []
  for (const call of calls) {
    if (endsSessions(call)) continue
    const params = Object.fromEntries(Object.keys(call.params?.shape ?? {}).map((name) => [name, getParam(call, name, record)]))
    const sent = call.upload
      ? await largestPicture(call.upload.field)
      : call.body
        ? json(buildLargestBody(toInputJsonSchema(call.body)))
        : undefined
    all.push({ name: callName(call), call, params, sent })
    if (call.body) all.push({ name: `${callName(call)}, nothing but values`, call, params, sent: json(VALUES) })
    if (call.path === '/api/exports/list')
      for (const list of LISTS)
        all.push({ name: `${callName(call)}, ${list}`, call, params, sent: json(JSON.stringify({ list, format: 'xlsx' })) })
  }
  return all
}

const getParam = ({ path }: Call, name: string, record: Readonly<Record<string, string>>): string => {
  if (name === 'group') return 'LEADERSHIP'
  const kind = Object.keys(record).find((one) => path.includes(one))
  return (kind && record[kind]) ?? 'nobody'
}

/** The level with the least access that may make the call; null if no session is needed. */
const getRequiredLevel = ({ capability }: Call): number | null =>
  capability === 'no session' ? null : ([10, 6, 5, 1].find((level) => can(level, capability)) ?? 1)

export interface Outcome {
  readonly name: string
  readonly statuses: readonly number[]
  readonly peakMegabytes: number
  readonly slowestHealthMs: number
  readonly failedHealthChecks: number
}

interface Measured {
  readonly times: readonly number[]
  readonly most: number
  readonly failedChecks: number
}

/** Polls the server's health during the load; `stop` ends it. */
export interface HealthWatch {
  /** The measurements since the last call. */
  readonly read: () => Promise<Measured>
  readonly stop: () => Promise<unknown>
}

/**
 * Starts watching a server. From then on this thread, which sends the requests, has a lower priority than the server and the watch: senders represent
 * other machines, and must not be measured.
 */
export const watchHealth = (server: TestServer): HealthWatch => {
  const { pid } = server.program.child
  const worker = new Worker(new URL('health-watch.ts', import.meta.url), { workerData: { url: server.url, pid } })
  worker.once('online', () => setPriority(constants.priority.PRIORITY_LOW))
  return {
    read: async () => {
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      worker.postMessage('read')
      const [measured] = (await once(worker, 'message')) as [Measured]
      return measured
    },
    stop: () => worker.terminate(),
  }
}

/** Sends a load many times concurrently from one account, while the server's health is polled. */
export const sendAtOnce = async (
  server: TestServer,
  watch: HealthWatch,
  { name, call, sent, params }: Load,
  count: number,
): Promise<Outcome> => {
  const level = getRequiredLevel(call)
  const headers = level === null ? {} : (await signInAt(server, level)).headers
  await watch.read()
  const client = openHttpClient(server.url, { maxSockets: Infinity })
  const options = { headers: { ...headers, ...(sent ? { 'content-type': sent.type } : {}) }, body: sent?.bytes }
  // If a body is refused before it is read, its connection may be closed while it is sent.
  const sendOne = (): Promise<number> =>
    client.send(call.method, fillPath(call, params), options).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error && /^no response|aborted/.test(error.message) ? 0 : -1),
    )
  const statuses = await Promise.all(Array.from({ length: count }, sendOne))
  client.close()
  const seen = await watch.read()
  return { name, statuses, peakMegabytes: seen.most, slowestHealthMs: Math.max(...seen.times), failedHealthChecks: seen.failedChecks }
}
