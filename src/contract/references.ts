import { z } from 'zod'

import { checkFields, id, moment, pictureUrl, text } from './fields.ts'
import { Status } from './status.ts'

/** Any record by its name. */
export interface Named {
  readonly _id: string
  readonly name: string
}

/**
 * The parts of a record that other records show. Defined here and not in a feature, because records refer to each other (a charter lists its
 * sites, a site names its charter) and contracts must not have circular imports.
 */
export const RegionReference = z.strictObject({ _id: id, slug: z.string(), name: z.string() })
export const RoleReference = z.strictObject({ _id: id, name: z.string() })

export const CharterReference = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  brand: id,
  brandName: z.string(),
  version: z.int(),
})

export const PersonReference = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  phone: text,
  email: text,
  version: z.int(),
})
export type PersonReference = z.infer<typeof PersonReference>

/** A charter as listed by a brand. */
export const CharterSummary = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  abbreviation: text,
  status: Status,
  studentCount: z.int().nullable(),
  photo: pictureUrl,
  /** Number of sites, and of those that count as active. */
  siteCount: z.int(),
  activeSiteCount: z.int(),
  version: z.int(),
})
export type CharterSummary = z.infer<typeof CharterSummary>

/** A site as shown in lists and cards. */
export const SiteSummary = z.strictObject({
  _id: id,
  slug: z.string(),
  name: text,
  displayName: z.string(),
  category: text,
  finance_id: text,
  status: Status,
  photo: pictureUrl,
  address: z.strictObject({
    address_1: text,
    address_2: text,
    city: text,
    state: text,
    zip: text,
    phone: text,
  }),
  charter: CharterReference.nullable(),
  region: RegionReference.nullable(),
  /** The site's principal; the first by name if there are several. */
  principal: PersonReference.nullable(),
  /** The vacant ones of the roles that every page of a site shows. */
  vacant: z.array(z.string()),
  version: z.int(),
  updatedAt: moment,
  checkedAt: checkFields.checkedAt,
})
export type SiteSummary = z.infer<typeof SiteSummary>
