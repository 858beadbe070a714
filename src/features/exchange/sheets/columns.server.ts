import { type FieldDefinitions, nestFields } from '../../../contract/field-definitions.ts'
import { readGrades } from '../../../contract/grades.ts'
import type { EditableListColumn } from '../../../contract/lists.ts'
import { invalidFields } from '../../../contract/problem.ts'
import type { SheetRecordKind } from '../../../contract/records.ts'
import { STATUSES } from '../../../contract/status.ts'
import { cleanMultiline } from '../../../contract/text-cleaning.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { BRAND_FIELDS } from '../../../records/brands/fields.ts'
import { BRAND_LIST } from '../../../records/brands/list.ts'
import { affairLabels, districtLabels, GRADE_FIELDS, memberLabels, sectionTitles } from '../../../records/charter-affairs/fields.ts'
import { CHARTER_FIELDS } from '../../../records/charters/fields.ts'
import { CHARTER_LIST } from '../../../records/charters/list.ts'
import { ENROLLMENT_FIELDS } from '../../../records/enrollment/fields.ts'
import { FACILITY_FIELDS } from '../../../records/facility/fields.ts'
import { PERSON_FIELDS } from '../../../records/people/fields.ts'
import { STAFF_LIST } from '../../../records/people/list.ts'
import { SIS_FIELDS } from '../../../records/sis-sites/fields.ts'
import { ADDRESS_FIELDS, NEW_SITE_EMAIL_FIELDS, SITE_FIELDS } from '../../../records/sites/fields.ts'
import { SITE_LIST } from '../../../records/sites/list.ts'
import type { SheetKind } from './contract.ts'
import { SHEETS_OF_LISTS } from './rules.ts'

/** The kinds of records that a cell may name. */
const REFERENCE_TYPES = ['region', 'charter', 'brand', 'site'] as const
export type Reference = (typeof REFERENCE_TYPES)[number]
export const isReference = (type: EditableColumn['type']): type is Reference => (REFERENCE_TYPES as readonly string[]).includes(type)

/** An editable column: the path of its field, and how a cell represents its value. */
export interface EditableColumn {
  readonly path: string
  readonly label: string
  readonly type: 'text' | 'day' | 'boolean' | 'list' | 'number' | 'people' | Reference
  readonly choices?: readonly string[]
  /** The stored form of a text, such as a phone number; a text that is not certainly one is returned unchanged. */
  readonly read?: (text: string) => string
  /** A column for new rows only; for existing records it cannot be changed here. */
  readonly isForNewRows?: true
}

interface SheetDefinition {
  readonly kind: SheetRecordKind
  readonly title: string
  /** The table whose versions the file contains. */
  readonly table:
    | 'site'
    | 'facility'
    | 'enrollment'
    | 'site_person'
    | 'sis_site'
    | 'person'
    | 'charter'
    | 'brand'
    | 'charter_affair'
    | 'authorizer_board_member'
    | 'center_district'
  readonly columns: (model: ReadModel) => readonly EditableColumn[]
  /** Whether a row without an identifier becomes a record. */
  readonly isForNewRows?: true
}

const REFERENCES: Readonly<Record<string, Reference>> = { region: 'region', charter: 'charter', brand: 'brand', site: 'site' }

const toColumn = (path: string, { label, fullLabel = label, control, choices, input }: FieldDefinitions[string]): EditableColumn[] => {
  const read = (text: string): string => {
    const { data } = input.safeParse(text)
    return typeof data === 'string' ? data : text
  }
  const column = (type: EditableColumn['type'], allowed?: readonly string[]) => [
    { path, label: fullLabel, type, ...(allowed ? { choices: allowed } : {}), ...(type === 'text' ? { read } : {}) },
  ]
  const name = path.split('.').at(-1) ?? path
  if (control === 'picture') return []
  if (control === 'custom') {
    if (Object.hasOwn(REFERENCES, name)) return column(REFERENCES[name] ?? 'text')
    if (name === 'lease_end') return column('day')
    if (name === 'type_array') return column('list')
    return name === 'schoolTypeUrls' || name === 'slug' ? [] : column('text')
  }
  if (control === 'choice') return column('text', choices)
  if (control === 'status') return column('text', STATUSES)
  if (control === 'checkbox') return column('boolean', ['Yes', 'No'])
  if (control === 'emails') return column('list')
  if (control === 'day') return column('day')
  return column(name === 'studentCount' ? 'number' : 'text')
}

const listColumns = (fields: FieldDefinitions): EditableColumn[] => Object.entries(fields).flatMap(([path, field]) => toColumn(path, field))
const toColumns = (fields: FieldDefinitions) => {
  const columns = listColumns(fields)
  return () => columns
}

const toTextColumns = (labels: Readonly<Record<string, string>>): EditableColumn[] =>
  Object.entries(labels).map(([path, label]) => ({ path, label, type: 'text', read: cleanMultiline }))

