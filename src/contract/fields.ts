import { z } from 'zod'

/** An identifier on the wire: text in a field named `_id`, a UUID where it was made here. */
export const id = z.string()

/** An address parameter that takes an `_id` or a slug. */
export const idOrSlug = z.string().min(1).max(200)
export const byIdOrSlug = z.object({ id: idOrSlug })
export const bySlug = z.object({ slug: idOrSlug })

/** Free text of one or more lines; an empty field travels as null. */
export const text = z.string().nullable()

/** A calendar day, `2026-11-20`. */
export const day = z.iso.date()

/** A moment, ISO 8601 in UTC. */
export const moment = z.string()

/** The address of a picture on our origin, or null. */
export const pictureUrl = z.string().nullable()

/** What every record that can be edited carries: its version, and when and by whom it was last changed. */
export const recordFields = {
  version: z.int(),
  updatedAt: moment,
  /** Name of the person who made the last change; null where it is not known. */
  updatedBy: text,
}

/** When someone last confirmed or changed a record, and their name; null where no one has yet. */
export const checkFields = { checkedAt: moment.nullable(), checkedBy: text }

/** The address of a picture from its id. */
export const toPictureUrl = (_id: string): string => `/api/pictures/${_id}`

/** The widths in which pictures are kept besides their own. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** The address of a picture in one of these widths; where the picture is no wider, it is answered as it is. */
export const toResizedPictureUrl = (address: string, width: PictureWidth): string => `${address}?width=${width}`

/** The same picture in all widths, for a browser to choose from (`srcset`). */
export const toPictureSrcset = (address: string): string =>
  PICTURE_WIDTHS.map((width) => `${toResizedPictureUrl(address, width)} ${width}w`).join(', ')
/** The id of a picture from its address: what is sent where the address is answered. */
export const getPictureId = (address: string | null): string | null => /[0-9a-f]{64}/.exec(address ?? '')?.[0] ?? null
