import { availableParallelism } from 'node:os'

import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from './scripts/chromium.mjs'

/** Tests that ask a database or the server; everything else is pure and needs neither. */
const WITH_DATABASE = [
  'src/**/*.server.test.ts',
  'src/**/routes.test.ts',
  'src/database/**/*.test.ts',
  'src/platform/server/**/*.test.ts',
  'sample/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/{api,security}/*.test.ts',
]
/** Tests that start `npm start` and the other commands as programs, with databases of their own. */
const WITH_PROGRAMS = ['test/commands/*.test.ts']
/** Those of them that belong to `npm run test:all`: a whole installation, and starts, imports and mails after every kind of end. */
const SLOW_PROGRAMS = ['deploying', 'import-stopped', 'mail', 'restart'].map((name) => `test/commands/${name}.test.ts`)
/** Of no program that is delivered: part of `npm run test:all`. */
const DEVELOPMENT = ['test/commands/dev.test.ts']
/** The quick forms of the proofs: crashes, failover, three servers, memory. Part of `npm run test:all`. */
const QUICK_PROOFS = ['test/{resilience,load}/*.test.ts']

export default defineConfig({
  test: {
    // Half of what a test takes is the database's, and many wait for time to pass: others fill that, on two cores as well.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.{ts,tsx}', 'lint/**/*.test.js', 'test/repository/*.test.ts', 'bench/**/*.test.ts'],
          exclude: WITH_DATABASE,
          // A process of its own for each of a hundred short files would take longer than their tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'api',
          include: WITH_DATABASE,
          // Loading the app takes longer than most files' tests: the files of one worker share its modules.
          isolate: false,
          globalSetup: ['test/support/database.setup.ts'],
          setupFiles: ['test/support/app.setup.ts'],
          // Longer than `waitUntil` waits, so that a failure names what did not come.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Found when the server begins: a module that is found later would load the test's page again.
        optimizeDeps: {
          include: [
            '@mantine/core',
            '@tabler/icons-react',
            '@tanstack/react-query',
            '@tanstack/react-router',
            '@tanstack/react-virtual',
            'axe-core',
            'qrcode',
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-dev-runtime',
            'react/jsx-runtime',
            'zod',
          ],
        },
        test: {
          name: 'components',
          include: ['test/components/*.test.tsx'],
          setupFiles: ['test/components/setup.ts'],
          restoreMocks: true,
          browser: {
            enabled: true,
            headless: true,
            ui: false,
            screenshotFailures: false,
            dependencySourcemaps: false,
            provider: playwright({
              launchOptions: { args: [...CHROMIUM_ARGUMENTS], executablePath: findHeadlessShell() ?? findChromium() },
              contextOptions: { reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'America/Los_Angeles' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'commands',
          include: WITH_PROGRAMS,
          exclude: [...DEVELOPMENT, ...SLOW_PROGRAMS],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'slow-commands',
          include: SLOW_PROGRAMS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'resilience',
          include: [...QUICK_PROOFS, ...DEVELOPMENT],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each loads the machine with several servers and databases.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'firefox',
          include: ['test/firefox/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
