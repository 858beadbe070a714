import { DAY_MS } from '../../../contract/dates.ts'
import type { Noun } from '../../../contract/format.ts'
import { RECORD_NOUNS, ROW_KINDS } from '../../../contract/records.ts'
import type { BulkRow } from './contract.ts'

const ANY_NOUN: Noun = ['record', 'records']

/** The noun for records of these kinds together. */
export const getNoun = (kinds: Iterable<string>): Noun => {
  const [kind = '', ...others] = new Set(kinds)
  return others.length === 0 && Object.hasOwn(RECORD_NOUNS, kind) ? RECORD_NOUNS[kind as keyof typeof RECORD_NOUNS] : ANY_NOUN
}

/** Refused by a rule, or planned for another day already. */
export const isLeftOut = ({ state, plannedFor }: BulkRow): boolean => state === 'error' || plannedFor !== null

/** The last day before a change takes effect. */
export const getDayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)

/** The tables whose rows are added and removed one by one. */
export const ROW_TABLES: ReadonlySet<string> = new Set(ROW_KINDS)
