import type { ImportType } from '../../contract/import-values.ts'

export type ImportTable = 'charter' | 'site' | 'facility' | 'person' | 'sis_site' | 'site_person' | 'hr_person'
type Target = `${ImportTable}.${string}`

/** A field of an imported row. */
export interface ImportField {
  readonly label: string
  readonly type: ImportType
  /** Headers known for it, besides its name and label; compared without case and punctuation. */
  readonly headers: readonly string[]
  /** The columns that its values are written to: of the field, or of the parts that its cells are split into. */
  readonly to: readonly Target[]
  readonly isRequired?: true
  /** Whether only a header names it: its values are like those of other fields. */
  readonly isNamed?: true
  /** What its words are mapped to. */
  readonly words?: 'status' | 'category' | 'role' | 'brand' | 'charter' | 'site' | 'region'
  /** What a word that becomes nothing is called, and what follows from it. */
  readonly none?: string
  readonly about?: string
}

/** Where the parts of divided cells are written. */
export const PART_TARGETS: Readonly<Record<string, readonly Target[]>> = {
  address_1: ['site.address_1'],
  address_2: ['site.address_2'],
  city: ['site.city'],
  state: ['site.state'],
  zip: ['site.zip'],
  phone_2: ['facility.phone_2'],
}

/** A field with its label, type, targets and headers. */
export const field = (
  label: string,
  type: ImportType,
  to: readonly Target[],
  headers: readonly string[] = [],
  more: Pick<ImportField, 'isRequired' | 'isNamed' | 'words' | 'none' | 'about'> = {},
): ImportField => ({ label, type, to, headers, ...more })
