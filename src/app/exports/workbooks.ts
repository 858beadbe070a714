import { z } from 'zod'

import { keysOf } from '../../contract/field-definitions.ts'
import { AFFAIR_SECTIONS } from '../../records/charter-affairs/contract.ts'
import { affairLabels, districtLabels, memberLabels, sectionTitles } from '../../records/charter-affairs/fields.ts'
import type { FacilityChange } from '../../records/facility/contract.ts'
import { FacilityInfo } from '../../records/facility/contract.ts'
import { FACILITY_FIELDS, facilityLabels } from '../../records/facility/fields.ts'
import { personLabels } from '../../records/people/fields.ts'
import type { Site } from '../../records/sites/contract.ts'
import { ADDRESS_FIELDS, siteLabels } from '../../records/sites/fields.ts'
import type { ExportKind } from './contract.ts'

/** The format of a column: text as stored, a real date, yes or no, or a status by its label. */
export type ColumnKind = 'text' | 'day' | 'yes or no' | 'status'

export interface WorkbookColumn {
  /** Its source: `table.column`, or `section.field` for a charter affair. */
  readonly from: string
  readonly header: string
  readonly holds: ColumnKind
  /** Multi-line text, which needs a wider column. */
  readonly long?: boolean
}

export const SHEET_ROWS = ['sites', 'charters', 'members', 'districts', 'leadership', 'student support', 'deadlines'] as const

export interface WorkbookSheet {
  readonly name: string
  /** What a row is. */
  readonly rows: (typeof SHEET_ROWS)[number]
  readonly columns: readonly WorkbookColumn[]
  /** The columns that identify a row in the preview, by `from`. */
  readonly previewColumns: readonly string[]
}

const getCellKind = (schema: z.ZodType): ColumnKind => {
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema
  if (inner instanceof z.ZodBoolean) return 'yes or no'
  return inner instanceof z.ZodISODate ? 'day' : 'text'
}

const text = (from: string, header: string): WorkbookColumn => ({ from, header, holds: 'text' })

const addressColumn = (field: keyof typeof ADDRESS_FIELDS): WorkbookColumn => ({
  ...text(`site.${field}`, siteLabels[field]),
  ...(ADDRESS_FIELDS[field].control === 'multiline' ? { long: true } : {}),
})
const POSTAL = ['address_1', 'address_2', 'city', 'state', 'zip'] as const
const postal = POSTAL.map(addressColumn)

/** The name of a site in every workbook. */
const displayName = text('site.displayName', siteLabels.displayName)
const financeNumber = text('site.finance_id', siteLabels.finance_id)
const charter = text('charter.name', siteLabels.charter)
const brand = text('brand.brandName', 'Brand')
const region = text('region.name', siteLabels.region)
const status: WorkbookColumn = { from: 'site.status', header: siteLabels.status, holds: 'status' }

/** Fields of a site that are not in the workbook Facilities: those that only programs use, and those of its other pages. */
type NotInFacilities =
  | '_id'
  | 'slug'
  | 'photo'
  | 'principal'
  | 'vacant'
  | 'people'
  | 'enrollment_info'
  | 'sis_sites'
  | 'latitude'
  | 'longitude'
  | 'directory_id'
  | 'version'
  | 'updatedAt'
  | 'updatedBy'
  | 'checkedAt'
  | 'checkedBy'
  | 'archived'
/** Every other field; one that is missing here does not compile. */
const siteColumns: Record<Exclude<keyof Site, NotInFacilities | 'address' | 'facility_info'>, readonly WorkbookColumn[]> = {
  displayName: [displayName],
  name: [text('site.name', siteLabels.name)],
  category: [text('site.category', siteLabels.category)],
  finance_id: [financeNumber],
  charter: [charter, brand],
  region: [region],
  status: [status],
}

/** When and by whom a record was last checked: the last columns of a sheet. */
const checkColumns = (table: 'site' | 'person' | 'charter'): WorkbookColumn[] => [
  { from: `${table}.checkedAt`, header: 'Checked', holds: 'day' },
  text(`${table}.checkedBy`, 'Checked by'),
]

const FACILITY_FIELD_NAMES = keysOf(FACILITY_FIELDS)
const facilityColumn = (field: keyof FacilityChange): WorkbookColumn => ({
  from: `facility.${field}`,
  header: facilityLabels[field],
  holds: getCellKind(FacilityInfo.shape[field]),
  ...(FACILITY_FIELDS[field].control === 'multiline' ? { long: true } : {}),
})
/** Sections about payments, their terms and who guarantees them. */
const MONEY_SECTIONS: readonly string[] = ['Lease', 'Guarantee']
const isMoney = (field: keyof FacilityChange): boolean => MONEY_SECTIONS.includes(FACILITY_FIELDS[field].section)

