import type { Db, Queryable, Tx } from '../../database/connection.server.ts'

/** A table that was found in an uploaded file. Lines are numbered as a spreadsheet program does. */
export interface ImportedTable {
  readonly sheet: string | null
  readonly headerLine: number
  readonly headers: readonly string[]
  /** With an error if the row cannot be read. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[]; readonly error?: string | undefined }[]
  /** The lines below the header that do not look like records, such as totals and notes. */
  readonly skipped: readonly number[]
}

/** What a column of the file becomes, and how certain that is: from 0 to 1, with the reason. */
export interface ImportColumn {
  readonly index: number
  readonly header: string
  readonly samples: readonly string[]
  readonly field: string | null
  readonly confidence: number
  readonly reason: string
}

/** A word of the file, and what it becomes. */
export interface ImportWord {
  readonly field: string
  readonly column: number
  readonly value: string
  readonly count: number
  /** A value, the `_id` of a record, `NEW_RECORD`, or null: it is not imported. */
  readonly target: string | null
  readonly confidence: number
  readonly reason: string
}
/** The target of a word that becomes a new record. */
export const NEW_RECORD = '+'

export interface ImportChoice {
  readonly value: string
  readonly label: string
  /** What it is found by, if its label says more. */
  readonly name?: string
}

/** What was chosen for the columns of a file, by index, and for its words, by field. */
export interface ImportMapping {
  readonly columns: Readonly<Record<string, string | null>>
  readonly values: Readonly<Record<string, Readonly<Record<string, string | null>>>>
}

/** What a file becomes before it is compared with the records. */
export interface ImportGuess {
  readonly columns: readonly ImportColumn[]
  readonly values: readonly ImportWord[]
  readonly fields: readonly {
    readonly key: string
    readonly label: string
    readonly type: string
    readonly isRequired: boolean
    /** What a word that becomes nothing is called, and what follows from it. */
    readonly none: string | null
    readonly about: string | null
  }[]
  readonly choices: Readonly<Record<string, readonly ImportChoice[]>>
}

/** A value that a cell writes. */
export interface CellWrite {
  readonly table: string
  readonly column: string
  readonly value: unknown
  /** Whether a person saved the stored value after the last import, while other columns that the cell writes to may be unchanged. */
  isEdited?: true
}

/** A cell that differs from what is stored. */
export interface ImportedCell {
  readonly column: { readonly letters: string; readonly path: string; readonly label: string }
  readonly before: unknown
  readonly after: unknown
  readonly present: unknown
  state: 'change' | 'conflict' | 'error' | 'new'
  message: string | null
  author: { readonly by: string | null; readonly at: string } | null
  readonly writes: readonly CellWrite[]
  /** The record that its word becomes. */
  readonly creates?: { readonly table: 'brand' | 'charter'; readonly _id: string; readonly name: string }
  /** Without its value the row is left out. */
  readonly isRequired: boolean
  /** Whether the message is about the whole row. */
  readonly isAboutRow?: boolean
}

/** A row with cells that differ. */
export interface ImportedRow {
  readonly line: number
  readonly record: string | null
  readonly name: string | null
  readonly cells: readonly ImportedCell[]
  /** The records that the row is about, by table. */
  readonly records: ReadonlyMap<string, { readonly _id: string; readonly isNew: boolean }>
}

export interface ComparedImport {
  readonly rows: readonly ImportedRow[]
  /** Rows that name a record that is stored, those of them that are unchanged, and those that become records. */
  readonly known: number
  readonly unchanged: number
  readonly added: number
  readonly notes: readonly string[]
  /** For employees: those that are stored and not in the file, and how many are stored. */
  readonly missing?: {
    readonly present: number
    readonly isCertain: boolean
    readonly gone: readonly { readonly _id: string; readonly name: string }[]
  }
}

export interface CompareOptions {
  /** The name of the region of rows whose state has none; without one (null) such rows are left out. */
  readonly region?: string | null
}

/** What the old program's folder would change, or has changed. */
export interface LegacySummary {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Values that someone edited here, which stay. */
  readonly kept: number
  /** What cannot be stored as it is. */
  readonly refused: number
  readonly records: number
  readonly lines: readonly string[]
}
interface LegacyOptions {
  readonly fileName: string
  readonly appId: string
  readonly timeZone: string
  /** Whether access levels are imported, too. */
  readonly withPermissions: boolean
  /** Called with the number of written rows; throws if the import is stopped. */
  readonly note?: (written: number, of: number) => void
}

/** Reads files of other programs and writes their records; the directory of records knows what a file can hold. */
export interface Importer {
  readonly readTable: (bytes: Uint8Array, kind: string, maxRows?: number) => Promise<ImportedTable>
  /** Which of the given kinds a file looks most like; undefined if it looks like none. */
  readonly guessKind: (bytes: Uint8Array, kinds: readonly string[]) => Promise<string | undefined>
  readonly guess: (db: Queryable, kind: string, table: ImportedTable, remembered: ImportMapping | undefined) => Promise<ImportGuess>
  /** `corrections` are texts that replace those of cells, by address. */
  readonly compare: (
    db: Queryable,
    kind: string,
    table: ImportedTable,
    mapping: ImportMapping,
    corrections: ReadonlyMap<string, string>,
    options?: CompareOptions,
  ) => Promise<ComparedImport>
  /** Writes the given rows with the given cells. `note` is called with the number of written rows. */
  readonly write: (tx: Tx, rows: readonly ImportedRow[], note: (written: number, name: string | null) => void) => Promise<void>
  /** Undoes what a changeset wrote into tables without a history, as another one. */
  readonly undo: (tx: Tx, undone: string, changeset: string) => Promise<void>
  readonly markGone: (tx: Tx, employees: readonly string[]) => Promise<void>
  /** Compares a ZIP of the old program's folder, and writes it in a transaction if one is given. */
  readonly importLegacy: (db: Db, zip: Uint8Array, options: LegacyOptions, tx?: Tx) => Promise<LegacySummary>
}
