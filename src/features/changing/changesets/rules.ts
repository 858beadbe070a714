import { DAY_MS } from '../../../contract/dates.ts'
import { formatCount, type Noun } from '../../../contract/format.ts'
import { RECORD_NOUNS, ROW_KINDS } from '../../../contract/records.ts'
import type { BulkRow } from './contract.ts'

const ANY_NOUN: Noun = ['record', 'records']

/** The noun for records of these kinds together. */
export const getNoun = (kinds: Iterable<string>): Noun => {
  const [kind = '', ...others] = new Set(kinds)
  return others.length === 0 && Object.hasOwn(RECORD_NOUNS, kind) ? RECORD_NOUNS[kind as keyof typeof RECORD_NOUNS] : ANY_NOUN
}

/** What undoing changes has done, by what they had done. If something stayed, only the server knows how much was removed. */
export const describeUndone = (
  counts: readonly { readonly kind: string; readonly action: string; readonly records: number }[],
  left: number,
): string => {
  const describe = (action: string, was: string, is: string): string[] => {
    const found = counts.filter((count) => count.action === action)
    if (found.length === 0) return []
    const isOne = found.reduce((sum, { records }) => sum + records, 0) === 1
    const words = found.map(({ kind, records }) => formatCount(records, getNoun([kind]))).join(' and ')
    return [`${words} that ${isOne ? 'was' : 'were'} ${was} ${isOne ? 'is' : 'are'} ${is}.`]
  }
  const added = left === 0 ? describe('insert', 'added', 'removed') : ['What was added is removed or closed.']
  return [
    ...(counts.some(({ action }) => action === 'insert') ? added : []),
    ...describe('delete', 'removed', 'restored'),
    ...(counts.some(({ action }) => action === 'update') ? ['The earlier values are back.'] : []),
  ].join(' ')
}

/** Refused by a rule, or planned for another day already. */
export const isLeftOut = ({ state, plannedFor }: BulkRow): boolean => state === 'error' || plannedFor !== null

/** The last day before a change takes effect. */
export const getDayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)

/** The tables whose rows are added and removed one by one. */
export const ROW_TABLES: ReadonlySet<string> = new Set(ROW_KINDS)
