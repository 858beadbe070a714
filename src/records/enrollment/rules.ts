import { parseMinutes } from '../../contract/times.ts'

interface Dated {
  readonly date: string
  readonly start_time: string
}
/** Sorts orientation dates by day and start time. */
export const sortDates = <D extends Dated>(dates: readonly D[]): D[] =>
  dates.toSorted(
    (a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0) || (parseMinutes(a.start_time) ?? 0) - (parseMinutes(b.start_time) ?? 0),
  )