const siteColumns: readonly EditableColumn[] = [
  ...listColumns({ ...SITE_FIELDS, ...nestFields('address', ADDRESS_FIELDS) }),
  ...listColumns(nestFields('enrollment_info', NEW_SITE_EMAIL_FIELDS)).map((column) => ({ ...column, isForNewRows: true as const })),
]
const ofCharter: EditableColumn = { path: 'charter', label: 'Charter', type: 'charter', isForNewRows: true }

const { programTypes: _programTypes, ...enrollmentFields } = ENROLLMENT_FIELDS
const enrollmentColumns = listColumns(nestFields('enrollment_info', enrollmentFields))

const affairColumns: readonly EditableColumn[] = Object.entries(affairLabels).flatMap(([section, labels]) =>
  Object.entries(labels).map(([field, label]) => ({
    path: `${section}.${field}`,
    label: `${sectionTitles[section as keyof typeof affairLabels]}: ${label}`,
    type: 'text' as const,
    read: GRADE_FIELDS.has(field) ? readGrades : cleanMultiline,
  })),
)

/** A column for each role, with the people who have it. */
const listRoleColumns = (model: ReadModel): EditableColumn[] =>
  [...model.table('role').all()]
    .toSorted((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name))
    .map(({ _id, name }) => ({ path: `roles.${_id}`, label: name, type: 'people' }))

/** The sheets, from the same definitions as the forms. */
export const SHEETS: Readonly<Record<SheetKind, SheetDefinition>> = {
  sites: { kind: 'site', title: 'Sites', table: 'site', isForNewRows: true, columns: () => siteColumns },
  facilities: { kind: 'site', title: 'Facilities', table: 'facility', columns: toColumns(nestFields('facility_info', FACILITY_FIELDS)) },
  enrollments: { kind: 'site', title: 'Enrollment', table: 'enrollment', columns: () => enrollmentColumns },
  staff: { kind: 'site', title: 'Staff', table: 'site_person', columns: listRoleColumns },
  sis_sites: { kind: 'sis_site', title: 'SIS Sites', table: 'sis_site', isForNewRows: true, columns: toColumns(SIS_FIELDS) },
  people: { kind: 'person', title: 'People', table: 'person', isForNewRows: true, columns: toColumns(PERSON_FIELDS) },
  charters: { kind: 'charter', title: 'Charters', table: 'charter', isForNewRows: true, columns: toColumns(CHARTER_FIELDS) },
  brands: { kind: 'brand', title: 'Brands', table: 'brand', isForNewRows: true, columns: toColumns(BRAND_FIELDS) },
  charter_affairs: { kind: 'charter_affair', title: 'Charter Affairs', table: 'charter_affair', columns: () => affairColumns },
  board_members: {
    kind: 'authorizer_board_member',
    title: 'Board Members',
    table: 'authorizer_board_member',
    isForNewRows: true,
    columns: () => [ofCharter, ...toTextColumns(memberLabels)],
  },
  districts: {
    kind: 'center_district',
    title: 'Districts',
    table: 'center_district',
    isForNewRows: true,
    columns: () => [ofCharter, ...toTextColumns(districtLabels)],
  },
}

/** The lists whose column keys can select the columns of a sheet. */
const LIST_COLUMNS: Readonly<
  Record<(typeof SHEETS_OF_LISTS)[SheetKind]['list'], readonly Pick<EditableListColumn<never>, 'key' | 'fields'>[]>
> = { site: SITE_LIST.columns, person: STAFF_LIST.columns, charter: CHARTER_LIST.columns, brand: BRAND_LIST.columns }

/**
 * The requested columns in the order of the sheet, named by field paths or list columns (`name` of a site is both). All columns if none are named;
 * throws 422 for unknown ones.
 */
export const chooseColumns = (model: ReadModel, sheet: SheetKind, named: string | undefined): readonly EditableColumn[] => {
  const all = SHEETS[sheet].columns(model)
  if (named === undefined) return all
  const fieldsOf = new Map(LIST_COLUMNS[SHEETS_OF_LISTS[sheet].list].map(({ key, fields }) => [key, fields]))
  const paths = new Set<string>()
  for (const name of named.split(',').map((one) => one.trim())) {
    const isPath = all.some(({ path }) => path === name)
    if (!isPath && !fieldsOf.has(name))
      throw invalidFields([{ path: 'columns', message: `${SHEETS[sheet].title} has no column “${name}”` }])
    for (const path of [name, ...(fieldsOf.get(name) ?? [])]) paths.add(path)
  }
  const chosen = all.filter(({ path }) => paths.has(path))
  if (chosen.length === 0) throw invalidFields([{ path: 'columns', message: 'None of these columns can be edited here' }])
  return chosen
}
