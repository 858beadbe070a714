import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildNewShape } from '../../contract/field-definitions.ts'
import { archivedFields, byIdOrSlug, id, pictureUrl, recordFields, text } from '../../contract/fields.ts'
import { CharterSummary } from '../../contract/references.ts'
import { Status } from '../../contract/status.ts'
import { BRAND_FIELDS } from './fields.ts'

/** A brand. `id` repeats `_id`, as in the old API. */
export const Brand = z.strictObject({
  _id: id,
  id,
  slug: z.string(),
  brandName: z.string(),
  brandPhoto: pictureUrl,
  brandIcon: pictureUrl,
  websiteUrl: text,
  EnrollmentsUrl: text,
  status: Status,
  charters: z.array(CharterSummary),
  ...recordFields,
  ...archivedFields,
})
export type Brand = z.infer<typeof Brand>

export const listBrands = call('GET', '/locations-api/brand', {
  shows: ['brand', 'charter'],
  capability: 'browse the directory',
  summary: 'All brands, each with its charters.',
  response: z.array(Brand),
})

export const readBrand = call('GET', '/locations-api/brand/:id', {
  capability: 'browse the directory',
  summary: 'One brand, by _id or slug, with its charters.',
  params: byIdOrSlug,
  response: Brand,
})

export const viewBrand = call('GET', '/locations-api/brandview/:id', {
  capability: 'browse the directory',
  summary: 'One brand as its view page shows and edits it.',
  params: byIdOrSlug,
  response: Brand,
})

export const BrandInput = z.strictObject(buildInputShape(BRAND_FIELDS))
const NewBrand = z.strictObject(buildNewShape(BRAND_FIELDS))
export type NewBrand = z.infer<typeof NewBrand>
const BrandChange = BrandInput.partial()
export type BrandChange = z.infer<typeof BrandChange>

export const createBrand = call('POST', '/locations-api/addbrand', {
  capability: 'manage the network',
  summary: 'Adds a brand. Its slug is made from its name.',
  body: NewBrand,
  response: Brand,
})

export const updateBrand = editCall('PUT', '/locations-api/brandview/:id', {
  capability: 'manage the network',
  summary: 'Changes the given fields of a brand.',
  body: BrandChange,
  response: Brand,
})
