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
  take: (rows: Rows) => Snapshot,
  compare: (before: Snapshot, after: Snapshot, add: (key: string, value: number) => void) => void,
): Promise<readonly [now: readonly Flow[], earlier: readonly Flow[] | null]> => {
  const { before, begins } = reader
  const listKnown = (from: string, to: string) => listParts(from > begins ? from : dayAfter(begins), to, period)
  const [now, earlier] = [listKnown(reader.from, reader.to), listKnown(before.from, before.to)]
  const parts = [...earlier, ...now]
  const ends = [...new Set(parts.flatMap((part) => [dayBefore(part.from), part.to]))].toSorted().toReversed()
  const snapshots = new Map<string, Snapshot>()
  if (ends.length > 0) await walkHistory(reader.context, { days: ends, onDay: (day, rows) => void snapshots.set(day, take(rows)) })
  const toFlow = (part: (typeof parts)[number]): Flow => {
    const sums = new Map<string, number>()
    const [first, last] = [snapshots.get(dayBefore(part.from)), snapshots.get(part.to)]
    if (first !== undefined && last !== undefined) compare(first, last, (key, value) => sums.set(key, (sums.get(key) ?? 0) + value))
    return [part.start, sums]
  }
  return [now.map(toFlow), earlier.length > 0 ? earlier.map(toFlow) : null]
}

/** What happened in the part of a period that begins on a day. */
export type Flow = readonly [on: string, sums: ReadonlyMap<string, number>]

const dayBefore = (day: string): string => addDays(day, -1)
const dayAfter = (day: string): string => addDays(day, 1)

export const toFlowSeries = (flows: readonly Flow[], labels: Readonly<Record<string, string>>): InsightSeries[] =>
  Object.entries(labels).map(([key, label]) => ({ key, label, points: flows.map(([on, sums]) => ({ on, value: sums.get(key) ?? 0 })) }))

export const sumFlows = (flows: readonly Flow[] | null, key: string): number | null =>
  flows && sum(flows.map(([, sums]) => sums.get(key) ?? 0))
