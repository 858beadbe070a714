import { afterAll, beforeAll, expect, test } from 'vitest'

import { type SplitDeployment, PARTS, startSplitDeployment } from '../support/split-deployment.ts'
import { checkSplitDeployment } from './split-deployment/checks.ts'

// The quick form of `npm run prove:split-deployment`, which also runs the browser tests against such servers.

const SITES = 12
let deployment: SplitDeployment
beforeAll(async () => {
  deployment = await startSplitDeployment({ SAMPLE: String(SITES), SUPPORT_REQUESTS_TO: 'support@network.test' })
})
afterAll(() => deployment.stop())

test('three servers that start concurrently on one database, each serving a part, work as one behind a proxy', async () => {
  const { pages, calls, wrong } = await checkSplitDeployment(deployment, SITES)
  expect(wrong).toEqual([])
  expect(pages).toBeGreaterThan(35)
  expect(calls).toBeGreaterThan(100)
  for (const part of PARTS) expect(deployment.servers[part].errors()).toBe('')
})
