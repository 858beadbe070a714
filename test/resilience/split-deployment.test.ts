import { expect, test } from 'vitest'

import { PARTS, startSplitDeployment } from '../support/split-deployment.ts'
import { checkSplitDeployment } from './split-deployment.proof.ts'

// The quick form of `npm run prove:split-deployment`, which also runs the browser tests against such servers.

const SITES = 12

test('three servers that start concurrently on one database, each serving a part, work as one behind a proxy', async () => {
  await using deployment = await startSplitDeployment({ SAMPLE: String(SITES), SUPPORT_REQUESTS_TO: 'support@network.test' })
  const { pages, calls, wrong } = await checkSplitDeployment(deployment, SITES)
  expect(wrong).toEqual([])
  expect(pages).toBeGreaterThan(35)
  expect(calls).toBeGreaterThan(100)
  for (const part of PARTS) expect(deployment.servers[part].program.errors()).toBe('')
})
