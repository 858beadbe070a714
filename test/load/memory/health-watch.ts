import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

import { openHttpClient } from '../../support/http-requests.ts'
import { readMemoryMegabytes } from '../../support/process-memory.ts'

// Polls a server's health and reads its memory, in a separate thread, so that the proof's own work is not measured.

const { url, pid } = workerData as { url: string; pid: number }
const EVERY_MS = 50
const client = openHttpClient(url, { maxSockets: 1 })

export interface HealthMeasurements {
  /** How long each check took, in milliseconds. */
  readonly times: readonly number[]
  /** The most memory, in megabytes. */
  readonly most: number
  readonly failedChecks: number
}

const times: number[] = []
let [most, failed] = [0, 0]
// Each message requests the measurements since the previous one.
parentPort?.on('message', () => {
  // oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage({ times: times.splice(0), most, failedChecks: failed } satisfies HealthMeasurements)
  ;[most, failed] = [0, 0]
})
while (true) {
  const began = performance.now()
  const answer = await client.send('GET', '/healthz').catch(() => undefined)
  if (answer?.status !== 200) failed++
  times.push(performance.now() - began)
  most = Math.max(most, readMemoryMegabytes(pid))
  await pause(EVERY_MS)
}
