import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findPackagedPostgres, startOtherPostgres } from '../test/support/other-postgres.ts'
import { findFirefox, findVdirsyncer, findWebKit } from './browsers.mjs'
import { buildWebApp } from './build.mjs'
import { listFeatureTests } from './feature-tests.ts'

// `npm test`: runs all checks of a change one after the other, regardless of earlier failures. `npm run test:all` (`--all`) adds the slow tests, the
// API tests on the oldest supported PostgreSQL and the quick forms of the proofs. `npm test -- sites` runs only the tests of one feature, of every kind
// (`feature-tests.ts`); `npm run test:all -- sheets` also runs those of its proofs.
// Finally prints how long each step and the slowest test files took, and "N passed, N failed".

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RESULTS = join(ROOT, 'test-results')
const MAX_SLOW_FILES = 10
const print = (line: string): void => void process.stdout.write(`${line}\n`)

// Loading the server takes half the time if Node caches compiled code: the tests start it, and its threads, several hundred times.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules', '.cache', 'node')

const isAll = process.argv.includes('--all')
const features = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const failedSteps: string[] = []
const durations: string[] = []
const fileDurations: { file: string; seconds: number }[] = []
/** Printed at the end, which is the part of long output that people read. */
const failedTests: string[] = []
let passed = 0
let failed = 0

const secondsText = (seconds: number): string => `${seconds.toFixed(1).padStart(7)} s`

const step = (name: string, work: () => boolean): void => {
  print(`\n── ${name}`)
  const started = Date.now()
  const isPassed = work()
  if (!isPassed) failedSteps.push(name)
  const seconds = (Date.now() - started) / 1000
  durations.push(`${secondsText(seconds)}  ${name}`)
  print(`── ${name}: ${isPassed ? 'passed' : 'FAILED'} (${seconds.toFixed(1)} s)`)
}

const run = (program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(join(ROOT, 'node_modules', '.bin', program), args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } })
    .status === 0

/** A check that has no tests counts only if it fails, so that the last line never says "0 failed" after a failed check. */
const check = (name: string, work: () => boolean): void =>
  step(name, () => {
    const isPassed = work()
    if (!isPassed) failed++
    return isPassed
  })

interface Result {
  passed: number
  failed: number
  /** Path, title and the first lines of the message of each failed test. */
  failures: readonly string[]
}

/** Adds the results of a run's JSON report; a run that ended without a report counts as one failure. */
const addResults = (file: string, isPassed: boolean, read: (report: unknown) => Result): void => {
  const result = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0, failures: [] }
  passed += result.passed
  failed += result.failed + (!isPassed && result.failed === 0 ? 1 : 0)
  failedTests.push(...result.failures)
}

const firstLines = (text: string | undefined): string => (text ?? '').split('\n').slice(0, 12).join('\n    ')

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { title: string; file: string; line: number; ok: boolean }[]
}

const failedSpecs = ({ suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `${file}:${line} › ${title}`),
  ...suites.flatMap(failedSpecs),
]

interface VitestOptions {
  readonly files?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
}

const vitest = (name: string, projects: readonly string[], { files = [], environment = {} }: VitestOptions = {}): void =>
  step(name, () => {
    const report = join(RESULTS, `${name.replaceAll(/\W+/g, '-')}.json`)
    const chosen = projects.flatMap((project) => ['--project', project])
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const isPassed = run('vitest', ['run', ...files, ...chosen, ...reporters], environment)
    addResults(report, isPassed, (content) => {
      const { numPassedTests, numFailedTests, testResults } = content as VitestReport
      for (const { name: path, startTime, endTime } of testResults)
        fileDurations.push({ file: relative(ROOT, path), seconds: (endTime - startTime) / 1000 })
      const failures = testResults.flatMap(({ name: path, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => `${relative(ROOT, path)} › ${fullName}\n    ${firstLines(failureMessages?.[0])}`),
      )
      return { passed: numPassedTests, failed: numFailedTests, failures }
    })
    return isPassed
  })

const playwright = (...args: readonly string[]): void =>
  step('browser tests', () => {
    const report = join(RESULTS, 'browser.json')
    const isPassed = run('playwright', ['test', ...args, '--reporter=list,json'], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      ...(isAll || features.length > 0 ? { BROWSER_TESTS: 'all' } : {}),
    })
    addResults(report, isPassed, (content) => {
      const { stats, suites } = content as { stats: { expected: number; unexpected: number }; suites: PlaywrightSuite[] }
      return { passed: stats.expected, failed: stats.unexpected, failures: suites.flatMap(failedSpecs) }
    })
    return isPassed
  })

