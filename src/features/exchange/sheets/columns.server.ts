import { type FieldDefinitions, nestFields } from '../../../contract/field-definitions.ts'
import type { EditableKind } from '../../../contract/records.ts'
import { STATUSES } from '../../../contract/status.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { BRAND_FIELDS } from '../../records/brands/fields.ts'
import { affairLabels, sectionTitles } from '../../records/charter-affairs/fields.ts'
import { CHARTER_FIELDS } from '../../records/charters/fields.ts'
import { enrollmentLabels } from '../../records/enrollment/rules.ts'
import { FACILITY_FIELDS } from '../../records/facility/fields.ts'
import { PERSON_FIELDS } from '../../records/people/fields.ts'
import { ADDRESS_FIELDS, SITE_FIELDS } from '../../records/sites/fields.ts'
import type { SheetKind } from './contract.ts'

/** The records that a cell may name. */
const REFERENCE_TYPES = ['region', 'charter', 'brand'] as const
export type Reference = (typeof REFERENCE_TYPES)[number]
export const isReference = (type: EditableColumn['type']): type is Reference => (REFERENCE_TYPES as readonly string[]).includes(type)

/** A column that can be edited: the path of its field, and how its value stands in a cell. */
export interface EditableColumn {
  readonly path: string
  readonly label: string
  readonly type: 'text' | 'day' | 'boolean' | 'list' | 'number' | Reference
  readonly choices?: readonly string[]
}

interface SheetDefinition {
  readonly kind: EditableKind
  readonly title: string
  /** The table whose version the file has. */
  readonly table: 'site' | 'facility' | 'enrollment' | 'person' | 'charter' | 'brand' | 'charter_affair'
  readonly columns: readonly EditableColumn[]
}

const REFERENCES: Readonly<Record<string, Reference>> = { region: 'region', charter: 'charter', brand: 'brand' }

const toColumn = (path: string, { label, fullLabel = label, control, choices }: FieldDefinitions[string]): EditableColumn[] => {
  const column = (type: EditableColumn['type'], allowed?: readonly string[]) => [
    { path, label: fullLabel, type, ...(allowed ? { choices: allowed } : {}) },
  ]
  const name = path.split('.').at(-1) ?? path
  if (control === 'picture') return []
  if (control === 'custom') {
    if (Object.hasOwn(REFERENCES, name)) return column(REFERENCES[name] ?? 'text')
    if (name === 'lease_end') return column('day')
    return name === 'schoolTypeUrls' || name === 'slug' ? [] : column('text')
  }
  if (control === 'choice') return column('text', choices)
  if (control === 'status') return column('text', STATUSES)
  if (control === 'checkbox') return column('boolean', ['Yes', 'No'])
  if (control === 'emails') return column('list')
  if (control === 'day') return column('day')
  return column(name === 'studentCount' ? 'number' : 'text')
}

const toColumns = (fields: FieldDefinitions): EditableColumn[] => Object.entries(fields).flatMap(([path, field]) => toColumn(path, field))

const YES_NO = ['Yes', 'No']

/** The sheets, from the same definitions as the forms. */
export const SHEETS: Readonly<Record<SheetKind, SheetDefinition>> = {
  sites: {
    kind: 'site',
    title: 'Sites',
    table: 'site',
    columns: toColumns({ ...SITE_FIELDS, ...nestFields('address', ADDRESS_FIELDS) }),
  },
  facilities: { kind: 'site', title: 'Facilities', table: 'facility', columns: toColumns(nestFields('facility_info', FACILITY_FIELDS)) },
  enrollments: {
    kind: 'site',
    title: 'Enrollment',
    table: 'enrollment',
    columns: [
      { path: 'enrollment_info.about', label: enrollmentLabels.about, type: 'text' },
      { path: 'enrollment_info.moreAbout', label: enrollmentLabels.moreAbout, type: 'text' },
      { path: 'enrollment_info.registrationEmail', label: enrollmentLabels.registrationEmail, type: 'list' },
      { path: 'enrollment_info.interestEmail', label: enrollmentLabels.interestEmail, type: 'list' },
      { path: 'enrollment_info.primaryEmailstatus', label: enrollmentLabels.primaryEmailstatus, type: 'text', choices: YES_NO },
      { path: 'enrollment_info.addtionalEmailstatus', label: enrollmentLabels.addtionalEmailstatus, type: 'text', choices: YES_NO },
    ],
  },
  people: { kind: 'person', title: 'People', table: 'person', columns: toColumns(PERSON_FIELDS) },
  charters: { kind: 'charter', title: 'Charters', table: 'charter', columns: toColumns(CHARTER_FIELDS) },
  brands: { kind: 'brand', title: 'Brands', table: 'brand', columns: toColumns(BRAND_FIELDS) },
  charter_affairs: {
    kind: 'charter_affair',
    title: 'Charter Affairs',
    table: 'charter_affair',
    columns: Object.entries(affairLabels).flatMap(([section, labels]) =>
      Object.entries(labels).map(([field, label]) => ({
        path: `${section}.${field}`,
        label: `${sectionTitles[section as keyof typeof affairLabels]}: ${label}`,
        type: 'text' as const,
      })),
    ),
  },
}

