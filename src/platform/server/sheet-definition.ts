import {
  type CellReference,
  type CellType,
  type FieldControl,
  type FieldDefinition,
  type FieldDefinitions,
} from '../../contract/field-definitions.ts'
import { RECORD_KINDS } from '../../contract/records.ts'
import { STATUSES } from '../../contract/status.ts'
import { cleanMultiline } from '../../contract/text-cleaning.ts'
import type { Queryable } from '../../database/connection.server.ts'
import type { EditableTable, StoredRow } from '../../database/update-record.server.ts'
import type { ReadModel } from './read-model/read-model.ts'

export const isReference = (type: CellType): type is CellReference => RECORD_KINDS.some((kind) => kind === type)

/** An editable column: the path of its field, and how a cell represents its value. */
export interface EditableColumn {
  readonly path: string
  readonly label: string
  readonly type: CellType
  readonly choices?: readonly string[]
  /** The stored form of a text, such as a phone number; a text that is not certainly one is returned unchanged. */
  readonly read?: (text: string) => string
  /** A column for new rows only; for existing records it cannot be changed here. */
  readonly isForNewRows?: true
}

/** Who changed something, and when. */
export interface Author {
  readonly by: string | null
  readonly at: string
}

/** Versions of a part that has no row with a version of its own, by the key of the record. */
interface PartVersions {
  readonly read: (db: Queryable, keys: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** The values in earlier versions, in the shape that `readPresent` returns for today. */
  readonly readEarlier: (
    db: Queryable,
    wanted: ReadonlyMap<string, number>,
    readPresent: (keys: readonly string[]) => Promise<ReadonlyMap<string, object>>,
  ) => Promise<ReadonlyMap<string, StoredRow>>
  /** Who last changed a field after the given version. */
  readonly findAuthors: (db: Queryable, wanted: ReadonlyMap<string, number>) => Promise<(key: string, path: string) => Author | undefined>
}

/** A sheet that can be edited in Excel, from the same definitions as the form. */
export interface SheetDefinition {
  /** Where the versions in the file come from. */
  readonly versions: { readonly table: EditableTable; readonly keyColumn?: string } | PartVersions
  readonly columns: (model: ReadModel) => readonly EditableColumn[]
  /** Whether a row without an identifier becomes a record. */
  readonly isForNewRows?: true
}

const TYPES: Partial<Record<FieldControl, CellType>> = { checkbox: 'boolean', emails: 'list', day: 'day' }
const getType = ({ control, cell }: FieldDefinition): CellType | null => {
  if (cell !== undefined) return cell
  return control === 'picture' ? null : (TYPES[control] ?? 'text')
}

const getChoices = ({ control, choices }: FieldDefinition): readonly string[] | undefined => {
  if (control === 'status') return STATUSES
  if (control === 'checkbox') return ['Yes', 'No']
  return control === 'choice' ? choices : undefined
}

/** The columns of fields, named as in the history. */
export const toColumns = (fields: FieldDefinitions): EditableColumn[] =>
  Object.entries(fields).flatMap(([path, field]): EditableColumn[] => {
    const type = getType(field)
    if (type === null) return []
    const { label, fullLabel = label, input } = field
    const choices = getChoices(field)
    const read = (text: string): string => {
      const { data } = input.safeParse(text)
      return typeof data === 'string' ? data : text
    }
    return [{ path, label: fullLabel, type, ...(choices ? { choices } : {}), ...(type === 'text' ? { read } : {}) }]
  })

/** The columns of fields that are all text. */
export const toTextColumns = (labels: Readonly<Record<string, string>>): EditableColumn[] =>
  Object.entries(labels).map(([path, label]) => ({ path, label, type: 'text', read: cleanMultiline }))
