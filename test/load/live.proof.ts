// 2,000 open pages: what their streams cost a server while nothing changes, and how soon all of them hear of a change. `--streams N`, `--seconds N`.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { readMemoryMegabytes } from '../support/process-memory.ts'
import { type Proof, readNumberOptions, runProof } from '../support/proof.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { startSession } from '../support/sessions.ts'
import { waitUntil } from '../support/wait-until.ts'

const STREAMS_OF_SESSION = 8
const SESSIONS_OF_ACCOUNT = 5
const AT_ONCE = 50
/** Time for the garbage of the requests to be collected. */
const SETTLE_MS = 5000
const MAX_MEGABYTES = 60
const MAX_CPU_PERCENT = 2
const MAX_DELAY_MS = 2000

/** Processor time of a process in milliseconds; Linux counts it in hundredths of a second. */
const readCpuMs = (pid: number | undefined): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

interface OpenStream {
  /** The text after the stream was opened. */
  text: string
  readonly end: () => void
}

const openStream = (url: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/api/live`, { agent: false, headers }, (response) => {
      const stream: OpenStream = { text: '', end: () => sent.destroy() }
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        stream.text += text
        if (stream.text.includes('event: open')) resolve(stream)
      })
      response.on('error', () => {})
    })
    sent.on('error', reject)
    sent.end()
  })

const openStreams = async (server: TestServer, streams: number): Promise<OpenStream[]> => {
  const opened: OpenStream[] = []
  let headers: Readonly<Record<string, string>> = {}
  let account = ''
  for (let nth = 0; nth < streams; nth += STREAMS_OF_SESSION) {
    if (nth % (STREAMS_OF_SESSION * SESSIONS_OF_ACCOUNT) === 0) ({ account } = await server.signInAt(10))
    headers = await startSession(server, account)
    const count = Math.min(STREAMS_OF_SESSION, streams - nth)
    opened.push(...(await Promise.all(Array.from({ length: count }, () => openStream(server.url, headers)))))
  }
  return opened
}

export const runLiveProof = async (
  { report, expectEqual, expectAtMost }: Proof,
  { streams, seconds }: { readonly streams: number; readonly seconds: number },
): Promise<void> => {
  await using server = await startServer({ SAMPLE: '3', SERVE: 'app,locations' })
  const { pid } = server.program.child
  const measureCpu = async (): Promise<number> => {
    const from = readCpuMs(pid)
    await pause(seconds * 1000)
    return (100 * (readCpuMs(pid) - from)) / (seconds * 1000)
  }
  // The first requests load code that is there from then on.
  for (const stream of await openStreams(server, AT_ONCE)) stream.end()
  await pause(SETTLE_MS)
  const memoryBefore = readMemoryMegabytes(pid)
  const cpuBefore = await measureCpu()
  const opened = await openStreams(server, streams)
  await pause(SETTLE_MS)
  const cpu = await measureCpu()
  const memory = readMemoryMegabytes(pid)
  report('Open streams', opened.length)
  report('Seconds of measurement', seconds)
  report('Processor time without streams, % of a core', Math.round(cpuBefore * 100) / 100)
  expectAtMost('More processor time with them, % of a core', Math.round((cpu - cpuBefore) * 100) / 100, MAX_CPU_PERCENT)
  expectAtMost('More memory', Math.round(memory - memoryBefore), MAX_MEGABYTES, 'MB')

  const from = performance.now()
  const site = await server.db.selectFrom('site').select('_id').executeTakeFirstOrThrow()
  await server.db.updateTable('site').set({ description: 'By the park' }).where('_id', '=', site._id).execute()
  const countInformed = (): number => opened.filter(({ text }) => text.includes(site._id)).length
  await waitUntil('all hear of a change', () => countInformed() === opened.length, { timeoutMs: 30_000, intervalMs: 10 }).catch(() => {})
  expectEqual('Streams that were told of a change', countInformed(), streams)
  expectAtMost('Time until the last one was', Math.round(performance.now() - from), MAX_DELAY_MS, 'ms')

  const stoppingAt = performance.now()
  await server.terminate()
  expectAtMost('Time in which the server stopped with all of them open', Math.round(performance.now() - stoppingAt), 10_000, 'ms')
}

if (import.meta.main) await runProof('live', (proof) => runLiveProof(proof, readNumberOptions({ streams: 2000, seconds: 60 })))
