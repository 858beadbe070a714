import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import type { InsightSeries } from './contract.ts'
import type { Place } from './figures.server.ts'
import { type Rows, walkHistory } from './history.server.ts'
import { type Reader, sum } from './insight.server.ts'
import { listParts, type PeriodName } from './rules.ts'

/** Whether a place passes the filters. */
export const matches = ({ filter }: Reader, place: Place): boolean =>
  (filter.region === undefined || filter.region === place.region) &&
  (filter.brand === undefined || filter.brand === place.brand) &&
  (filter.charter === undefined || filter.charter === place.charter) &&
  (filter.type === undefined || filter.type === place.type)

/** Parts of a period and of the one before, in which something happens between the end of one and the end of the next. */
export const readFlows = async <Snapshot>(
  reader: Reader,
  period: PeriodName,
  take: (rows: Rows) => Promise<Snapshot> | Snapshot,
  compare: (before: Snapshot, after: Snapshot, add: (key: string, value: number) => void) => Promise<void> | void,
): Promise<readonly [now: readonly Flow[], earlier: readonly Flow[] | null]> => {
  const { before, begins } = reader
  const listKnown = (from: string, to: string) =>
    listParts(from > begins ? from : addDays(begins, 1), to, period).map((part) => ({ ...part, sums: new Map<string, number>() }))
  const [now, earlier] = [listKnown(reader.from, reader.to), listKnown(before.from, before.to)]
  const parts = new Map([...earlier, ...now].map((part) => [addDays(part.from, -1), part]))
  const days = [...(parts.size > 0 ? [reader.to] : []), ...[...parts.keys()].toSorted().toReversed()]
  let after: Snapshot | undefined
  await walkHistory(reader.context, {
    days,
    onDay: async (day, rows) => {
      const snapshot = await take(rows)
      const { sums } = parts.get(day) ?? {}
      if (sums && after !== undefined) await compare(snapshot, after, (key, value) => sums.set(key, (sums.get(key) ?? 0) + value))
      after = snapshot
    },
  })
  const toFlows = (known: typeof now): Flow[] => known.map(({ start, sums }) => [start, sums])
  return [toFlows(now), earlier.length > 0 ? toFlows(earlier) : null]
}

/** What happened in the part of a period that begins on a day. */
export type Flow = readonly [on: string, sums: ReadonlyMap<string, number>]

export const toFlowSeries = (flows: readonly Flow[], labels: Readonly<Record<string, string>>): InsightSeries[] =>
  Object.entries(labels).map(([key, label]) => ({ key, label, points: flows.map(([on, sums]) => ({ on, value: sums.get(key) ?? 0 })) }))

export const sumFlows = (flows: readonly Flow[] | null, key: string): number | null =>
  flows && sum(flows.map(([, sums]) => sums.get(key) ?? 0))
