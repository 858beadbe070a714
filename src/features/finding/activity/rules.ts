import type { Capability } from '../../../contract/capabilities.ts'
import { keysOf } from '../../../contract/field-definitions.ts'
import { formatCount, type Noun } from '../../../contract/format.ts'
import { getKindOfTable, getReadCapability, PARTS, RECORD_KINDS, RECORD_LABELS, RECORD_NOUNS } from '../../../contract/records.ts'

/** The record kinds whose changes are listed. */
export const ACTIVITY_RECORD_KINDS = [
  ...RECORD_KINDS,
  'charter_affair',
  'role',
  'program_type',
  'deadline',
  'permission',
  'setting',
  'request',
] as const
export type ActivityRecordKind = (typeof ACTIVITY_RECORD_KINDS)[number]

/** The record kinds as filter choices. */
export const ACTIVITY_KIND_LABELS: Readonly<Record<ActivityRecordKind, string>> = {
  ...RECORD_LABELS,
  role: 'Roles',
  program_type: 'Program types',
  deadline: 'Deadlines',
  permission: 'Administrators',
  setting: 'Settings',
  request: 'Requests',
}

/** The types of actions. */
export const ACTS = ['change', 'suggestion', 'check', 'request'] as const
export type Act = (typeof ACTS)[number]

interface ActivityTable {
  /** The kind of the record whose page shows its changes. */
  readonly kind: ActivityRecordKind
  readonly act: Act
  /** Who may read its changes. */
  readonly capability: Capability
}

const toActivityTable = (table: string): ActivityTable => ({
  kind: getKindOfTable(table) as ActivityRecordKind,
  act: 'change',
  capability: getReadCapability(table),
})

/** The tables whose changes are listed. */
export const ACTIVITY_TABLES: Readonly<Record<string, ActivityTable>> = {
  ...Object.fromEntries([...RECORD_KINDS, 'charter_affair', ...keysOf(PARTS)].map((table) => [table, toActivityTable(table)])),
  role: toActivityTable('role'),
  program_type: toActivityTable('program_type'),
  // Deadlines of charters need access to charter affairs; without it, people only see those of their own sites.
  deadline: toActivityTable('deadline'),
  permission: { kind: 'permission', act: 'change', capability: 'manage administrators' },
  setting: { kind: 'setting', act: 'change', capability: 'change the settings' },
  request: { kind: 'request', act: 'request', capability: 'answer requests' },
}

/** The capability to see all activity that one may read; everyone else sees their own sites only. */
export const SEE_EVERYTHING: Capability = 'read a history'

/** Changes by one person to one record form one entry if the gaps between them are no longer than this. */
export const SAME_ENTRY_MS = 10 * 60_000

const toNoun = (kind: string): Noun => (RECORD_NOUNS as Readonly<Record<string, Noun>>)[kind] ?? ['record', 'records']

/** What undoing changes has done, by what they had done. If something stayed, only the server knows how much was removed. */
export const describeUndone = (
  counts: readonly { readonly kind: string; readonly action: string; readonly records: number }[],
  left: number,
): string => {
  const describe = (action: string, was: string, is: string): string[] => {
    const found = counts.filter((count) => count.action === action)
    if (found.length === 0) return []
    const isOne = found.reduce((sum, { records }) => sum + records, 0) === 1
    const words = found.map(({ kind, records }) => formatCount(records, toNoun(kind))).join(' and ')
    return [`${words} that ${isOne ? 'was' : 'were'} ${was} ${isOne ? 'is' : 'are'} ${is}.`]
  }
  const added = left === 0 ? describe('insert', 'added', 'removed') : ['What was added is removed or closed.']
  return [
    ...(counts.some(({ action }) => action === 'insert') ? added : []),
    ...describe('delete', 'removed', 'restored'),
    ...(counts.some(({ action }) => action === 'update') ? ['The earlier values are back.'] : []),
  ].join(' ')
}
