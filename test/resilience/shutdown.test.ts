import { expect, test } from 'vitest'

import { testShutdown } from './operations.proof.ts'

// SIGTERM from a service manager, with requests in progress and a load balancer that checks readiness.

test('shutdown fails the readiness check first, then completes open requests, then ends', async () => {
  const { seconds, requestsWhileDraining, ...counted } = await testShutdown({ drainSeconds: 2, requests: 6, downloads: 2 })
  expect(counted).toEqual({ refusedEarly: 0, readyWhileDraining: 0, unanswered: 0, withoutClose: 0, cutDownloads: 0, exitCode: 0 })
  expect(requestsWhileDraining).toBeGreaterThan(0)
  expect(seconds).toBeGreaterThanOrEqual(2)
})

test('a request that never ends is cut off after STOP_SECONDS', async () => {
  const { unanswered, exitCode, seconds } = await testShutdown({
    drainSeconds: 0,
    requests: 2,
    downloads: 0,
    isStuck: true,
    stopSeconds: 1,
  })
  expect({ unanswered, exitCode }).toEqual({ unanswered: 2, exitCode: 0 })
  expect(seconds).toBeLessThan(40)
})
