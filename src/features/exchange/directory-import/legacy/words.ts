import { many } from '../words.ts'
import { countsOf, type Finding, type What } from './findings.ts'
import type { TableName } from './rows.ts'

/** As much of an outcome as is told. */
interface Told {
  readonly files: readonly { readonly name: string; readonly kind: string | null; readonly records: number }[]
  readonly plan: readonly {
    readonly table: TableName
    readonly inserts: readonly unknown[]
    readonly begun: readonly unknown[]
    readonly updates: readonly { readonly id: string; readonly about: { readonly name: string }; readonly fields: readonly string[] }[]
    readonly left: number
  }[]
  readonly findings: readonly Finding[]
}

const CALLED: Record<TableName, readonly [one: string, more: string]> = {
  region: ['region', 'regions'],
  role: ['role', 'roles'],
  program_type: ['program type', 'program types'],
  brand: ['brand', 'brands'],
  charter: ['charter', 'charters'],
  site: ['site', 'sites'],
  facility: ['facility record', 'facility records'],
  enrollment: ['enrollment record', 'enrollment records'],
  site_program_type: ['program of a site', 'programs of sites'],
  person: ['person', 'people'],
  site_person: ['role at a site', 'roles at sites'],
  sis_site: ['SIS site', 'SIS sites'],
  charter_affair: ['charter affair', 'charter affairs'],
  authorizer_board_member: ['board member', 'board members'],
  center_district: ['center district', 'center districts'],
  permission: ['permission', 'permissions'],
}
const SAYS: Record<What, string> = {
  'no place': 'have no field here',
  changed: 'are stored in another form',
  refused: 'cannot be stored',
  'not placed': 'records or parts are not stored',
  missing: 'point at what is in no file',
  differs: 'are told otherwise by another file, which is followed',
  kept: 'stay, because someone edited them here',
  gone: 'records of an earlier folder are not in this one, and stay',
}
const TELL = 10
const MOST_NAMES = 12

const counted = (plan: Told['plan'], numberOf: (table: Told['plan'][number]) => number): { total: number; words: string } => {
  const some = plan.flatMap((table): [TableName, number][] => (numberOf(table) > 0 ? [[table.table, numberOf(table)]] : []))
  return {
    total: some.reduce((sum, [, number]) => sum + number, 0),
    words: some.map(([table, number]) => many(number, ...CALLED[table])).join(', '),
  }
}

/** What was found in the folder. */
export const filesInWords = ({ files }: Pick<Told, 'files'>): string[] => {
  const of = (name: string) => (name.includes('/') ? `${name.slice(0, name.lastIndexOf('/'))}/*` : name)
  const folders = new Map<string, { files: number; records: number }>()
  for (const { name, records } of files) {
    const sum = folders.get(of(name)) ?? { files: 0, records: 0 }
    folders.set(of(name), { files: sum.files + 1, records: sum.records + records })
  }
  return [...folders].map(
    ([name, sum]) => `  ${name}: ${many(sum.records, 'record')}${sum.files > 1 ? ` in ${many(sum.files, 'file')}` : ''}`,
  )
}

/** What the import adds, changes, leaves, and what it has to tell; `done` where it has happened. */
export const legacyInWords = ({ plan, findings }: Told, { done }: { done: boolean }): string[] => {
  const line = (verb: string, past: string, { total, words }: { total: number; words: string }): string =>
    `${(done ? past : `To ${verb}`).padEnd(10)} ${total.toLocaleString('en-US').padStart(9)}${words === '' ? '' : ` (${words})`}`
  const updates = plan.flatMap(({ table, updates: rows }) => rows.map((row) => ({ table, ...row })))
  return [
    line(
      'add',
      'Added',
      counted(plan, ({ inserts, begun }) => inserts.length + begun.length),
    ),
    line(
      'change',
      'Changed',
      counted(plan, ({ updates: rows }) => rows.length),
    ),
    ...(done
      ? []
      : updates.slice(0, TELL).map(({ table, id, about, fields }) => `  ${CALLED[table][0]} ${id}  ${about.name}: ${fields.join(', ')}`)),
    ...(done || updates.length <= TELL ? [] : [`  and ${(updates.length - TELL).toLocaleString('en-US')} more`]),
    line(
      'leave',
      'Left',
      counted(plan, ({ left }) => left),
    ),
    ...(done ? [] : foundInWords(findings)),
  ]
}

const foundInWords = (findings: readonly Finding[]): string[] =>
  findings.length === 0
    ? ['Nothing of the folder is lost or changed']
    : [
        `To tell    ${findings.length.toLocaleString('en-US').padStart(9)}`,
        ...[...countsOf(findings)].flatMap(([what, fields]) => {
          const all = [...fields].toSorted(([, a], [, b]) => b - a)
          const total = all.reduce((sum, [, number]) => sum + number, 0)
          const named = all.slice(0, MOST_NAMES).map(([field, number]) => `${field} ${number.toLocaleString('en-US')}`)
          return [
            `  ${total.toLocaleString('en-US')} ${SAYS[what]}: ${named.join(', ')}${all.length > MOST_NAMES ? ` and ${many(all.length - MOST_NAMES, 'field')} more` : ''}`,
          ]
        }),
      ]

/** What `npm run import -- --help` prints of it. */
export const LEGACY_HELP = `Usage: import legacy FOLDER [options]

Moves in from the old program: FOLDER holds its own answers as JSON files (brand, charters_pop, sites_pop, people, regions_pop, roles,
programtypes, charter_affair/*, app_permissions; docs/users/importing.md says how to save them). Every _id and slug stays. The same folder again
writes only what differs; what someone edited here since is kept, and nothing is ever deleted.

  --dry-run             (or --preview) says what would be added, changed and left, and what has no place, and writes nothing
  --beside              imports into a database that has brands, charters or sites of its own; it is refused otherwise
  --report FILE         where every value goes that is not stored as it was, with file, record, field and reason;
                        DATA_DIR/import-reports/ unless given`
