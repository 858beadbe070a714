import type { z } from 'zod'

import { affairSections, districtFields, memberFields } from '../../charter-affairs/contract.ts'
import { EnrollmentInfo } from '../../enrollment/contract.ts'
import { FacilityInfo } from '../../facility/contract.ts'
import { SisSite } from '../../sis-sites/contract.ts'
import { Address } from '../../sites/contract.ts'
import { blackoutDates, recurringDates, selectedDates } from './orientation-readers.ts'
import {
  address,
  count,
  day,
  degrees,
  email,
  line,
  moment,
  namedAddresses,
  phone,
  type ValueReader,
  siteFax,
  slug as slugReader,
  status,
  text,
  texts,
  boolean,
  yesOrNo,
} from './value-readers.ts'

/** How the values of a field are read, and its other names in the old program. */
export interface LegacyField {
  readonly read: ValueReader
  readonly aliases?: readonly string[]
  /** The column, if its name differs. */
  readonly column?: string
  /** Also read if missing in a new record, because the reader supplies the default. */
  readonly isAlwaysRead?: boolean
}
export type Fields = Readonly<Record<string, LegacyField>>

/** Selects the reader by the values a schema accepts, so that new fields of a contract are imported automatically. */
const selectReader = (schema: z.ZodType): ValueReader => {
  const accepts = (value: unknown): boolean => schema.safeParse(value).success
  if (accepts(true)) return boolean
  if (accepts(['a'])) return texts(/,/)
  if (accepts('2026-11-20') && !accepts('a')) return day
  if (accepts('Yes') && !accepts('a')) return yesOrNo
  return text
}
const RECORD_FIELDS = new Set(['_id', 'version', 'updatedAt', 'updatedBy', 'checkedAt', 'checkedBy'])
const toFields = (shape: Readonly<Record<string, z.ZodType>>, own: Fields, without: readonly string[] = []): Fields => ({
  ...Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) =>
      RECORD_FIELDS.has(name) || without.includes(name) ? [] : [[name, { read: selectReader(schema) }]],
    ),
  ),
  ...own,
})

const emailList = texts(/[\s,;]+/, email)
const name: LegacyField = { read: line }
const slug: LegacyField = { read: slugReader }

/** The fields of each table, by the names the old program shares with ours. */
export const LEGACY_FIELDS = {
  region: { slug, name },
  role: { name, group: { read: line } },
  program_type: { name },
  brand: {
    slug,
    brandName: { read: line, aliases: ['name'] },
    websiteUrl: { read: address, aliases: ['website'] },
    EnrollmentsUrl: { read: address, aliases: ['enrollmentUrl'] },
    status: { read: status, isAlwaysRead: true },
  },
  charter: {
    slug,
    name,
    status: { read: status, isAlwaysRead: true },
    studentCount: { read: count },
    abbreviation: { read: line },
    schoolTypeUrls: { read: namedAddresses },
    charterWebsite: { read: address },
    charterContactnumber: { read: phone },
    charter_number: { read: line },
    charter_grade_levels: { read: line },
    directory_id: { read: line },
  },
  site: {
    slug,
    name,
    displayName: { read: line },
    category: { read: line },
    finance_id: { read: line },
    status: { read: status, isAlwaysRead: true },
    latitude: { read: degrees(90), aliases: ['lat'] },
    longitude: { read: degrees(180), aliases: ['lng', 'long'] },
    directory_id: { read: line },
  },
  address: toFields(Address.shape, {
    phone: { read: phone },
    fax: { read: siteFax },
    ...Object.fromEntries(
      ['address_1', 'address_2', 'city', 'state', 'zip', 'start_day', 'end_day', 'start_time', 'end_time'].map((one) => [
        one,
        { read: line },
      ]),
    ),
  }),
  facility: toFields(FacilityInfo.shape, { phone_2: { read: phone } }),
  enrollment: toFields(
    EnrollmentInfo.shape,
    {
      registrationEmail: { read: emailList },
      interestEmail: { read: emailList },
      addtionalEmailstatus: { read: yesOrNo, aliases: ['additionalEmailstatus'] },
    },
    ['programTypes', 'orientation'],
  ),
  orientation: {
    virtual_orientation_link: { read: address, aliases: ['orientationLink'] },
    selected_dates: { read: selectedDates, aliases: ['individualDates'] },
    recurring_dates: { read: recurringDates, aliases: ['recurringDates'] },
    blackout_dates: { read: blackoutDates, aliases: ['blackoutDates'] },
  },
  person: {
    slug,
    name,
    phone: { read: phone },
    email: { read: email },
    fax: { read: phone },
    sql_person_id: { read: line },
    leftAt: { read: moment },
  },
  sis_site: toFields(SisSite.shape, { name }, ['site']),
  member: toFields(memberFields.shape, {}),
  district: toFields(districtFields.shape, {}),
  permission: { superAdmin: { read: boolean }, accessLevel: { read: count }, accessName: { read: line } },
} as const satisfies Record<string, Fields>

/** The sections of a charter affair, each with its fields. */
export const LEGACY_SECTIONS: Readonly<Record<string, Fields>> = Object.fromEntries(
  Object.entries(affairSections).map(([section, { shape }]) => [section, toFields(shape, {})]),
)
