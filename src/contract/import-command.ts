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
  /** A file of staff fills the directory that Add Staff searches; the page Import adds people with their roles, too. */
  staff: { readAs: 'employees', options: ['allow-gone'], isSearchedInHr: true },
  sis_sites: { readAs: 'sis_sites', options: [] },
} as const satisfies Readonly<Record<string, CommandImport>>

export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean' },
  preview: { type: 'boolean' },
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
  staff       the employees that Add Staff searches. Those missing in a later file are no longer found
  sis_sites   sites in the student information system
Columns are recognized by their headers and values. Rows are matched by their ids, so the same file can be imported again: only what
differs is changed, and what a person edited since stays. Works with the server stopped or running.

  --dry-run             says what would be added, changed, left and refused, and writes nothing
  --map COLUMN=FIELD    the field of a column that is not recognized; may be given several times
  --report FILE         where refused rows go, with row number and reason; DATA_DIR/import-reports/ unless given
  --brand NAME          for charters: their brand, created if it does not exist; without it new ones are Independent
  --region NAME         for charters: the region of rows whose state has none; such rows are refused otherwise
  --allow-gone          for staff: marks people as gone even where they are more than half of all; such a file is refused otherwise
  --help                this text`
