import { DAY_MS } from '../../../contract/dates.ts'
import type { Noun } from '../../../contract/format.ts'
import type { SheetRecordKind } from '../../../contract/records.ts'
import type { BulkRow } from './contract.ts'

export const RECORD_NOUNS: Readonly<Record<SheetRecordKind, Noun>> = {
  site: ['site', 'sites'],
  person: ['person', 'people'],
  charter: ['charter', 'charters'],
  brand: ['brand', 'brands'],
  charter_affair: ['charter affair', 'charter affairs'],
  sis_site: ['SIS site', 'SIS sites'],
  authorizer_board_member: ['board member', 'board members'],
  center_district: ['district', 'districts'],
}
const ANY_NOUN: Noun = ['record', 'records']

/** The noun for records of these kinds together. */
export const getNoun = (kinds: Iterable<string>): Noun => {
  const [kind = '', ...others] = new Set(kinds)
  return others.length === 0 && Object.hasOwn(RECORD_NOUNS, kind) ? RECORD_NOUNS[kind as SheetRecordKind] : ANY_NOUN
}

/** Refused by a rule, or planned for another day already. */
export const isLeftOut = ({ state, plannedFor }: BulkRow): boolean => state === 'error' || plannedFor !== null

/** The last day before a change takes effect. */
export const getDayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