const build = (): void => check('build', () => buildWebApp(ROOT, process.execPath))

/** Builds in a separate process, in parallel with tests that need no web app; returns whether there is one now. */
const buildBeside = async (): Promise<boolean> => {
  const program = "import { buildWebApp } from './scripts/build.mjs'; process.exit(buildWebApp(process.cwd(), process.execPath) ? 0 : 1)"
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: ROOT, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

const runFeatures = async (): Promise<void> => {
  const files = features.flatMap((feature) => {
    const found = listFeatureTests(feature).filter((path) => isAll || !/^test\/(resilience|load)\//.test(path))
    if (found.length === 0) failedTests.push(`No test belongs to "${feature}": no folder or test file has this name`)
    return found
  })
  failed += failedTests.length
  const browserFiles = files.filter((path) => path.startsWith('test/browser/'))
  const otherFiles = files.filter((path) => !browserFiles.includes(path))
  const building = browserFiles.length > 0 ? buildBeside() : undefined
  const projects = ['pure', 'api', 'components', 'commands', 'slow-commands', ...(isAll ? ['resilience'] : [])]
  if (otherFiles.length > 0) vitest('unit and API tests', projects, { files: otherFiles })
  if (building === undefined) return
  const isBuilt = await building
  check('build', () => isBuilt)
  playwright(...browserFiles, '--no-deps', '--pass-with-no-tests')
}

const runEverything = async (): Promise<void> => {
  check('format', () => run('oxfmt', ['--check', '.']))
  check('lint', () => run('oxlint', ['--deny-warnings']))
  check('types', () => run('tsc', ['--noEmit']))
  check('unused code', () => run('knip', []))
  build()
  vitest('unit and API tests', ['pure', 'api'])
  // Commands wait for servers to start and stop; the components use that time.
  vitest('command and component tests', ['commands', 'components'])
  if (isAll) {
    vitest('slow command tests', ['slow-commands'])
    vitest('quick forms of the proofs', ['resilience'])
    vitest('slow checks of the code', ['pure'], { files: ['test/repository/recipes', 'lint/slow'], environment: { TEST_ALL: '1' } })
    if (findFirefox() === undefined) print('\n── walks in Firefox: left out, there is no Firefox on this machine')
    else vitest('walks in Firefox', ['walks'], { files: ['test/walks/firefox.test.ts'] })
    if (findWebKit() === undefined) print('\n── walks in WebKit: left out, webkit2gtk-driver or xvfb is not installed on this machine')
    else vitest('walks in WebKit', ['walks'], { files: ['test/walks/webkit'] })
    if (findVdirsyncer() === undefined) print('\n── contacts in vdirsyncer: left out, vdirsyncer is not installed on this machine')
    else vitest('contacts in vdirsyncer', ['walks'], { files: ['test/walks/vdirsyncer.test.ts'] })
    const postgres = findPackagedPostgres()
    if (postgres === undefined) {
      print('\n── API tests on an older PostgreSQL: left out, npm has no package of it for this platform')
      vitest('slow API tests', ['api'], { environment: { TEST_ALL: '1' } })
    } else {
      const { url, version, stop } = await startOtherPostgres(postgres)
      vitest(`API tests on PostgreSQL ${version}`, ['api'], { environment: { TEST_DATABASE_URL: url, TEST_ALL: '1' } })
      await stop()
    }
  }
  playwright()
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
if (features.length > 0) await runFeatures()
else await runEverything()

const slowest = fileDurations.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SLOW_FILES)
print(`\nSlowest test files without a browser:\n${slowest.map(({ file, seconds }) => `${secondsText(seconds)}  ${file}`).join('\n')}`)
print(`\nSteps:\n${durations.join('\n')}`)
if (failedTests.length > 0) print(`\nFailed tests:\n  ${failedTests.join('\n  ')}`)
if (failedSteps.length > 0) print(`\nFailed: ${failedSteps.join(', ')}`)
print(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || failedSteps.length > 0 ? 1 : 0
