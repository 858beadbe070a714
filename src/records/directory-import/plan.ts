import type { School } from './school.ts'

/** The columns that an import fills, by table, with their PostgreSQL types. */
export const IMPORTED_COLUMNS = {
  charter: {
    name: 'text',
    status: 'text',
    brand: 'text',
    charterWebsite: 'text',
    charterContactnumber: 'text',
    charter_number: 'text',
    charter_grade_levels: 'text',
  },
  site: {
    name: 'text',
    displayName: 'text',
    status: 'text',
    region: 'text',
    address_1: 'text',
    address_2: 'text',
    city: 'text',
    state: 'text',
    zip: 'text',
    phone: 'text',
    fax: 'text',
    latitude: 'float8',
    longitude: 'float8',
  },
  facility: { county: 'text' },
} as const

export type SchoolTable = keyof typeof IMPORTED_COLUMNS
export const SCHOOL_TABLES: readonly SchoolTable[] = ['charter', 'site', 'facility']
export type Value = string | number | null
export type RecordValues = Readonly<Record<string, Value>>

/** The values of a row for each of its three records; null if it has none. */
export type SchoolValues = Readonly<Record<SchoolTable, RecordValues>>

/** The stored records of a school; null for each that does not exist. A facility is identified by its site. */
export type StoredSchool = Readonly<
  Record<SchoolTable, { readonly _id: string; readonly values: RecordValues; readonly isArchived?: boolean } | null>
>

export interface Difference {
  readonly table: SchoolTable
  readonly record: string
  readonly column: string
  readonly from: Value
  readonly to: Value
}

/** `brand` is null if an import names none: an existing charter then keeps its brand. */
export const toSchoolValues = (school: School, ids: { brand: string | null; region: string }): SchoolValues => ({
  charter: {
    name: school.name,
    status: school.status,
    brand: ids.brand,
    charterWebsite: school.website,
    charterContactnumber: school.contactNumber,
    charter_number: school.charter_number,
    charter_grade_levels: school.grades,
  },
  site: {
    name: school.name,
    displayName: school.name,
    status: school.status,
    region: ids.region,
    address_1: school.address_1,
    address_2: school.address_2,
    city: school.city,
    state: school.state,
    zip: school.zip,
    phone: school.phone,
    fax: school.fax,
    latitude: school.latitude,
    longitude: school.longitude,
  },
  facility: { county: school.county },
})

/** The differences between a stored school and the file. A blank cell never clears a stored value. */
export const findDifferences = (stored: StoredSchool, wanted: SchoolValues): Difference[] =>
  SCHOOL_TABLES.flatMap((table) => {
    const record = stored[table]
    if (record === null) return []
    return Object.entries(wanted[table]).flatMap(([column, to]) => {
      const from = record.values[column] ?? null
      return to === null || to === from ? [] : [{ table, record: record._id, column, from, to }]
    })
  })
