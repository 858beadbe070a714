import { defineConfig, devices } from '@playwright/test'

import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from './scripts/chromium.mjs'

const executablePath = findHeadlessShell() ?? findChromium()
// All tests of a worker share one browser context, which is cleared between tests: pages load from its cache, and no test opens a new window.
process.env['PW_TEST_REUSE_CONTEXT'] ??= '1'
/** `npm run test:all`: every test, and axe in several widths and color schemes. */
const isAll = process.env['BROWSER_TESTS'] === 'all'
/** Three servers instead of one (`npm run prove:split-deployment`) take longer on a busy machine. */
const timeoutFactor = process.env['SPLIT_DEPLOYMENT'] === '1' ? 4 : 1

export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/server.setup.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  // A third worker uses the time in which the others wait for the server.
  workers: 3,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: timeoutFactor * 60_000,
  expect: { timeout: timeoutFactor * 10_000 },
  reporter: 'list',
  // Tests tagged `@all` cover the whole product, not one change.
  ...(isAll ? {} : { grepInvert: /@all/ }),
  projects: [
    // Each starts a server and waits for its scheduled rounds, up to a minute. Started first and one at a time, they run in parallel with the others.
    { name: 'own-server', testMatch: 'own-server/*.test.ts', workers: 1 },
    // Tests that change the network start after those that count its records have finished.
    { name: 'reading', testMatch: '*.test.ts', testIgnore: ['editing/**', 'own-server/**'] },
    { name: 'editing', testMatch: 'editing/*.test.ts', dependencies: ['reading'] },
  ],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    // Requests of a service worker could not be intercepted; the tests of the installed app allow it.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // A failure saves a screenshot and the page's outline. A trace (`npx playwright test --trace retain-on-failure`) would be recorded for every
    // test and usually discarded, which takes a third of the time.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...CHROMIUM_ARGUMENTS],
    },
  },
})
