import { z } from 'zod'

import { id, text } from './fields.ts'
import { Status } from './status.ts'

/** The five kinds of record that can be searched for, kept as a favorite and seen again under what was opened last. */
export const RECORD_KINDS = ['person', 'site', 'charter', 'brand', 'region'] as const
export const RecordKind = z.enum(RECORD_KINDS)
export type RecordKind = z.infer<typeof RecordKind>

/** The kinds of record that have a form, to which people can suggest changes. */
export const EDITABLE_KINDS = ['site', 'person', 'charter', 'brand', 'charter_affair'] as const
export const EditableKind = z.enum(EDITABLE_KINDS)
export type EditableKind = z.infer<typeof EditableKind>

/** Rows of a record that have an identifier of their own; sheets edit them too. */
export type RowKind = 'sis_site' | 'authorizer_board_member' | 'center_district'
export type SheetRecordKind = EditableKind | RowKind

/** What a row is called in the paths of fields until it is added. */
export const NEW_ROW = 'new'

/** Any record in one line: what it is called, what matters beside it, and how to reach the person who answers there. */
export const RecordHit = z.strictObject({
  kind: RecordKind,
  _id: id,
  slug: z.string(),
  name: z.string(),
  /** What is beside the name: 'Principal · Lodi Resource Center', 'Lodi, CA · Resource Center · Finance no. 04127'. */
  detail: z.string(),
  phone: text,
  email: text,
  /** Null for people and regions, which have none. */
  status: Status.nullable(),
  version: z.int(),
})
export type RecordHit = z.infer<typeof RecordHit>

/** The address of a record's page: brands are asked for by `_id`, all others by slug. */
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
