import { sql } from 'kysely'

import { type InsightSummary, listInsights, readInsight } from '../src/app/insights/contract.ts'
import type { Network } from '../test/support/large-network.ts'
import { getMedian } from '../test/support/percentile.ts'
import { signInAt } from '../test/support/sessions.ts'
import { timeRequest } from './saves.ts'

const YEARS = 5
const ROUNDS = 5

/** The slowest of all insights. */
interface Slowest {
  readonly name: string
  readonly ms: number
}

/** Stretches the history of the sample network. */
const stretchHistory = async ({ db }: Network): Promise<void> => {
  await sql`
    update change set at = now() - (now() - at) * (${YEARS * 365 * 86_400} / extract(epoch from now() - (select min(at) from change)))::float8`.execute(
    db,
  )
  await sql`delete from insight_day`.execute(db)
  await sql`vacuum analyze change`.execute(db)
}

const findSlowest = (measured: readonly Slowest[]): Slowest =>
  measured.reduce((slowest, one) => (one.ms > slowest.ms ? one : slowest), { name: '', ms: 0 })

/** How long an insight of all years takes until its last byte: the first time on a server that has counted nothing yet, and then. */
export const measureInsights = async (network: Network): Promise<{ count: number; first: Slowest; later: Slowest }> => {
  await stretchHistory(network)
  const { headers } = await signInAt(network, 5)
  const response = await fetch(`${network.url}${listInsights.path}?titles=no`, { headers })
  const insights = (await response.json()) as InsightSummary[]
  const from = new Date(Date.now() - YEARS * 365 * 86_400_000).toISOString().slice(0, 10)
  const measure = (name: string) =>
    timeRequest(network, `${readInsight.path.replace(':name', name)}?from=${from}`, { headers: { ...headers } })
  const first: Slowest[] = []
  for (const { name } of insights) first.push({ name, ms: await measure(name) })
  const later: Slowest[] = []
  for (const { name } of insights) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await measure(name))
    later.push({ name, ms: getMedian(times) })
  }
  return { count: insights.length, first: findSlowest(first), later: findSlowest(later) }
}