const nameOf = (model: ReadModel, table: Reference, _id: string): string | undefined =>
  table === 'brand' ? model.table('brand').get(_id)?.brandName : model.table(table).get(_id)?.name

/** What a cell shows of a value. */
export const toCellText = (model: ReadModel, { type }: EditableColumn, value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (type === 'boolean') return value === true ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join('; ')
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : JSON.stringify(value)
  return isReference(type) ? (nameOf(model, type, text) ?? text) : text
}

/** The names by which a cell may name a record, and the record of each; undefined for a name that several have. */
export const listNames = (model: ReadModel, table: Reference): ReadonlyMap<string, string | undefined> => {
  const names = new Map<string, string | undefined>()
  for (const { _id } of model.table(table).all()) {
    const name = nameOf(model, table, _id)?.toLowerCase()
    if (name !== undefined) names.set(name, names.has(name) ? undefined : _id)
    names.set(_id.toLowerCase(), _id)
  }
  return names
}

const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['no', 'n', 'false', '0', ''])
const pad = (part: string): string => part.padStart(2, '0')

const DAY_MS = 86_400_000
/** The day that a spreadsheet counts as 0; its 1900 has a 29 February that there was none of. */
const FIRST_DAYS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) }

/** A day as it is stored, from the forms that cells have: ISO, American, or the number of a cell that lost its date format. */
const parseDay = (text: string, is1904: boolean): string | null => {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (american) return `${american[3]}-${pad(american[1] ?? '')}-${pad(american[2] ?? '')}`
  if (/^\d{5}(\.\d+)?$/.test(text))
    return new Date((is1904 ? FIRST_DAYS.from1904 : FIRST_DAYS.from1900) + Math.floor(Number(text)) * DAY_MS).toISOString().slice(0, 10)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 10) : text || null
}

/** 'value' or why the text of a cell is none. */
export type ParsedCell = { readonly value: unknown } | { readonly message: string }

/** The value that the text of a cell means. */
export const parseCell = (
  column: EditableColumn,
  text: string,
  names: (table: Reference) => ReadonlyMap<string, string | undefined>,
  is1904 = false,
): ParsedCell => {
  const { type } = column
  const trimmed = text.trim()
  switch (type) {
    case 'boolean':
      if (YES.has(trimmed.toLowerCase())) return { value: true }
      return NO.has(trimmed.toLowerCase()) ? { value: false } : { message: 'Enter Yes or No' }
    case 'list':
      return {
        value:
          trimmed === ''
            ? []
            : trimmed
                .split(/[;,\n]/)
                .map((one) => one.trim())
                .filter(Boolean),
      }
    case 'number':
      if (trimmed === '') return { value: null }
      return /^\d+$/.test(trimmed.replaceAll(',', ''))
        ? { value: Number(trimmed.replaceAll(',', '')) }
        : { message: 'Enter a whole number' }
    case 'day':
      return { value: parseDay(trimmed, is1904) }
    case 'text': {
      // A drop-down is not strict about case; the rule is.
      const choice = column.choices?.find((one) => one.toLowerCase() === trimmed.toLowerCase())
      return { value: choice ?? (trimmed === '' ? null : text) }
    }
    case 'region':
    case 'charter':
    case 'brand': {
      if (trimmed === '') return { value: null }
      const known = names(type)
      const found = known.get(trimmed.toLowerCase())
      if (found !== undefined) return { value: found }
      return {
        message: known.has(trimmed.toLowerCase()) ? `More than one ${type} is named “${trimmed}”` : `No ${type} is named “${trimmed}”`,
      }
    }
  }
}
