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
/** Two kinds of invalid data, in turn. */
let answers = 0
const FAULTS: Readonly<Record<State, Fault>> = {
  down: 'down',
  silent: 'silent',
  slow: { lateMs: 30_000 },
  rubbish: { reply: () => (answers++ % 2 === 0 ? noise() : wrongServer()) },
}

/** No response takes longer, even on a busy machine and whatever fails; each timeout is lower (docs/operators/dependencies.md). */
export const MAX_RESPONSE_MS = 60_000
/** Longer than any recovery takes. */
const MAX_RECOVERY_MS = 60_000
/** How long a server caches a session without querying the database. */
const SESSION_CACHE_MS = 5500

/** The result of one fault, or of several at once. */
export interface Measured {
  readonly outcome: Outcome
  readonly slowest: number
  readonly faults: readonly string[]
  /** How long recovery took after the fault was over; photos separately. */
  readonly recoveryMs: number
  readonly notRecovered: readonly string[]
}

/** A server behind fault proxies, a signed-in client, and the records to request. */
export interface FaultTest {
  readonly context: ServerWithProxies
  readonly known: Known
  readonly me: SignedInClient
}

export const prepareFaultTest = async (context: ServerWithProxies): Promise<FaultTest> => {
  const me = await context.signIn()
  return { context, me, known: await context.readKnown(me) }
}

const buildProbes = async ({ context, known, me }: FaultTest, isWhole: boolean): Promise<Probe[]> =>
  listProbes(context.url, known, me, context.visit, isWhole ? await prepare(await context.signIn(), context.visit()) : undefined)

/** Requests everything once without a fault: a request that already fails now would prove nothing later. */
export const measureWithoutFault = async (scene: FaultTest): Promise<{ requests: number; wrong: string[] }> => {
  const answered = await sendProbes(await buildProbes(scene, true))
  const wrong = answered.filter(({ status }) => status < 200 || status >= 400).map(({ probe, status }) => `${probe.name}: ${status}`)
  return { requests: answered.length, wrong }
}

/** Causes a fault, requests everything concurrently, ends it, and waits until everything works again. */
export const measure = async (scene: FaultTest, state: State, dependencies: readonly Dependency[]): Promise<Measured> => {
  const { proxies } = scene.context
  const probes = await buildProbes(scene, true)
  await Promise.all(dependencies.map((dependency) => proxies[dependency].setFault(FAULTS[state])))
  if (dependencies.includes('database')) await pause(SESSION_CACHE_MS)
  const answered = await sendProbes(probes)
  await Promise.all(dependencies.map((dependency) => proxies[dependency].setFault('none')))
  // After failures the directory pauses for a minute, and each person's photo for five; requests are limited.
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
    `| ${['Dependency with a fault', 'How', ...AREAS.map((area) => AREA_NAMES[area])].join(' | ')} |`,
    `|${'---|'.repeat(AREAS.length + 2)}`,
    ...rows,
  ].join('\n')
