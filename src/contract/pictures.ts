import { z } from 'zod'

import { call } from './call.ts'
import { id, idOrSlug, PICTURE_WIDTHS } from './fields.ts'

/** 10 MB. */
export const MAX_PICTURE_BYTES = 10_485_760
/** The accepted types, under every name browsers use for them. */
export const PICTURE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/jpg', 'image/vnd.microsoft.icon', 'image/x-icon']
export const TOO_LARGE = 'File size exceeds 10MB'
export const WRONG_TYPE = 'Invalid file type. Please upload a .jpg, .jpeg, .png, or .ico file.'
export const DAMAGED = 'This picture is damaged or incomplete. Please choose another.'
/** About the size of the largest camera pictures. */
export const MAX_PIXELS = 50_000_000
export const TOO_MANY_PIXELS = 'This picture has more than 50 million pixels. Please choose a smaller one.'
/**
 * A small file can declare millions of pixels of one color, which take as long to decode as any others; no photo has more pixels per byte than this.
 */
export const getMaxPixels = (bytes: number): number => Math.min(MAX_PIXELS, 8_000_000 + 40 * bytes)
export const TOO_MANY_PIXELS_FOR_SIZE = 'This picture has far more pixels than its file size suggests. Please choose a smaller one.'

export const uploadPicture = call('POST', '/api/pictures', {
  capability: 'edit a site',
  rateLimit: { perMinute: 120 },
  summary: 'Uploads a picture (.jpg, .jpeg, .png or .ico) and stores it without its metadata. Use its `_id` in records.',
  upload: { field: 'file', maxBytes: MAX_PICTURE_BYTES, tooLarge: TOO_LARGE },
  response: z.strictObject({ _id: id, url: z.string(), width: z.int(), height: z.int() }),
})

export const uploadSuggestedPicture = call('POST', '/api/proposals/pictures', {
  ...uploadPicture,
  capability: 'browse the directory',
  rateLimit: { perMinute: 120 },
  summary: 'Uploads a picture (.jpg, .jpeg, .png or .ico) to suggest. Use its `_id` in the `changes` of a proposal.',
})

export const readPicture = call('GET', '/api/pictures/:id', {
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'The bytes of a picture. Its ID is their SHA-256, so it never changes. With a width, a copy no wider than that.',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  query: z.object({ width: z.enum(PICTURE_WIDTHS.map(String)).optional() }),
  response: 'picture',
  allowCookieOnly: true,
})

export const readProfilePhoto = call('GET', '/api/profile-photo/:person', {
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'The photo of a person, or of `me`, from the directory service, or a fallback image if there is none.',
  params: z.object({ person: idOrSlug }),
  response: 'picture',
  allowCookieOnly: true,
})
