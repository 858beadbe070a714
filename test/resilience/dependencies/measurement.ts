import { setTimeout as pause } from 'node:timers/promises'

import { type Fault, noise, wrongServer } from './fault-proxy.ts'
import { sendProbes, findFailures, type Outcome, summarizeOutcome, slowest, waitForRecovery } from './probe-rounds.ts'
import { AREA_NAMES, AREAS, type Known, prepare, type Probe, listProbes, type SignedInClient } from './probes.ts'
import { type Dependency, type ServerWithProxies } from './server-with-proxies.ts'

/** The states of the table. */
export const STATES = ['down', 'silent', 'slow', 'rubbish'] as const
export type State = (typeof STATES)[number]
export const STATE_NAMES: Readonly<Record<State, string>> = {
  down: 'down: nothing listens',
  silent: 'takes connections, says nothing',
  slow: 'answers 30 s late',
  rubbish: 'answers with noise, or as a web server',
}
export const DEPENDENCY_NAMES: Readonly<Record<Dependency, string>> = {
  mail: 'Mail server',
  hr: 'HR source',
  directory: 'Directory (photos)',
  provider: 'Sign-in provider',
  database: 'Database',
}
/** Two kinds of malformed data come in turn. */
let answers = 0
const MOODS: Readonly<Record<State, Fault>> = {
  down: 'down',
  silent: 'silent',
  slow: { lateMs: 30_000 },
  rubbish: { says: () => (answers++ % 2 === 0 ? noise() : wrongServer()) },
}

/** No answer takes longer, whatever is wrong with whatever, on a machine that is busy with other things; what bounds each is less (docs/operators/dependencies.md). */
export const MAX_RESPONSE_MS = 60_000
/** Longer than anything takes to come back by itself. */
const MAX_RECOVERY_MS = 60_000
/** As long as a server remembers who someone is without asking the database. */
const SESSION_CACHE_MS = 5500

/** What came of one trouble, or of several at once. */
export interface Measured {
  readonly outcome: Outcome
  readonly slowest: number
  readonly faults: readonly string[]
  /** How long it took, once the trouble was over, until everything continued; photos apart. */
  readonly recoveryMs: number
  readonly notRecovered: readonly string[]
}

/** A server behind fault proxies, a signed-in client, and the records to request. */
export interface FaultTest {
  readonly context: ServerWithProxies
  readonly known: Known
  readonly me: SignedInClient
}

const buildProbes = async ({ context, known, me }: FaultTest, isWhole: boolean): Promise<Probe[]> =>
  listProbes(context.url, known, me, context.visit, isWhole ? await prepare(await context.signIn(), context.visit()) : undefined)

/** Everything once, with nothing wrong: what does not continue now says nothing later. */
export const measureWithoutFault = async (scene: FaultTest): Promise<{ asked: number; wrong: string[] }> => {
  const answered = await sendProbes(await buildProbes(scene, true))
  const wrong = answered.filter(({ status }) => status < 200 || status >= 400).map(({ probe, status }) => `${probe.name}: ${status}`)
  return { asked: answered.length, wrong }
}

/** Brings trouble about, asks for everything at once, ends it, and waits until everything continues. */
export const measure = async (scene: FaultTest, state: State, dependencies: readonly Dependency[]): Promise<Measured> => {
  const { proxies } = scene.context
  const probes = await buildProbes(scene, true)
  await Promise.all(dependencies.map((dependency) => proxies[dependency].setFault(MOODS[state])))
  if (dependencies.includes('database')) await pause(SESSION_CACHE_MS)
  const answered = await sendProbes(probes)
  await Promise.all(dependencies.map((dependency) => proxies[dependency].setFault('well')))
  // The directory is left alone for a minute after some failures, and each person’s photo for five; requests are limited in number.
  const again = (await buildProbes(scene, false)).filter(({ area }) => area !== 'photos' && area !== 'requests')
  const { ms, left } = await waitForRecovery(again, MAX_RECOVERY_MS)
  return {
    outcome: summarizeOutcome(answered),
    slowest: slowest(answered),
    faults: findFailures(answered),
    recoveryMs: ms,
    notRecovered: left,
  }
}

/** A row of docs/operators/dependencies.md. */
export const formatRow = (dependency: Dependency, state: State, outcome: Outcome): string =>
  `| ${[DEPENDENCY_NAMES[dependency], STATE_NAMES[state], ...AREAS.map((area) => outcome[area] ?? '')].join(' | ')} |`

export const formatTable = (rows: readonly string[]): string =>
  [
    `| ${['What is in trouble', 'How', ...AREAS.map((area) => AREA_NAMES[area])].join(' | ')} |`,
    `|${'---|'.repeat(AREAS.length + 2)}`,
    ...rows,
  ].join('\n')

const BEGIN = '<!-- measured -->'
const END = '<!-- end -->'

/** The page with the measured table in its place. */
export const replaceTable = (page: string, rows: readonly string[]): string => {
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END, from)
  if (from < 0 || to < 0) throw new Error(`docs/operators/dependencies.md has no place for the table: "${BEGIN}" and "${END}"`)
  return `${page.slice(0, from)}${BEGIN}\n${formatTable(rows)}\n${page.slice(to)}`
}
