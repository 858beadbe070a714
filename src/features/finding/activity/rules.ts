import type { Capability } from '../../../contract/capabilities.ts'
import { keysOf } from '../../../contract/field-definitions.ts'
import { getKindOfTable, getReadCapability, PARTS, RECORD_KINDS, RECORD_LABELS } from '../../../contract/records.ts'

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
