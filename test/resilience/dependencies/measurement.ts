import { setTimeout as pause } from 'node:timers/promises'

import { type Fault, noise, wrongServer } from './fault-proxy.ts'
import { AREA_NAMES, AREAS, type Area, prepare, type Probe, listProbes } from './probes.ts'
import type { Dependency, ServerWithProxies } from './server-with-proxies.ts'

/** Two kinds of invalid data, in turn. */
let answers = 0
/** The states of the table. */
const STATES = {
  down: { name: 'down: nothing listens', fault: 'down' },
  silent: { name: 'takes connections, says nothing', fault: 'silent' },
  slow: { name: 'answers 30 s late', fault: { lateMs: 30_000 } },
  rubbish: { name: 'answers with noise, or as a web server', fault: { reply: () => (answers++ % 2 === 0 ? noise() : wrongServer()) } },
} as const satisfies Record<string, { name: string; fault: Fault }>
export type State = keyof typeof STATES
export const STATE_LIST = Object.keys(STATES) as State[]

export const DEPENDENCY_NAMES: Readonly<Record<Dependency, string>> = {
  mail: 'Mail server',
  hr: 'HR source',
  directory: 'Directory (photos)',
  provider: 'Sign-in provider',
  database: 'Database',
}
export const DEPENDENCIES = Object.keys(DEPENDENCY_NAMES) as Dependency[]

/** No response takes longer, even on a busy machine and whatever fails; each timeout is lower (docs/operators/dependencies.md). */
export const MAX_RESPONSE_MS = 60_000
/** Longer than any response may take: anything later counts as hanging. */
const TIMEOUT_MS = 90_000
/** Longer than any recovery takes. */
const MAX_RECOVERY_MS = 60_000
/** How long a server caches a session without querying the database. */
const SESSION_CACHE_MS = 5500

interface ProbeResult {
  readonly probe: Probe
  /** 0 without a valid response. */
  readonly status: number
  readonly type: string
  readonly retryAfter: number
  readonly ms: number
}

const sendProbe = async (probe: Probe): Promise<ProbeResult> => {
  const started = performance.now()
  const read = async (): Promise<Response> => {
    const response = await probe.send(AbortSignal.timeout(TIMEOUT_MS))
    await response.arrayBuffer()
    return response
  }
  const { status, headers } = await read().catch(() => Response.error())
  const ms = Math.round(performance.now() - started)
  return { probe, status, type: headers.get('content-type') ?? '', retryAfter: Number(headers.get('retry-after') ?? 0), ms }
}

/** Sends all probes at once. */
const sendProbes = (probes: readonly Probe[]): Promise<ProbeResult[]> => Promise.all(probes.map(sendProbe))

/** What works and what fails, by area, in the terms of docs/operators/dependencies.md. */
export type Outcome = Readonly<Partial<Record<Area, string>>>

const CONTINUES = 'works'

const formatOutcome = (area: Area, answers: readonly ProbeResult[]): string => {
  const all = (is: (answer: ProbeResult) => boolean): boolean => answers.every(is)
  if (area === 'photos' && all(({ status, type }) => status === 200 && type.includes('svg'))) return 'initials in place of photos'
  if (area === 'sign-in' && all(({ status }) => status === 401)) return 'no new sign-ins'
  if (all(({ status }) => status >= 200 && status < 400)) return CONTINUES
  if (all(({ status, retryAfter }) => status === 503 && retryAfter > 0)) return '503, try again'
  return `mixed: ${[...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b).join(', ')}`
}

const summarizeOutcome = (answers: readonly ProbeResult[]): Outcome =>
  Object.fromEntries([...Map.groupBy(answers, ({ probe }) => probe.area)].map(([area, those]) => [area, formatOutcome(area, those)]))

/** Failures that no fault of a dependency excuses: no response at all, a defect, or a 503 without Retry-After. */
const findFailures = (answers: readonly ProbeResult[]): string[] =>
  answers
    .filter(({ status, retryAfter }) => status === 0 || (status >= 500 && (status !== 503 || retryAfter === 0)))
    .map(({ probe, status, ms }) => `${probe.name}: ${status === 0 ? `no response in ${ms} ms` : status}`)

/** Repeats the requests until everything works as before; returns how long that took, and what did not recover. */
const waitForRecovery = async (probes: readonly Probe[]): Promise<{ recoveryMs: number; notRecovered: string[] }> => {
  const started = performance.now()
  for (;;) {
    const left = Object.entries(summarizeOutcome(await sendProbes(probes))).filter(([, words]) => words !== CONTINUES)
    const recoveryMs = Math.round(performance.now() - started)
    if (left.length === 0 || recoveryMs > MAX_RECOVERY_MS)
      return { recoveryMs, notRecovered: left.map(([area, words]) => `${area}: ${words}`) }
    await pause(2000)
  }
}

const buildProbes = async (context: ServerWithProxies, isWhole: boolean): Promise<Probe[]> =>
  listProbes(context, isWhole ? await prepare(await context.signIn(), context.visit()) : undefined)

/** Requests everything once without a fault: a request that already fails now would prove nothing later. */
export const measureWithoutFault = async (context: ServerWithProxies): Promise<{ requests: number; wrong: string[] }> => {
  const answered = await sendProbes(await buildProbes(context, true))
  const wrong = answered.filter(({ status }) => status < 200 || status >= 400).map(({ probe, status }) => `${probe.name}: ${status}`)
  return { requests: answered.length, wrong }
}

/** Causes a fault, requests everything concurrently, ends it, and waits until everything works again, except photos and requests. */
export const measure = async (context: ServerWithProxies, state: State, dependencies: readonly Dependency[]) => {
  const setFault = (fault: Fault) => Promise.all(dependencies.map((dependency) => context.proxies[dependency].setFault(fault)))
  const probes = await buildProbes(context, true)
  await setFault(STATES[state].fault)
  if (dependencies.includes('database')) await pause(SESSION_CACHE_MS)
  const answered = await sendProbes(probes)
  await setFault('none')
  // After failures the directory pauses for a minute, and each person's photo for five; requests are limited.
  const again = (await buildProbes(context, false)).filter(({ area }) => area !== 'photos' && area !== 'requests')
  return {
    outcome: summarizeOutcome(answered),
    slowest: Math.max(...answered.map(({ ms }) => ms)),
    faults: findFailures(answered),
    ...(await waitForRecovery(again)),
  }
}

export const formatFault = (dependency: Dependency, state: State): string => `${DEPENDENCY_NAMES[dependency]}, ${STATES[state].name}`

/** A row of docs/operators/dependencies.md. */
export const formatRow = (dependency: Dependency, state: State, outcome: Outcome): string =>
  `| ${[DEPENDENCY_NAMES[dependency], STATES[state].name, ...AREAS.map((area) => outcome[area] ?? '')].join(' | ')} |`

export const formatTable = (rows: readonly string[]): string =>
  [
    `| ${['Dependency with a fault', 'How', ...AREAS.map((area) => AREA_NAMES[area])].join(' | ')} |`,
    `|${'---|'.repeat(AREAS.length + 2)}`,
    ...rows,
  ].join('\n')
