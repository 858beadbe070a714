import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { byIdOrSlug, id, pictureAddress, recordFields, text } from '../../platform/contract/fields.ts'
import { CharterSummary } from '../../platform/contract/references.ts'
import { Status } from '../../platform/contract/status.ts'

/** A brand (section 3). `id` repeats `_id`, as the old API did. */
export const Brand = z.strictObject({
  _id: id,
  id,
  slug: z.string(),
  brandName: z.string(),
  brandPhoto: pictureAddress,
  brandIcon: pictureAddress,
  websiteUrl: text,
  EnrollmentsUrl: text,
  status: Status,
  charters: z.array(CharterSummary),
  ...recordFields,
})
export type Brand = z.infer<typeof Brand>

export const listBrands = call({
  method: 'GET',
  path: '/locations-api/brand',
  needs: 'browse the directory',
  does: 'All brands, each with its charters.',
  answer: z.array(Brand),
})

export const readBrand = call({
  method: 'GET',
  path: '/locations-api/brand/:id',
  needs: 'browse the directory',
  does: 'One brand, by _id or slug, with its charters.',
  params: byIdOrSlug,
  answer: Brand,
})

export const viewBrand = call({
  method: 'GET',
  path: '/locations-api/brandview/:id',
  needs: 'browse the directory',
  does: 'One brand as its view page shows and edits it.',
  params: byIdOrSlug,
  answer: Brand,
})
