import { z } from 'zod'

/** An identifier in JSON, in a field named `_id`: a UUID if it was created here. */
export const id = z.string()

/** A path parameter that accepts an `_id` or a slug. */
export const idOrSlug = z.string().min(1).max(200)
/** How many records one call names. */
export const MAX_RECORDS = 10_000
/** The records that a call is about, in their order: an `_id` has 24 characters, a slug rarely more than 60. */
export const recordIds = z.array(z.string().min(1).max(100)).min(1, 'Choose at least one record').max(MAX_RECORDS)
export const byIdOrSlug = z.object({ id: idOrSlug })
/** A path parameter that is the identifier of something without a slug; any other text is not found. */
export const byId = z.object({ id: z.string().min(1).max(200) })
export const byUuid = z.object({ id: z.uuid() })
export const bySlug = z.object({ slug: idOrSlug })

/** Text of one or more lines; null if empty. */
export const text = z.string().nullable()

/** A calendar day, `2026-11-20`. */
export const day = z.iso.date()

/** A moment, ISO 8601 in UTC. */
export const moment = z.string()

/** The URL of a picture on our origin, or null. */
export const pictureUrl = z.string().nullable()

/** Common to all editable records: version, and time and author of the last change. */
export const recordFields = {
  version: z.int(),
  updatedAt: moment,
  /** Name of the person who made the last change; null if unknown. */
  updatedBy: text,
}

/** When, by whom and why a record was archived. Records that are not archived lack it. */
export const Archived = z.strictObject({ at: moment, by: text, reason: text })
export type Archived = z.infer<typeof Archived>
export const archivedFields = { archived: Archived.optional() }

/** When and by whom a record was last confirmed or changed; null if never. */
export const checkFields = { checkedAt: moment.nullable(), checkedBy: text }

/** The URL of a picture from its id. */
export const toPictureUrl = (_id: string): string => `/api/pictures/${_id}`

/** The widths in which pictures are stored in addition to the original. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** The URL of a picture in one of these widths; pictures that are narrower are returned in their original size. */
export const toResizedPictureUrl = (address: string, width: PictureWidth): string => `${address}?width=${width}`

/** The same picture in all widths, for `srcset`. */
export const toPictureSrcset = (address: string): string =>
  PICTURE_WIDTHS.map((width) => `${toResizedPictureUrl(address, width)} ${width}w`).join(', ')
/** The id of a picture from its URL: requests contain the id where responses contain the URL. */
export const getPictureId = (address: string | null): string | null => /[0-9a-f]{64}/.exec(address ?? '')?.[0] ?? null
