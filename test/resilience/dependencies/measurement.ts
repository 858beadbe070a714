import { setTimeout as pause } from 'node:timers/promises'

import { type Mood, noise, wrongServer } from './fault-proxy.ts'
import { askAll, faultsIn, type Outcome, outcomeOf, slowest, untilWell } from './probe-rounds.ts'
import { AREA_NAMES, AREAS, type Known, prepare, type Probe, probesOf, type Somebody } from './probes.ts'
import { type Dependency, type HouseInTrouble } from './server-with-proxies.ts'

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
/** Two kinds of rubbish come in turn. */
let answers = 0
const MOODS: Readonly<Record<State, Mood>> = {
  down: 'down',
  silent: 'silent',
  slow: { lateMs: 30_000 },
  rubbish: { says: () => (answers++ % 2 === 0 ? noise() : wrongServer()) },
}

/** No answer takes longer, whatever is wrong with whatever, on a machine that is busy with other things; what bounds each is less (docs/operators/dependencies.md). */
export const LONGEST_MS = 60_000
/** Longer than anything takes to come back by itself. */
const BACK_MS = 60_000
/** As long as a server remembers who somebody is without asking the database. */
const REMEMBERED_MS = 5500

/** What came of one trouble, or of several at once. */
export interface Measured {
  readonly outcome: Outcome
  readonly slowest: number
  readonly faults: readonly string[]
  /** How long it took, once the trouble was over, until everything went on; photos apart. */
  readonly backMs: number
  readonly notBack: readonly string[]
}

/** A house, somebody in it, and what there is to ask. */
export interface Scene {
  readonly context: HouseInTrouble
  readonly known: Known
  readonly me: Somebody
}

const round = async ({ context, known, me }: Scene, isWhole: boolean): Promise<Probe[]> =>
  probesOf(context.url, known, me, context.visit, isWhole ? await prepare(await context.signIn(), context.visit()) : undefined)

/** Everything once, with nothing wrong: what does not go on now says nothing later. */
export const measureWell = async (scene: Scene): Promise<{ asked: number; wrong: string[] }> => {
  const answered = await askAll(await round(scene, true))
  const wrong = answered.filter(({ status }) => status < 200 || status >= 400).map(({ probe, status }) => `${probe.name}: ${status}`)
  return { asked: answered.length, wrong }
}

/** Brings trouble about, asks for everything at once, ends it, and waits until everything goes on. */
export const measure = async (scene: Scene, state: State, dependencies: readonly Dependency[]): Promise<Measured> => {
  const { troubles } = scene.context
  const probes = await round(scene, true)
  await Promise.all(dependencies.map((dependency) => troubles[dependency].be(MOODS[state])))
  if (dependencies.includes('database')) await pause(REMEMBERED_MS)
  const answered = await askAll(probes)
  await Promise.all(dependencies.map((dependency) => troubles[dependency].be('well')))
  // The directory is left alone for a minute after some failures, and each person’s photo for five; requests are limited in number.
  const again = (await round(scene, false)).filter(({ area }) => area !== 'photos' && area !== 'requests')
  const { ms, left } = await untilWell(again, BACK_MS)
  return { outcome: outcomeOf(answered), slowest: slowest(answered), faults: faultsIn(answered), backMs: ms, notBack: left }
}

/** A row of docs/operators/dependencies.md. */
export const rowOf = (dependency: Dependency, state: State, outcome: Outcome): string =>
  `| ${[DEPENDENCY_NAMES[dependency], STATE_NAMES[state], ...AREAS.map((area) => outcome[area] ?? '')].join(' | ')} |`

export const tableOf = (rows: readonly string[]): string =>
  [
    `| ${['What is in trouble', 'How', ...AREAS.map((area) => AREA_NAMES[area])].join(' | ')} |`,
    `|${'---|'.repeat(AREAS.length + 2)}`,
    ...rows,
  ].join('\n')

const BEGIN = '<!-- measured -->'
const END = '<!-- end -->'

/** The page with the measured table in its place. */
export const withTable = (page: string, rows: readonly string[]): string => {
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END, from)
  if (from < 0 || to < 0) throw new Error(`docs/operators/dependencies.md has no place for the table: "${BEGIN}" and "${END}"`)
  return `${page.slice(0, from)}${BEGIN}\n${tableOf(rows)}\n${page.slice(to)}`
}
