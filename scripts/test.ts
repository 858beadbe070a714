import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findOtherPostgres, startOtherPostgres } from '../test/support/other-postgres.ts'
import { buildWebApp } from './build.mjs'

// `npm test`: every check that belongs to one change, one after the other, whatever the one before said. `npm run test:all` (`--all`) adds
// the API tests on an older PostgreSQL. Ends with what took how long and "N passed, N failed".

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RESULTS = join(ROOT, 'test-results')
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const isAll = process.argv.includes('--all')
const failedSteps: string[] = []
const durations: string[] = []
/** What failed, by name: the end of a long output is what its reader gets to see. */
const failedTests: string[] = []
let passed = 0
let failed = 0

const step = (name: string, work: () => boolean): void => {
  say(`\n── ${name}`)
  const started = Date.now()
  const well = work()
  if (!well) failedSteps.push(name)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  durations.push(`${seconds.padStart(7)} s  ${name}`)
  say(`── ${name}: ${well ? 'passed' : 'FAILED'} (${seconds} s)`)
}

const run = (program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(join(ROOT, 'node_modules', '.bin', program), args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } })
    .status === 0

/** A check without tests of its own counts where it fails, so that the last line never reads well when something is wrong. */
const check = (name: string, program: string, ...args: string[]): void =>
  step(name, () => {
    const well = run(program, args)
    if (!well) failed++
    return well
  })

interface Sums {
  passed: number
  failed: number
  /** Each failed test: where it is, what it is called, the first words of what was wrong. */
  which: readonly string[]
}

/** Adds up what a run wrote down; a run that broke off before it wrote anything is one failure. */
const count = (file: string, well: boolean, read: (report: unknown) => Sums): void => {
  const sums = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0, which: [] }
  passed += sums.passed
  failed += sums.failed + (!well && sums.failed === 0 ? 1 : 0)
  failedTests.push(...sums.which)
}

const firstLines = (text: string | undefined): string => (text ?? '').split('\n').slice(0, 12).join('\n    ')

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; assertionResults: { status: string; fullName: string; failureMessages?: string[] }[] }[]
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs: { title: string; file: string; line: number; ok: boolean }[]
}

const failedSpecs = ({ suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `${file}:${line} › ${title}`),
  ...suites.flatMap(failedSpecs),
]

const vitest = (name: string, projects: readonly string[], environment: NodeJS.ProcessEnv = {}): void =>
  step(name, () => {
    const file = join(RESULTS, `${name.replaceAll(/\W+/g, '-')}.json`)
    const chosen = projects.flatMap((project) => ['--project', project])
    const well = run('vitest', ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], environment)
    count(file, well, (report) => {
      const { numPassedTests, numFailedTests, testResults } = report as VitestReport
      const which = testResults.flatMap(({ name: path, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => `${relative(ROOT, path)} › ${fullName}\n    ${firstLines(failureMessages?.[0])}`),
      )
      return { passed: numPassedTests, failed: numFailedTests, which }
    })
    return well
  })

const playwright = (): boolean => {
  const file = join(RESULTS, 'browser.json')
  const well = run('playwright', ['test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file })
  count(file, well, (report) => {
    const { stats, suites } = report as { stats: { expected: number; unexpected: number; flaky: number }; suites: PlaywrightSuite[] }
    const { expected, unexpected, flaky } = stats
    if (flaky > 0) say(`${flaky} browser tests passed only at their second try; see above which`)
    return { passed: expected + flaky, failed: unexpected, which: suites.flatMap(failedSpecs) }
  })
  return well
}

rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

check('format', 'oxfmt', '--check', '.')
check('lint', 'oxlint', '--deny-warnings')
check('types', 'tsc', '--noEmit')
check('unused code', 'knip')
step('build', () => {
  const well = buildWebApp(ROOT, process.execPath)
  if (!well) failed++
  return well
})
vitest('unit and API tests', ['pure', 'api'])

if (isAll) {
  const other = findOtherPostgres()
  if (other === undefined) {
    say('\n── API tests on a PostgreSQL of the system: left out, since there is none here (apt-get install postgresql)')
  } else {
    const { url, version, stop } = await startOtherPostgres(other)
    vitest(`API tests on PostgreSQL ${version}`, ['api'], { TEST_DATABASE_URL: url })
    await stop()
  }
}
vitest('tests of the commands', ['commands'])
step('browser tests', playwright)

say(`\n${durations.join('\n')}`)
if (failedTests.length > 0) say(`\nFailed tests:\n  ${failedTests.join('\n  ')}`)
if (failedSteps.length > 0) say(`\nFailed: ${failedSteps.join(', ')}`)
say(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || failedSteps.length > 0 ? 1 : 0
