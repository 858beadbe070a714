import { setTimeout as pause } from 'node:timers/promises'

import { AREAS, type Area, type Probe } from './probes.ts'

/** Longer than any response may take: anything later counts as hanging. */
const TIMEOUT_MS = 90_000

export interface ProbeResult {
  readonly probe: Probe
  /** 0 without a valid response. */
  readonly status: number
  readonly type: string
  readonly retryAfter: number
  readonly ms: number
}

const sendProbe = async (probe: Probe): Promise<ProbeResult> => {
  const started = performance.now()
  const since = (): number => Math.round(performance.now() - started)
  try {
    const response = await probe.send(AbortSignal.timeout(TIMEOUT_MS))
    await response.arrayBuffer()
    const { status, headers } = response
    return { probe, status, type: headers.get('content-type') ?? '', retryAfter: Number(headers.get('retry-after') ?? 0), ms: since() }
  } catch {
    return { probe, status: 0, type: '', retryAfter: 0, ms: since() }
  }
}

/** Sends all probes at once. */
export const sendProbes = (probes: readonly Probe[]): Promise<ProbeResult[]> => Promise.all(probes.map(sendProbe))

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

export const summarizeOutcome = (answers: readonly ProbeResult[]): Outcome =>
  Object.fromEntries(
    AREAS.flatMap((area) => {
      const those = answers.filter(({ probe }) => probe.area === area)
      return those.length === 0 ? [] : [[area, formatOutcome(area, those)]]
    }),
  )

/** Failures that no fault of a dependency excuses: no response at all, a defect, or a 503 without Retry-After. */
export const findFailures = (answers: readonly ProbeResult[]): string[] =>
  answers
    .filter(({ status, retryAfter }) => status === 0 || (status >= 500 && (status !== 503 || retryAfter === 0)))
    .map(({ probe, status, ms }) => `${probe.name}: ${status === 0 ? `no answer in ${ms} ms` : status}`)

export const slowest = (answers: readonly ProbeResult[]): number => Math.max(...answers.map(({ ms }) => ms))

/** Repeats the requests until everything works as before; returns how long that took, and what did not recover. */
export const waitForRecovery = async (probes: readonly Probe[], timeoutMs: number): Promise<{ ms: number; left: string[] }> => {
  const started = performance.now()
  for (;;) {
    const answers = await sendProbes(probes)
    const left = Object.entries(summarizeOutcome(answers)).filter(([, words]) => words !== CONTINUES)
    const ms = Math.round(performance.now() - started)
    if (left.length === 0 || ms > timeoutMs) return { ms, left: left.map(([area, words]) => `${area}: ${words}`) }
    await pause(2000)
  }
}
