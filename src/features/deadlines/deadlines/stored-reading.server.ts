import type { DeadlineSource } from '../../../contract/deadlines.ts'
import type { ProposedDate } from '../../../database/deadline-tables.ts'
import { readDate } from './read-date.ts'

/** What is stored of the reading of a text: its date, or the dates it proposes and why none of them is certain. */
export interface StoredReading {
  readonly date: string | null
  readonly precision: 'day' | 'month' | null
  readonly proposedDates: readonly ProposedDate[] | null
  readonly why: string | null
}

const NOTHING: StoredReading = { date: null, precision: null, proposedDates: null, why: null }

export const readText = (text: string | null, source: DeadlineSource | undefined): StoredReading => {
  if (text === null) return NOTHING
  const reading = readDate(text, source)
  if (reading.status === 'certain') return { ...NOTHING, date: reading.date, precision: reading.precision }
  const proposedDates = reading.status === 'proposed' ? reading.dates.map(({ date, precision }) => ({ date, precision })) : null
  return { ...NOTHING, proposedDates, why: reading.why }
}

/** A reading as columns of a row. */
export const toReadingColumns = ({ proposedDates, ...reading }: StoredReading) => ({
  ...reading,
  proposedDates: proposedDates === null ? null : JSON.stringify(proposedDates),
})

/** The date of a row or, if it has none, the likeliest of those proposed. */
export const getLikeliestDate = ({ date, proposedDates }: Pick<StoredReading, 'date' | 'proposedDates'>): string | null =>
  date ?? proposedDates?.[0]?.date ?? null
