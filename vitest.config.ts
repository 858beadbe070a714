import { availableParallelism } from 'node:os'

import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from './scripts/chromium.mjs'

/** Tests that use a database or the server; all others need neither. */
const WITH_DATABASE = [
  'src/**/*.server.test.ts',
  'src/**/routes.test.ts',
  'src/database/**/*.test.ts',
  'src/platform/server/**/*.test.ts',
  'sample/**/*.test.ts',
  'test/{api,security}/*.test.ts',
]
/** Tests that run `npm start` and other commands as separate processes, with their own databases. */
const WITH_PROGRAMS = ['test/commands/*.test.ts']
/** Command tests that only `npm run test:all` runs: a whole installation, and starts, imports and mails after every kind of termination. */
const SLOW_PROGRAMS = ['deploying', 'import-stopped', 'mail', 'restart'].map((name) => `test/commands/${name}.test.ts`)
/** Tests of commands that are not part of a release; only `npm run test:all` runs them. */
const DEVELOPMENT = ['test/commands/dev.test.ts']
/** The quick forms of the proofs: crashes, failover, three servers, memory. Part of `npm run test:all`. */
const QUICK_PROOFS = ['test/{resilience,load}/*.test.ts']

export default defineConfig({
  test: {
    // Tests spend half of their time in the database, and many wait for time to pass. More workers use that time, even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'pure',
          include: ['src/**/*.test.{ts,tsx}', 'lint/**/*.test.js', 'test/{dates,repository}/*.test.ts', 'bench/**/*.test.ts'],
          exclude: WITH_DATABASE,
          // Starting a process for each of a hundred short files would take longer than their tests.
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
          // Longer than `waitUntil` waits, so that a failure names the condition that was not met.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Prebundled when the server starts: a module discovered later would reload the test's page.
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
          // They share the machine with the tests of commands, which start servers and databases.
          testTimeout: 60_000,
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
          name: 'walks',
          include: ['test/walks/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
