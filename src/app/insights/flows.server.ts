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
  compare: (before: Snapshot, after: Snapshot, add: (key: string, record: string) => void) => Promise<void> | void,
): Promise<readonly [now: readonly Flow[], earlier: readonly Flow[] | null]> => {
  const { before, begins } = reader
  const listKnown = (from: string, to: string) =>
    listParts(from > begins ? from : addDays(begins, 1), to, period).map((part) => ({ ...part, records: new Map<string, string[]>() }))
  const [now, earlier] = [listKnown(reader.from, reader.to), listKnown(before.from, before.to)]
  const parts = new Map([...earlier, ...now].map((part) => [addDays(part.from, -1), part]))
  const days = [...(parts.size > 0 ? [reader.to] : []), ...[...parts.keys()].toSorted().toReversed()]
  let after: Snapshot | undefined
  await walkHistory(reader.context, {
    days,
    onDay: async (day, rows) => {
      const snapshot = await take(rows)
      const { records } = parts.get(day) ?? {}
      if (records && after !== undefined)
        await compare(snapshot, after, (key, record) => {
          const others = records.get(key)
          if (others) others.push(record)
          else records.set(key, [record])
        })
      after = snapshot
    },
  })
  const toFlows = (known: typeof now): Flow[] =>
    known.map(({ start, records }) => [start, new Map([...records].map(([key, { length }]) => [key, length])), records])
  return [toFlows(now), earlier.length > 0 ? toFlows(earlier) : null]
}

/** What happened in the part of a period that begins on a day, and to which records, if that is known. */
export type Flow = readonly [on: string, sums: ReadonlyMap<string, number>, records?: ReadonlyMap<string, readonly string[]>]

/** The records of one part, or of all. */
export const listRecords = (flows: readonly Flow[], key: string, start?: string): string[] =>
  flows.flatMap(([on, , records]) => (start === undefined || start === on ? (records?.get(key) ?? []) : []))

export const toFlowSeries = (flows: readonly Flow[], labels: Readonly<Record<string, string>>): InsightSeries[] =>
  Object.entries(labels).map(([key, label]) => ({ key, label, points: flows.map(([on, sums]) => ({ on, value: sums.get(key) ?? 0 })) }))

export const sumFlows = (flows: readonly Flow[] | null, key: string): number | null =>
  flows && sum(flows.map(([, sums]) => sums.get(key) ?? 0))
