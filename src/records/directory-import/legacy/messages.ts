import { formatCount, type Noun } from '../../../contract/format.ts'
import { RECORD_NOUNS } from '../../../contract/records.ts'
import { countFindings, type ImportFinding, type FindingType } from './findings.ts'
import type { TableName } from './rows.ts'

/** The parts of an outcome that are reported. */
interface LegacySummary {
  readonly files: readonly { readonly name: string; readonly kind: string | null; readonly records: number }[]
  readonly plan: readonly {
    readonly table: TableName
    readonly inserts: readonly unknown[]
    readonly siteParts: readonly unknown[]
    readonly updates: readonly { readonly id: string; readonly about: { readonly name: string }; readonly fields: readonly string[] }[]
    readonly unchanged: number
  }[]
  readonly findings: readonly ImportFinding[]
}

const TABLE_NAMES: Record<TableName, Noun> = {
  ...RECORD_NOUNS,
  role: ['role', 'roles'],
  program_type: ['program type', 'program types'],
  facility: ['facility record', 'facility records'],
  enrollment: ['enrollment record', 'enrollment records'],
  site_program_type: ['program of a site', 'programs of sites'],
  site_person: ['role at a site', 'roles at sites'],
  center_district: ['center district', 'center districts'],
  permission: ['permission', 'permissions'],
}
const FINDING_MESSAGES: Record<FindingType, string> = {
  'no place': 'have no field here',
  changed: 'are stored in another form',
  refused: 'cannot be stored',
  'not placed': 'records or parts are not stored',
  missing: 'point at what is in no file',
  differs: 'differ from another file, which is used',
  kept: 'stay, because someone edited them here',
  gone: 'records of an earlier folder are not in this one, and stay',
}
const MAX_EXAMPLES = 10
const MAX_FIELD_NAMES = 12

const countRows = (
  plan: LegacySummary['plan'],
  numberOf: (table: LegacySummary['plan'][number]) => number,
): { total: number; words: string } => {
  const some = plan.flatMap((table): [TableName, number][] => (numberOf(table) > 0 ? [[table.table, numberOf(table)]] : []))
  return {
    total: some.reduce((sum, [, number]) => sum + number, 0),
    words: some.map(([table, number]) => formatCount(number, TABLE_NAMES[table])).join(', '),
  }
}

/** The files found in the folder. */
export const formatFiles = ({ files }: Pick<LegacySummary, 'files'>): string[] => {
  const of = (name: string) => (name.includes('/') ? `${name.slice(0, name.lastIndexOf('/'))}/*` : name)
  const folders = new Map<string, { files: number; records: number }>()
  for (const { name, records } of files) {
    const sum = folders.get(of(name)) ?? { files: 0, records: 0 }
    folders.set(of(name), { files: sum.files + 1, records: sum.records + records })
  }
  return [...folders].map(
    ([name, sum]) => `  ${name}: ${formatCount(sum.records, 'record')}${sum.files > 1 ? ` in ${formatCount(sum.files, 'file')}` : ''}`,
  )
}

/** What the import adds, changes and leaves unchanged, and its findings; `done` once it has happened. */
export const formatLegacyOutcome = ({ plan, findings }: LegacySummary, { done }: { done: boolean }): string[] => {
  const line = (verb: string, past: string, { total, words }: { total: number; words: string }): string =>
    `${(done ? past : `To ${verb}`).padEnd(10)} ${total.toLocaleString('en-US').padStart(9)}${words === '' ? '' : ` (${words})`}`
  const updates = plan.flatMap(({ table, updates: rows }) => rows.map((row) => ({ table, ...row })))
  return [
    line(
      'add',
      'Added',
      countRows(plan, ({ inserts, siteParts }) => inserts.length + siteParts.length),
    ),
    line(
      'change',
      'Changed',
      countRows(plan, ({ updates: rows }) => rows.length),
    ),
    ...(done
      ? []
      : updates
          .slice(0, MAX_EXAMPLES)
          .map(({ table, id, about, fields }) => `  ${TABLE_NAMES[table][0]} ${id}  ${about.name}: ${fields.join(', ')}`)),
    ...(done || updates.length <= MAX_EXAMPLES ? [] : [`  and ${(updates.length - MAX_EXAMPLES).toLocaleString('en-US')} more`]),
    line(
      'leave',
      'Left',
      countRows(plan, ({ unchanged }) => unchanged),
    ),
    ...(done ? [] : formatFindings(findings)),
  ]
}

const formatFindings = (findings: readonly ImportFinding[]): string[] =>
  findings.length === 0
    ? ['Nothing of the folder is lost or changed']
    : [
        `To tell    ${findings.length.toLocaleString('en-US').padStart(9)}`,
        ...[...countFindings(findings)].flatMap(([what, fields]) => {
          const all = [...fields].toSorted(([, a], [, b]) => b - a)
          const total = all.reduce((sum, [, number]) => sum + number, 0)
          const named = all.slice(0, MAX_FIELD_NAMES).map(([field, number]) => `${field} ${number.toLocaleString('en-US')}`)
          return [
            `  ${total.toLocaleString('en-US')} ${FINDING_MESSAGES[what]}: ${named.join(', ')}${all.length > MAX_FIELD_NAMES ? ` and ${formatCount(all.length - MAX_FIELD_NAMES, 'field')} more` : ''}`,
          ]
        }),
      ]

/** The section of `npm run import -- --help` for this import. */
export const LEGACY_HELP = `Usage: homeroom import legacy FOLDER [options]

Moves in from the old program: FOLDER holds its own answers as JSON files (brand, charters_pop, sites_pop, people, regions_pop, roles,
programtypes, charter_affair/*, app_permissions; docs/users/importing.md says how to save them). Every _id and slug stays. The same folder again
writes only what differs; what someone edited here since is kept, and nothing is ever deleted.

  --dry-run             says what would be added, changed and left, and what has no place, and writes nothing
  --beside              imports into a database that has brands, charters or sites of its own; it is refused otherwise
  --report FILE         where every value goes that is not stored as it was, with file, record, field and reason;
                        DATA_DIR/import-reports/ unless given`
