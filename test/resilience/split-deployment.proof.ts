import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runProof } from '../support/proof.ts'
import { REPOSITORY } from '../support/server-process.ts'
import { startSplitDeployment } from '../support/split-deployment.ts'
import { checkSplitDeployment } from './split-deployment/checks.ts'

const SITES = 20

interface BrowserRun {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number }
}

/** Runs all browser tests like `npm test`, but with three servers instead of one. */
const runBrowserTests = (): BrowserRun['stats'] => {
  const folder = mkdtempSync(join(tmpdir(), 'homeroom-split-deployment-'))
  const file = join(folder, 'browser.json')
  spawnSync(join(REPOSITORY, 'node_modules', '.bin', 'playwright'), ['test', '--reporter=list,json'], {
    cwd: REPOSITORY,
    stdio: 'inherit',
    // A busy machine can stall for seconds, so CI gives each test a second attempt; the number of second attempts is reported.
    env: { ...process.env, SPLIT_DEPLOYMENT: '1', CI: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as BrowserRun).stats
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runProof('split-deployment', async ({ report, expectEqual, expectNone }) => {
  const deployment = await startSplitDeployment({ SAMPLE: String(SITES), SUPPORT_REQUESTS_TO: 'support@network.test' })
  const walked = await checkSplitDeployment(deployment, SITES).finally(() => deployment.stop())
  report('Pages opened at the origin', walked.pages)
  report('Calls sent to the origin and to each of the three servers', walked.calls)
  expectNone('Failed checks, of those and of a walk through all three (over HTTP)', walked.wrong)
  report('Checks made', walked.steps)

  // Checks only the servers; the table then says that the browser tests were not run.
  if (process.argv.includes('--walk')) return report('Browser tests', 'not run (`-- --walk`)')
  const { expected, unexpected, flaky, skipped } = runBrowserTests()
  const all = expected + flaky + unexpected + skipped
  if (all === 0) throw new Error('The browser tests did not run')
  expectEqual('Browser tests that passed, of all', expected + flaky, all)
  report('Of those, passed only at the second attempt', flaky)
})
