import { defineConfig, devices } from '@playwright/test'

import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from './scripts/chromium.mjs'

const executablePath = findHeadlessShell() ?? findChromium()
// One browser context for all tests of a worker, emptied between them: pages load from its cache, and no window is opened for each test.
process.env['PW_TEST_REUSE_CONTEXT'] ??= '1'
/** `npm run test:all`: every test, and every look of what axe is asked about. */
const isAll = process.env['BROWSER_TESTS'] === 'all'
/** Three servers in place of one (`npm run prove:split-deployment`) are there to be right; on a busy machine they take longer. */
const timeoutFactor = process.env['SPLIT_DEPLOYMENT'] === '1' ? 4 : 1

export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/server.setup.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  // A third worker fills the time the others wait for the server.
  workers: 3,
  forbidOnly: process.env['CI'] !== undefined,
  // A shared build machine can stall for seconds; what needs its second try there is named by the reporter.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: timeoutFactor * 60_000,
  expect: { timeout: timeoutFactor * 10_000 },
  reporter: 'list',
  // Walks over the whole product belong to no one change.
  ...(isAll ? {} : { grepInvert: /@all/ }),
  projects: [
    // Each starts a server and waits for its rounds, up to a minute: begun first and one at a time, they use the time that others leave.
    { name: 'own-server', testMatch: 'own-server/*.test.ts', workers: 1 },
    // Tests that change the network begin when those that count in it are done.
    { name: 'reading', testMatch: '*.test.ts', testIgnore: ['editing/**', 'own-server/**'] },
    { name: 'editing', testMatch: 'editing/*.test.ts', dependencies: ['reading'] },
  ],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    contextOptions: { reducedMotion: 'reduce' },
    // A failure leaves a picture and the page's outline. A trace (`npx playwright test --trace retain-on-failure`) would be recorded for every
    // test only to be thrown away, at a third of the time.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...CHROMIUM_ARGUMENTS],
    },
  },
})
