import type { BulkRow } from './contract.ts'

/** What records are called: one, many. */
export type Noun = readonly [one: string, many: string]

/** '1 site', '12 sites' */
export const formatCount = (count: number, [one, many]: Noun): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** Refused by a rule, or planned for another day already. */
export const isLeftOut = ({ state, plannedFor }: BulkRow): boolean => state === 'error' || plannedFor !== null

const DAY_MS = 86_400_000

/** The last day before a change counts. */
export const getDayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
