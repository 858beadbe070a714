import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { createTimeSlices } from '../../platform/server/time-slices.ts'
import type { InsightSeries } from './contract.ts'
import type { Place } from './figures.server.ts'
import { type Rows, type Walk, walkHistory } from './history.server.ts'
import { type Reader, sum } from './insight.server.ts'
import { listParts, type PeriodName } from './rules.ts'

/** Whether a place passes the filters. */
export const matches = ({ filter }: Reader, place: Place): boolean =>
  (filter.region === undefined || filter.region === place.region) &&
  (filter.brand === undefined || filter.brand === place.brand) &&
  (filter.charter === undefined || filter.charter === place.charter) &&
  (filter.type === undefined || filter.type === place.type)

/** Something of which each record has a state. */
interface Flowing<State> extends Pick<Walk, 'of'> {
  readonly listAll: (rows: Rows) => Iterable<string>
  /** The records whose state may be another one than on the day that was visited before. */
  readonly listTouched: (rows: Rows) => Iterable<string>
  readonly take: (rows: Rows, key: string) => State | undefined
  readonly compare: (before: State | undefined, after: State | undefined, add: (key: string) => void) => void
}

/** Parts of a period and of the one before, in which something happens between the end of one and the end of the next. */
export const readFlows = async <State>(
  reader: Reader,
  period: PeriodName,
  { of, listAll, listTouched, take, compare }: Flowing<State>,
): Promise<readonly [now: readonly Flow[], earlier: readonly Flow[] | null]> => {
  const { before, begins } = reader
  const listKnown = (from: string, to: string) =>
    listParts(from > begins ? from : addDays(begins, 1), to, period).map((part) => ({ ...part, records: new Map<string, string[]>() }))
  const [now, earlier] = [listKnown(reader.from, reader.to), listKnown(before.from, before.to)]
  const parts = new Map([...earlier, ...now].map((part) => [addDays(part.from, -1), part]))
  const days = [...(parts.size > 0 ? [reader.to] : []), ...[...parts.keys()].toSorted().toReversed()]
  const states = new Map<string, State>()
  const rest = createTimeSlices()
  await walkHistory(reader.context, {
    of: of ?? [],
    days,
    onDay: async (day, rows) => {
      const records = parts.get(day)?.records
      for (const record of day === reader.to ? listAll(rows) : listTouched(rows)) {
        const state = take(rows, record)
        if (records)
          compare(state, states.get(record), (key) => {
            const others = records.get(key)
            if (others) others.push(record)
            else records.set(key, [record])
          })
        if (state === undefined) states.delete(record)
        else states.set(record, state)
        await rest()
      }
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
