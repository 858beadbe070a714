import { setTimeout as pause } from 'node:timers/promises'

import { pino } from 'pino'
import { expect, test } from 'vitest'

import { type Job, startJob } from './jobs.ts'

const HOUR_MS = 3_600_000

/** A job whose runs are counted; it ends each run when told to. */
const startCounted = (pauses: Pick<Job, 'firstMs' | 'everyMs' | 'retryMs'>, work: (run: number) => Promise<unknown> = async () => {}) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const runs = { count: 0, atOnce: 0, most: 0 }
  const job = startJob(log, {
    ...pauses,
    failure: 'It failed',
    run: async () => {
      runs.count++
      runs.most = Math.max(runs.most, ++runs.atOnce)
      await work(runs.count).finally(() => runs.atOnce--)
    },
  })
  return { job, runs, lines }
}

test('a job runs again after its pause, and immediately when it is woken, one run at a time', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { job, runs } = startCounted({ everyMs: HOUR_MS }, (run) => (run === 2 ? ended : Promise.resolve()))
  await expect.poll(() => runs.count).toBe(1)
  job.wake()
  await expect.poll(() => runs.count).toBe(2)
  job.wake()
  job.wake()
  end()
  await expect.poll(() => runs.count).toBe(3)
  expect(runs.most).toBe(1)
  await job.stop()
  const often = startCounted({ everyMs: 1 })
  await expect.poll(() => often.runs.count).toBeGreaterThan(5)
  await often.job.stop()
})

test('a failed run is logged and repeated after its own pause, even if the job is woken in the meantime', async () => {
  const { job, runs, lines } = startCounted({ everyMs: HOUR_MS, retryMs: 300 }, async (run) => {
    if (run === 1) throw new Error('The database has gone')
  })
  const from = performance.now()
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toContain('"msg":"It failed"')
  job.wake()
  await expect.poll(() => runs.count).toBe(2)
  expect(performance.now() - from).toBeGreaterThan(250)
  await job.stop()
})

test('a job that is stopped finishes its run and starts no other', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { job, runs } = startCounted({ everyMs: 1 }, () => ended)
  await expect.poll(() => runs.count).toBe(1)
  const stopping = job.stop()
  expect(await Promise.race([stopping, pause(20, 'still running')])).toBe('still running')
  end()
  await stopping
  expect(runs).toEqual({ count: 1, atOnce: 0, most: 1 })
  const late = startCounted({ firstMs: HOUR_MS, everyMs: HOUR_MS })
  await late.job.stop()
  expect(late.runs.count).toBe(0)
})
