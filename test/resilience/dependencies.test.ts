import { readFile } from 'node:fs/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { MAX_RESPONSE_MS, measure, measureWithoutFault, formatRow, type Outcome, type State } from './dependencies/measurement.ts'
import type { Area } from './dependencies/probes.ts'
import { type Dependency, type ServerWithProxies, startServerWithProxies } from './dependencies/server-with-proxies.ts'

// The quick form of `npm run prove:dependencies`: verifies docs/operators/dependencies.md with everything except the database silent at once, and
// with the database silent or down.

let context: ServerWithProxies
let page: string
beforeAll(async () => {
  page = await readFile(new URL('../../docs/operators/dependencies.md', import.meta.url), 'utf8')
  context = await startServerWithProxies(12)
})
afterAll(() => context[Symbol.asyncDispose]())

/** The row of the page for a fault, word for word. */
const expectDocumented = (dependency: Dependency, state: State, outcome: Outcome): void => {
  expect(page.split('\n')).toContain(formatRow(dependency, state, outcome))
}

test('everything works without a fault', async () => {
  const { requests: asked, wrong } = await measureWithoutFault(context)
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(100)
})

test('while mail server, HR source, directory and provider all stop responding, only the documented features fail', async () => {
  const { outcome, faults, slowest, notRecovered } = await measure(context, 'silent', ['mail', 'hr', 'directory', 'provider'])
  expect({ faults, notRecovered }).toEqual({ faults: [], notRecovered: [] })
  expect(slowest).toBeLessThan(MAX_RESPONSE_MS)
  const stops: Readonly<Record<string, Area>> = { hr: 'hr', directory: 'photos', provider: 'sign-in' }
  const working = Object.fromEntries(Object.keys(outcome).map((area) => [area, 'works'])) as Outcome
  expectDocumented('mail', 'silent', working)
  for (const [dependency, area] of Object.entries(stops))
    expectDocumented(dependency as Dependency, 'silent', { ...working, [area]: outcome[area] })
  const those = new Set(Object.values(stops))
  expect(Object.entries(outcome).filter(([area, words]) => !those.has(area as Area) && words !== 'works')).toEqual([])
})

test.each(['silent', 'down'] as const)(
  'where the database is %s, what needs it is refused with 503 in time, and comes back without a restart',
  async (state) => {
    const { outcome, faults, slowest, notRecovered } = await measure(context, state, ['database'])
    expect({ faults, notRecovered }).toEqual({ faults: [], notRecovered: [] })
    expect(slowest).toBeLessThan(MAX_RESPONSE_MS)
    expectDocumented('database', state, outcome)
    expect(context.server.isRunning).toBe(true)
  },
)
