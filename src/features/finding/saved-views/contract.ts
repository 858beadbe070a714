import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, byId } from '../../../contract/fields.ts'
import { PAGE_LIST } from '../../../contract/pages.ts'
import { LIST_PAGES } from '../../../contract/records.ts'
import { requiredLine } from '../../../contract/text-schemas.ts'

/** The lists that can be saved as a view. */
const LISTS = [...Object.values(LIST_PAGES), ...PAGE_LIST.flatMap(([path, { hasViews }]) => (hasViews ? [path] : []))]
const Page = z.union([z.enum(LISTS), z.string().regex(/^\/region\/[^/?#\s]{1,200}$/)], 'Enter a list of the app, such as /locations')

/** A list with its filters under a name: `page` and the query string of its URL. */
export const SavedView = z.strictObject({
  _id: id,
  name: z.string(),
  page: z.string(),
  /** Without the question mark: `status=closed&region=ohio`. */
  search: z.string(),
  shared: z.boolean(),
  /** Whether the user created it. */
  mine: z.boolean(),
  /** Who created it. */
  by: z.string(),
  createdAt: moment,
})
export type SavedView = z.infer<typeof SavedView>

const name = requiredLine(60)
/** With long filters by columns. */
const MAX_SEARCH_LENGTH = 8000
export const listViews = call('GET', '/api/views', {
  capability: 'browse the directory',
  summary: 'The caller’s saved views and those shared with everyone, by name.',
  response: z.array(SavedView),
})

export const saveView = call('POST', '/api/views', {
  capability: 'browse the directory',
  summary: 'Saves a list and its filters under a name. A name already used for that list is a 409.',
  body: z.strictObject({
    name,
    page: Page,
    search: z.string().max(MAX_SEARCH_LENGTH),
  }),
  response: SavedView,
})

export const renameView = call('PATCH', '/api/views/:id', {
  capability: 'browse the directory',
  summary: 'Renames one of the caller’s views, or updates its list and filters.',
  params: byId,
  body: z.strictObject({ name: name.optional(), search: z.string().max(MAX_SEARCH_LENGTH).optional() }),
  response: SavedView,
})

export const shareView = call('PUT', '/api/views/:id/sharing', {
  capability: 'share a view',
  summary: 'Shares one of the caller’s views with everyone, or stops sharing any view.',
  params: byId,
  body: z.strictObject({ shared: z.boolean() }),
  response: SavedView,
})

export const deleteView = call('DELETE', '/api/views/:id', {
  capability: 'browse the directory',
  summary: 'Deletes one of the caller’s views. Another person’s view is a 404.',
  params: byId,
  response: 'nothing',
})
