import { z } from 'zod'

import { keysOf } from './field-definitions.ts'
import type { SheetKind } from './sheets.ts'

interface ImportDeclaration {
  /** The sheet with the records that the rows become. */
  readonly sheet: SheetKind
  readonly label: string
  readonly description: string
  /** The files that can be chosen. */
  readonly accept: string
  readonly files: string
}

const TABLES = { accept: '.xlsx,.csv,.txt,.tsv', files: 'An Excel workbook (.xlsx) or a CSV file, up to 20 MB.' }

/** The kinds of files of other programs. */
export const IMPORTS = {
  charters: {
    sheet: 'charters',
    label: 'Charters, or a school directory',
    description: 'One row for each school. With an address, each row becomes a charter and its site.',
    ...TABLES,
  },
  sites: { sheet: 'sites', label: 'Sites', description: 'One row for each site: resource centers, offices, warehouses.', ...TABLES },
  staff: {
    sheet: 'people',
    label: 'Staff',
    description: 'One row for each person, such as an export of the HR system. Known job titles become roles at the sites.',
    ...TABLES,
  },
  sis_sites: { sheet: 'sis_sites', label: 'SIS sites', description: 'One row for each site in the student information system.', ...TABLES },
  legacy: {
    sheet: 'sites',
    label: 'The old program',
    description: 'Its folder of responses as one ZIP file. Links and identifiers stay the same.',
    accept: '.zip',
    files: 'A ZIP file, up to 20 MB.',
  },
} as const satisfies Readonly<Record<string, ImportDeclaration>>

export const IMPORT_KINDS = keysOf(IMPORTS)
export const ImportKind = z.enum(IMPORT_KINDS)
export type ImportKind = z.infer<typeof ImportKind>
/** The kinds of files with a table, which is everything but the old program's folder. */
export const TABLE_KINDS = IMPORT_KINDS.filter((kind) => kind !== 'legacy')
/** A file of any kind, which is recognized by what it has. */
export const ANY_FILE = {
  accept: `${TABLES.accept},${IMPORTS.legacy.accept}`,
  files: 'Excel workbooks (.xlsx), CSV files or a ZIP file, up to 20 MB each.',
}
