import { findSourceOfPath } from '../../../contract/deadlines.ts'
import { NEW_ROW } from '../../../contract/records.ts'
import { toSlug } from '../../../contract/slugs.ts'
import { matchesText } from '../../../contract/text-match.ts'
import {
  type AffairSection,
  affairLabels,
  districtLabels,
  memberLabels,
  overviewGroups,
  type SectionName,
  sectionTitles,
} from '../fields.ts'

/** A field on the page. */
export interface ShownField {
  name: string
  label: string
  /** The same as in the form: `overview.fein`. */
  path: string
  /** The stored text; null if it is blank. */
  value: string | null
  hasDeadline: boolean
}
export interface FieldGroup {
  /** The id in the page's address. */
  anchor: string
  /** Null in a section without subheadings. */
  title: string | null
  fields: ShownField[]
}
/** A member or a district. The first field is its name. */
export interface ShownRow {
  _id: string
  fields: ShownField[]
}
interface SectionBase {
  anchor: string
  title: string
  /** The number of fields or rows without the filter. */
  total: number
}
export interface FieldSection extends SectionBase {
  kind: 'fields'
  name: AffairSection
  groups: FieldGroup[]
}
export interface RowSection extends SectionBase {
  kind: 'rows'
  name: Exclude<SectionName, AffairSection>
  rows: ShownRow[]
  /** With the filter of changed fields: whether something is typed in the row to add one. */
  hasNewRow?: boolean
}
export type ShownSection = FieldSection | RowSection

/** The filter: a text in the field's label or value, and whether only empty fields, those with a deadline or unsaved changes are shown. */
export interface FieldFilter {
  typed: string
  onlyEmpty: boolean
  onlyDeadlines: boolean
  /** Only in the form. */
  onlyChanged: boolean
}
export const isFiltering = (filter: FieldFilter): boolean =>
  filter.onlyEmpty || filter.onlyDeadlines || filter.onlyChanged || filter.typed.trim() !== ''

const toShownFields = (section: SectionName, labels: Record<string, string>, values: object, row?: string): ShownField[] => {
  const valueOf = new Map<string, unknown>(Object.entries(values))
  return Object.entries(labels).map(([name, label]) => {
    const value = valueOf.get(name)
    return {
      name,
      label,
      path: [section, row, name].filter((part) => part !== undefined).join('.'),
      value: typeof value === 'string' && value.trim() !== '' ? value : null,
      hasDeadline: findSourceOfPath(`${section}.${name}`) !== undefined,
    }
  })
}

/** The source of the sections: a record, or the values of its form. */
type AffairValues = Readonly<Record<AffairSection, object> & Record<RowSection['name'], readonly { _id: string }[]>>

const buildFieldSection = (name: AffairSection, affair: AffairValues): FieldSection => {
  const title = sectionTitles[name]
  const anchor = toSlug(title)
  const groups: FieldGroup[] =
    name === 'overview'
      ? Object.entries(overviewGroups).map(([group, labels]) => ({
          anchor: `${anchor}-${toSlug(group)}`,
          title: group,
          fields: toShownFields(name, labels, affair.overview),
        }))
      : [{ anchor: `${anchor}-fields`, title: null, fields: toShownFields(name, affairLabels[name], affair[name]) }]
  return { kind: 'fields', name, anchor, title, total: groups.flatMap((group) => group.fields).length, groups }
}

const buildRowSection = (name: RowSection['name'], labels: Record<string, string>, rows: readonly { _id: string }[]): RowSection => {
  const title = sectionTitles[name]
  const shownRows = rows.map((row) => ({ _id: row._id, fields: toShownFields(name, labels, row, row._id) }))
  return { kind: 'rows', name, anchor: toSlug(title), title, total: rows.length, rows: shownRows }
}

/** The eight sections of a charter affair, in the order of the page. */
export const buildSections = (affair: AffairValues): ShownSection[] => [
  buildFieldSection('overview', affair),
  buildFieldSection('charter_terms', affair),
  buildFieldSection('charter_no_cds', affair),
  buildFieldSection('funding', affair),
  buildFieldSection('mou', affair),
  buildFieldSection('notice_website', affair),
  buildRowSection('authorizer_board_member', memberLabels, affair.authorizer_board_member),
  buildRowSection('center_district', districtLabels, affair.center_district),
]

const matchesFilter = (
  field: ShownField,
  { typed, onlyEmpty, onlyDeadlines, onlyChanged }: FieldFilter,
  changed: ReadonlySet<string>,
): boolean =>
  (!onlyChanged || changed.has(field.path)) &&
  (!onlyEmpty || field.value === null) &&
  (!onlyDeadlines || field.hasDeadline) &&
  matchesText(typed, [field.label, field.value])

/** A row matches by its texts only: the label of a column would match every row. */
const rowMatchesFilter = (
  row: ShownRow,
  { typed, onlyEmpty, onlyDeadlines, onlyChanged }: FieldFilter,
  changed: ReadonlySet<string>,
): boolean =>
  (!onlyChanged || row.fields.some((field) => changed.has(field.path))) &&
  (!onlyEmpty || row.fields.some((field) => field.value === null)) &&
  (!onlyDeadlines || row.fields.some((field) => field.hasDeadline)) &&
  matchesText(
    typed,
    row.fields.map((field) => field.value),
  )

const NOTHING_CHANGED: ReadonlySet<string> = new Set()

/** The sections with only the fields and rows that match; a section without any stays. `changed` are the paths with unsaved changes. */
export const filterSections = (
  sections: readonly ShownSection[],
  filter: FieldFilter,
  changed: ReadonlySet<string> = NOTHING_CHANGED,
): ShownSection[] =>
  sections.map((section) =>
    section.kind === 'rows'
      ? {
          ...section,
          rows: section.rows.filter((row) => rowMatchesFilter(row, filter, changed)),
          hasNewRow: filter.onlyChanged && [...changed].some((path) => path.startsWith(`${section.name}.${NEW_ROW}.`)),
        }
      : {
          ...section,
          groups: section.groups
            .map((group) => ({ ...group, fields: group.fields.filter((field) => matchesFilter(field, filter, changed)) }))
            .filter((group) => group.fields.length > 0),
        },
  )

/** The number of fields or rows of a section that are shown. */
export const countShown = (section: ShownSection): number =>
  section.kind === 'rows'
    ? section.rows.length + (section.hasNewRow ? 1 : 0)
    : section.groups.reduce((sum, group) => sum + group.fields.length, 0)

/** The number of fields that are shown, and of all fields. */
export const countFields = (sections: readonly ShownSection[]): { shown: number; total: number } => {
  const withFields = sections.filter((section) => section.kind === 'fields')
  return {
    shown: withFields.reduce((sum, section) => sum + countShown(section), 0),
    total: withFields.reduce((sum, section) => sum + section.total, 0),
  }
}

/** The anchors in page order: the subheadings of a section, or the section if it has none. */
export const listAnchors = (sections: readonly ShownSection[], filter: FieldFilter): string[] =>
  sections
    .filter((section) => !isFiltering(filter) || countShown(section) > 0)
    .flatMap((section) =>
      section.kind === 'fields' && section.groups.some((group) => group.title !== null)
        ? section.groups.map((group) => group.anchor)
        : [section.anchor],
    )
