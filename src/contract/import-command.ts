interface CommandImport {
  readonly readAs: string
  readonly options: readonly string[]
  /** What it fills is not searched where `HR_URL` names another source. */
  readonly isSearchedInHr?: true
}

/** The files that `homeroom import` reads: the import that they are read as, and the options for them only. */
export const COMMAND_IMPORTS = {
  charters: { readAs: 'charters', options: ['brand', 'region'] },
  sites: { readAs: 'sites', options: [] },
  staff: { readAs: 'staff', options: [] },
  sis_sites: { readAs: 'sis_sites', options: [] },
  /** Only the directory that Add Staff searches, of which the file is the source. */
  employees: { readAs: 'employees', options: ['allow-gone'], isSearchedInHr: true },
} as const satisfies Readonly<Record<string, CommandImport>>

export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean' },
  brand: { type: 'string' },
  region: { type: 'string' },
  'allow-gone': { type: 'boolean' },
  map: { type: 'string', multiple: true },
  report: { type: 'string' },
} as const

/** The option that says the value of a field, of the same name, for all rows. */
export const CONSTANT_OPTION = 'brand'

/** The part of `homeroom import --help` for files with columns. */
export const TABLE_HELP = `Usage: homeroom import KIND FILE [options]

Brings in a file of another program (CSV or XLSX), as the page Import does. KIND is one of:
  charters    a school directory: each row becomes a charter and, with an address, its site
  sites       sites, such as resource centers and offices
  staff       people with their roles at sites; Add Staff finds them, too
  sis_sites   sites in the student information system
  employees   only the employees that Add Staff searches. Those missing in a later file are no longer found
Columns are recognized by their headers and values. Rows are matched by their ids, so the same file can be imported again: only what
differs is changed, and what a person edited since stays. A wrong cell is left out; its row is refused only if it cannot do without.
All is saved as one, and can be undone as one in the browser, except employees. Works with the server stopped or running.

  --dry-run             says what would be added, changed, left out and refused, and writes nothing
  --map COLUMN=FIELD    the field of a column that is not recognized; may be given several times
  --report FILE         where rows go of which something was refused or left out, with row number and reason; DATA_DIR/import-reports/ unless given
  --brand NAME          for charters: their brand, created if it does not exist; without it new ones are Independent
  --region NAME         for charters: the region of rows whose state has none; such rows are refused otherwise
  --allow-gone          for employees: marks them as gone even where they are more than half of all; such a file is refused otherwise
  --help                this text`
