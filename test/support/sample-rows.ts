import { buildHistory } from '../../sample/history.ts'
import { planNetwork } from '../../sample/plan.ts'
import { SEARCHED_TABLES, type SearchedRows, type SearchedTable } from '../../src/features/finding/search/engine/records.ts'
import type { SearchEngine } from '../../src/features/finding/search/engine/search-engine.ts'

const REGIONS = ['California', 'Michigan', 'Ohio', 'South Carolina', 'Texas']
const LEADERSHIP = [
  'Administrative Assistant',
  'Area Superintendent',
  'Assistant Principal',
  'Learning Center Coordinator',
  'Principal',
  'Regional SRM',
  'Regional Vice President',
  'School Operations Manager',
  'Student Relations Manager',
  'Warehouse Manager',
  'Warehouse Technician',
]
const STUDENT_SUPPORT = [
  'Community Liaison',
  'Compliance',
  'Counselor',
  'ELD Lead',
  'ELD SST',
  'ELD Specialist',
  'Front Desk Staff',
  'Lead Counselor',
  'Regional Utility',
  'Registrar',
  'SPED Data Tech',
  'SPED Specialist',
  'SPED Technician',
  'School Psychologist',
  'Site Utility',
]
const PROGRAM_TYPES = [
  'Independent Study',
  'Home Study',
  'Online',
  'Learning Center',
  'Career Technical Education',
  'Credit Recovery',
  'Adult Education',
  'Dual Enrollment',
  'Summer School',
  'Special Education',
  'English Language Development',
  'Transitional Kindergarten',
]

const toIds = (names: readonly string[]): Map<string, string> => new Map(names.map((name) => [name, `id of ${name}`]))
const roleRow = (group: string) => (name: string) => ({ _id: `id of ${name}`, name, group })

export type SampleRows = { readonly [T in SearchedTable]: readonly SearchedRows[T][] }

/** The searched rows of a complete sample network, without a database and without archived records. */
export const buildSampleRows = (sites: number): SampleRows => {
  const known = { region: toIds(REGIONS), role: toIds([...LEADERSHIP, ...STUDENT_SUPPORT]), programType: toIds(PROGRAM_TYPES) }
  const plan = planNetwork({ seed: 1, sites, now: new Date(), known })
  const rows = new Map<string, Map<string, object>>(SEARCHED_TABLES.map((table) => [table, new Map()]))
  for (const name of REGIONS) rows.get('region')?.set(name, { _id: known.region.get(name), name })
  for (const row of [...LEADERSHIP.map(roleRow('LEADERSHIP')), ...STUDENT_SUPPORT.map(roleRow('STUDENT_SUPPORT'))])
    rows.get('role')?.set(row._id, row)
  const pictures = { facades: [], brands: new Map(), charterPhoto: () => null }
  for (const step of buildHistory(plan, pictures, 'homeroom'))
    for (const write of step.writes()) {
      const table = rows.get(write.table)
      for (const row of table ? (write.rows as readonly Record<string, string>[]) : []) {
        const key = row['_id'] ?? row['site'] ?? ''
        if (write.action === 'delete') table?.delete(key)
        else table?.set(key, { ...table.get(key), ...row })
      }
    }
  const listRows = (byKey: ReadonlyMap<string, object>): object[] => [...byKey.values()].filter((row) => !('archivedAt' in row))
  return Object.fromEntries([...rows].map(([table, byKey]) => [table, listRows(byKey)])) as unknown as SampleRows
}

/** Adds all rows to an engine, and returns it. */
export const indexRows = (engine: SearchEngine, rows: SampleRows): SearchEngine => {
  for (const table of SEARCHED_TABLES) for (const row of rows[table]) engine.change({ table, before: undefined, after: row })
  return engine
}
