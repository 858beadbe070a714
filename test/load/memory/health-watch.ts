import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

import { readMemoryMegabytes } from '../../support/process-memory.ts'

// Polls a server's health and reads its memory, in a separate thread, so that the proof's own work is not measured.

const { url, pid } = workerData as { url: string; pid: number }
const EVERY_MS = 50
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const isHealthy = (): Promise<boolean> =>
  new Promise((resolve) => {
    get(`${url}/healthz`, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
    }).on('error', () => resolve(false))
  })

const times: number[] = []
let [most, failed] = [0, 0]
// Each message requests the measurements since the previous one.
parentPort?.on('message', () => {
  // oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage({ times: times.splice(0), most, failedChecks: failed })
  ;[most, failed] = [0, 0]
})
while (true) {
  const began = performance.now()
  if (!(await isHealthy())) failed++
  times.push(performance.now() - began)
  most = Math.max(most, readMemoryMegabytes(pid))
  await pause(EVERY_MS)
}
