import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { byIdOrSlug, id, idOrSlug, moment, text } from '../../../contract/fields.ts'
import { ChangesetKind } from '../../../contract/history.ts'
import { RecordKind } from '../../../contract/records.ts'

/** One field of a change; `fromName` and `toName` are the current names of referenced records. */
export const ChangedField = z.strictObject({
  field: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  fromName: text,
  toName: text,
})

/** One change of a record or of a part of it. */
export const Change = z.strictObject({
  _id: id,
  at: moment,
  /** Null for imports and automatic changes. */
  by: text,
  /** Who suggested it, if someone else accepted it. */
  suggestedBy: text,
  /** The changeset it was saved in: an uploaded sheet, by file name, or a change of many records. */
  changeset: z.strictObject({ _id: id, kind: ChangesetKind, title: z.string() }).nullable(),
  /** `check`: someone confirmed the record; `uncheck`: they undid that. */
  action: z.enum(['insert', 'update', 'delete', 'check', 'uncheck']),
  /** The part that changed, by its table: 'site', 'site_person' … */
  part: z.string(),
  /** The name of the part: 'Hannah Ashworth, Registrar', 'Lodi IS'; null if it has none. */
  title: text,
  fields: z.array(ChangedField),
  /** The current version of the part, for `If-Match` of a restore; null if it was deleted. */
  version: z.int().nullable(),
  /** Whether its earlier values can be restored, which is the case for all changes except insertions. */
  canRestore: z.boolean(),
})
export type Change = z.infer<typeof Change>

/** A comment on the record, with the names of the people it mentions. */
export const HistoryComment = z.strictObject({ _id: id, at: moment, by: z.string(), text: z.string() })
export type HistoryComment = z.infer<typeof HistoryComment>

/** A field that was changed at least once, by which a history can be filtered. */
export const FieldOfPart = z.strictObject({ part: z.string(), field: z.string() })
export type FieldOfPart = z.infer<typeof FieldOfPart>

/** What every call that reads a history has in common. */
export const historyCall = {
  query: z.object({
    before: z
      .string()
      .regex(/^\d{1,18}$/, 'Enter the _id of a change')
      .optional(),
    part: z.string().max(100).optional(),
    field: z.string().max(100).optional(),
    by: z.string().max(200).optional(),
  }),
  response: z.strictObject({
    changes: z.array(Change),
    more: z.boolean(),
    /** Newest first, those of the time of these changes; none if `part` or `field` is given. */
    comments: z.array(HistoryComment),
    /** For the whole history, whatever the filter; empty on pages after the first. */
    people: z.array(z.string()),
    fields: z.array(FieldOfPart),
  }),
} as const
const restoreCall = {
  body: z
    .strictObject({
      fields: z.array(z.string().max(100)).min(1, 'Name at least one field').max(100).optional(),
      whole: z.literal(true).optional(),
    })
    .refine(({ fields, whole }) => !(fields && whole), { message: 'Choose either the given fields or the whole record', path: ['whole'] }),
  response: 'nothing',
} as const
const changeId = z.string().regex(/^\d{1,18}$/)

const record = z.object({ kind: RecordKind, id: idOrSlug })

export const readHistory = call('GET', '/api/history/:kind/:id', {
  capability: 'read a history',
  summary:
    'The changes of a record and its parts, newest first, 50 at a time, and the comments of that time. `before` continues after the last one; `part`, `field` and `by` filter them. The first answer also lists the people and fields of the whole history.',
  params: record,
  ...historyCall,
})

export const readPermissionHistory = call('GET', '/api/history/permission/:id', {
  capability: 'manage administrators',
  summary:
    'The changes of a permission record, including one that was removed. It cannot be restored; make the person an administrator again instead.',
  params: z.object({ id }),
  ...historyCall,
})

export const restoreFromHistory = call('POST', '/api/history/:kind/:id/:change', {
  capability: 'manage the network',
  summary:
    'Restores what a change of a record, or of a part of it, replaced: everything, only the given fields, or with `whole` the whole row as it was before. A deleted part is restored.',
  params: record.extend({ change: changeId }),
  ...restoreCall,
})

export const readAffairHistory = call('GET', '/api/history/charter_affair/:id', {
  capability: 'read a charter affair',
  summary:
    'The changes of a charter affair, its board members and its districts, as for any record; none if there is no affair. `field` is a section, or one field of it: `overview.fein`.',
  params: byIdOrSlug,
  ...historyCall,
})

export const restoreAffairFromHistory = call('POST', '/api/history/charter_affair/:id/:change', {
  capability: 'edit a charter affair',
  summary:
    'Restores what a change of a charter affair, a board member or a district replaced: the fields it changed, only the given ones (`overview.fein`), a whole section as it was before (`overview`), or with `whole` the whole row. A deleted row is restored.',
  params: byIdOrSlug.extend({ change: changeId }),
  ...restoreCall,
})

/** Record kinds with a history. A charter affair has separate calls, because its URL contains its charter. */
export type HistoryKind = RecordKind | 'charter_affair'

export const isHistoryKind = (kind: string): kind is HistoryKind => kind === 'charter_affair' || RecordKind.safeParse(kind).success

/** The calls that read and restore the history of a kind. */
export const getHistoryCalls = (kind: HistoryKind) =>
  kind === 'charter_affair'
    ? ({ read: readAffairHistory, restore: restoreAffairFromHistory } as const)
    : ({ read: readHistory, restore: restoreFromHistory } as const)
