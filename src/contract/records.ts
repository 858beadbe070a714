import { z } from 'zod'

import { id, text } from './fields.ts'
import { Status } from './status.ts'

/** The five record kinds that can be searched for, marked as favorites, and listed as recently opened. */
export const RECORD_KINDS = ['person', 'site', 'charter', 'brand', 'region'] as const
export const RecordKind = z.enum(RECORD_KINDS)
export type RecordKind = z.infer<typeof RecordKind>

/** The record kinds that have a form, for which people can suggest changes. */
export const EDITABLE_KINDS = ['site', 'person', 'charter', 'brand', 'charter_affair'] as const
export const EditableKind = z.enum(EDITABLE_KINDS)
export type EditableKind = z.infer<typeof EditableKind>

/** Rows of a record that have their own identifier; sheets edit them too. */
export type RowKind = 'sis_site' | 'authorizer_board_member' | 'center_district'
export type SheetRecordKind = EditableKind | RowKind

/** The key of a new row in field paths. */
export const NEW_ROW = 'new'

/** Any record in one line: its name, the most important detail, and how to reach its contact person. */
export const RecordHit = z.strictObject({
  kind: RecordKind,
  _id: id,
  slug: z.string(),
  name: z.string(),
  /** Next to the name: 'Principal · Lodi Resource Center', 'Lodi, CA · Resource Center · Finance no. 04127'. */
  detail: z.string(),
  phone: text,
  email: text,
  /** Null for people and regions. */
  status: Status.nullable(),
  version: z.int(),
})
export type RecordHit = z.infer<typeof RecordHit>

/** The path of a record's page: by `_id` for brands, by slug for all others. */
export const getRecordPath = ({ kind, slug, _id }: Pick<RecordHit, 'kind' | 'slug' | '_id'>): string => {
  const name = encodeURIComponent(slug)
  return {
    person: `/staff/${name}`,
    site: `/location/${name}`,
    charter: `/charter/${name}`,
    brand: `/brand/${_id}`,
    region: `/region/${name}`,
  }[kind]
}