/** Labels alone would be ambiguous: several sections have a corporation. */
const affairColumns = AFFAIR_SECTIONS.flatMap((section) =>
  Object.entries(affairLabels[section]).map(([field, label]) => text(`${section}.${field}`, `${sectionTitles[section]}: ${label}`)),
)
const charterColumns = [
  charter,
  text('charter.abbreviation', 'Abbreviation'),
  brand,
  { from: 'charter.status', header: 'Status', holds: 'status' } as const,
]
const partColumns = (table: string, labels: Readonly<Record<string, string>>): WorkbookColumn[] => [
  charter,
  ...Object.entries(labels).map(([field, label]) => text(`${table}.${field}`, label)),
]

const CONTACT_FIELDS = ['name', 'phone', 'email', 'fax', 'sql_person_id'] as const
/** One row for each person and role at a site, with how to reach them there. */
const staffSheet = (name: string, rows: WorkbookSheet['rows']): WorkbookSheet => ({
  name,
  rows,
  columns: [
    displayName,
    text('role.name', 'Role'),
    ...CONTACT_FIELDS.map((field) => text(`person.${field}`, personLabels[field])),
    charter,
    brand,
    region,
    { ...status, header: 'Site status' },
    financeNumber,
    ...postal,
    text('site.phone', 'Site phone'),
    text('site.fax', 'Site fax'),
    ...checkColumns('person'),
  ],
  previewColumns: ['site.displayName', 'role.name', 'person.name', 'person.phone', 'person.email'],
})

/** The columns of the workbook Deadlines. */
const DEADLINE_COLUMNS = {
  kind: { header: 'Kind', holds: 'text' },
  title: { header: 'Title', holds: 'text' },
  date: { header: 'Date', holds: 'day' },
  precision: { header: 'Precision', holds: 'text' },
  state: { header: 'State', holds: 'text' },
  snoozedUntil: { header: 'Put off until', holds: 'day' },
  responsible: { header: 'Responsible', holds: 'text' },
  note: { header: 'Note', holds: 'text', long: true },
  charter: { header: 'Charter', holds: 'text' },
  site: { header: 'Site', holds: 'text' },
  region: { header: 'Region', holds: 'text' },
  field: { header: 'Read from', holds: 'text', long: true },
  text: { header: 'Text', holds: 'text', long: true },
  isByHand: { header: 'Set by hand', holds: 'yes or no' },
  updatedAt: { header: 'Changed', holds: 'day' },
  updatedBy: { header: 'Changed by', holds: 'text' },
} as const satisfies Record<string, Omit<WorkbookColumn, 'from'>>
export type DeadlineColumn = keyof typeof DEADLINE_COLUMNS
export const DEADLINE_COLUMN_NAMES = keysOf(DEADLINE_COLUMNS)

/** The sheets of each workbook. docs/users/exports.md documents their columns. */
export const WORKBOOKS: Record<ExportKind, readonly WorkbookSheet[]> = {
  charter_affairs: [
    {
      name: 'Charter Affairs',
      rows: 'charters',
      columns: [...charterColumns, ...affairColumns, ...checkColumns('charter')],
      previewColumns: ['charter.name', 'brand.brandName', 'overview.authorizer', 'overview.charter_expiration_date'],
    },
    {
      name: sectionTitles.authorizer_board_member,
      rows: 'members',
      columns: partColumns('authorizer_board_member', memberLabels),
      previewColumns: ['charter.name'],
    },
    {
      name: sectionTitles.center_district,
      rows: 'districts',
      columns: partColumns('center_district', districtLabels),
      previewColumns: ['charter.name'],
    },
  ],
  facilities: [
    {
      name: 'Facilities',
      rows: 'sites',
      columns: [
        ...Object.values(siteColumns).flat(),
        ...keysOf(ADDRESS_FIELDS).map(addressColumn),
        ...FACILITY_FIELD_NAMES.map(facilityColumn),
        ...checkColumns('site'),
      ],
      previewColumns: ['site.displayName', 'charter.name', 'site.city', 'facility.lease_holder', 'facility.lease_end'],
    },
  ],
  finance: [
    {
      name: 'Finance',
      rows: 'sites',
      columns: [
        financeNumber,
        displayName,
        charter,
        brand,
        region,
        status,
        ...postal,
        ...FACILITY_FIELD_NAMES.filter(isMoney).map(facilityColumn),
      ],
      previewColumns: ['site.finance_id', 'site.displayName', 'charter.name', 'facility.base_rent', 'facility.lease_end'],
    },
  ],
  site_leadership: [staffSheet('Site Leadership', 'leadership')],
  student_support: [staffSheet('Student Support', 'student support')],
  deadlines: [
    {
      name: 'Deadlines',
      rows: 'deadlines',
      columns: DEADLINE_COLUMN_NAMES.map((name) => ({ from: `deadline.${name}`, ...DEADLINE_COLUMNS[name] })),
      previewColumns: ['deadline.date', 'deadline.title', 'deadline.charter', 'deadline.responsible', 'deadline.state'],
    },
  ],
}
