import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { day, id, moment, recordIds, text, byId } from '../../../contract/fields.ts'
import { ChangesetKind } from '../../../contract/history.ts'
import { EDITABLE_KINDS, EditableKind } from '../../../contract/records.ts'
import { optionalMultiline } from '../../../contract/text-schemas.ts'
import { FieldValues } from '../requests/contract.ts'

/** Values by the paths of a record's edit call. A list also takes `{add: […], remove: […]}`. */
const NOTHING_CHANGED = 'Change at least one field'
const Changes = FieldValues.refine((changes) => Object.keys(changes).length > 0, NOTHING_CHANGED)

const BulkFields = z.strictObject({
  kind: EditableKind,
  ids: recordIds,
  changes: FieldValues,
  /** Changes of single records, by their names in `ids`: each site may get another person. */
  own: z.record(z.string(), FieldValues).optional(),
})
export type BulkChange = z.infer<typeof BulkFields>

const hasChanges = ({ changes, own = {} }: Pick<BulkChange, 'changes' | 'own'>): boolean =>
  [changes, ...Object.values(own)].some((values) => Object.keys(values).length > 0)
const EMPTY = { path: ['changes'], message: NOTHING_CHANGED }

/** A field with its value before and after, and the names of the records that the values refer to. */
const ChangedCell = z.strictObject({
  path: z.string(),
  label: z.string(),
  before: z.unknown(),
  beforeName: text,
  after: z.unknown(),
  afterName: text,
})

/** What a bulk change would do to one record: `unchanged` if it already has the values. */
export const BulkRow = z.strictObject({
  _id: id,
  slug: z.string(),
  name: z.string(),
  state: z.enum(['change', 'unchanged', 'error']),
  cells: z.array(ChangedCell),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  /** The day for which a change of one of these fields is already planned. */
  plannedFor: day.nullable(),
})
export type BulkRow = z.infer<typeof BulkRow>

const BulkPreview = z.strictObject({
  rows: z.array(BulkRow),
  changed: z.int(),
  unchanged: z.int(),
  errors: z.int(),
})
export type BulkPreview = z.infer<typeof BulkPreview>

/** What was saved: `changed` counts records. */
export const SavedChangeset = z.strictObject({ changeset: z.strictObject({ _id: id }).nullable(), changed: z.int() })

export const previewBulkChange = call('POST', '/api/bulk/preview', {
  capability: 'manage the network',
  summary: 'What a change of many records would do to each of them, by the rules of their edit call. Nothing is saved.',
  body: BulkFields.refine(hasChanges, EMPTY),
  response: BulkPreview,
})

export const applyBulkChange = call('POST', '/api/bulk/apply', {
  capability: 'manage the network',
  rateLimit: { perMinute: 60 },
  summary:
    'Changes fields of many records in one transaction: all or none. `own` has what changes in one record alone. `seen` has the values that a preview showed, by record and path: a record that has others by now is a 409. With a later `day` nothing is saved yet: the changes are planned for it, and saved as one on that day.',
  body: BulkFields.extend({
    seen: z.record(z.string(), FieldValues).optional(),
    day: day.optional(),
    note: optionalMultiline(500).optional(),
  }).refine(hasChanges, EMPTY),
  response: SavedChangeset,
})

/** One change of a changeset: the row of one table. */
const ChangesetEntry = z.strictObject({
  /** The `_id` of the change in the history. */
  _id: id,
  action: z.enum(['insert', 'update', 'delete']),
  table: z.string(),
  /** The record whose page shows the change. */
  record: id,
  /** The name of the part: 'Hannah Ashworth, Registrar', 'Lodi IS'; null if it has none. */
  title: text,
  fields: z.array(
    z.strictObject({
      field: z.string(),
      before: z.unknown(),
      /** The names of the records that the values refer to. */
      beforeName: text,
      after: z.unknown(),
      afterName: text,
      /** What someone saved afterward; absent if the value has not changed since. */
      since: z.strictObject({ value: z.unknown() }).optional(),
    }),
  ),
})

export const Changeset = z.strictObject({
  _id: id,
  kind: ChangesetKind,
  recordKind: z.string(),
  title: z.string(),
  by: z.string(),
  at: moment,
  /** The changeset that this one undid, and the one that undid this one. */
  undoes: id.nullable(),
  undoneBy: z.strictObject({ _id: id, by: z.string(), at: moment }).nullable(),
  /** The records of the changes. One without a slug has no page, or was deleted. */
  records: z.array(z.strictObject({ _id: id, kind: z.string(), slug: text, name: z.string() })),
  changes: z.array(ChangesetEntry),
})
export type Changeset = z.infer<typeof Changeset>

export const readChangeset = call('GET', '/api/changesets/:id', {
  capability: 'read a history',
  summary: 'Changes that were saved as one, with every field before and after. Those of charter affairs need the capability to read them.',
  params: byId,
  response: Changeset,
})

/** A value that an undo did not restore, because someone changed it afterward. */
const LeftValue = z.strictObject({ table: z.string(), record: id, field: text, present: z.unknown(), message: z.string() })

export const undoChangeset = call('POST', '/api/changesets/:id/undo', {
  capability: 'manage the network',
  rateLimit: { perMinute: 60 },
  summary:
    'Restores what a changeset replaced, as one. What others changed afterwards is left alone and listed, unless `overwrite` is true. A changeset that was undone already is a 409.',
  params: byId,
  body: z.strictObject({ overwrite: z.boolean().default(false) }).default({ overwrite: false }),
  response: SavedChangeset.extend({ left: z.array(LeftValue) }),
})
export type UndoResult = z.infer<typeof undoChangeset.response>

const MAX_SAVES = 500

export const undoSaves = call('POST', '/api/saves/undo', {
  capability: 'manage the network',
  rateLimit: { perMinute: 60 },
  summary:
    'Restores what requests of the caller saved within the last hour, by the `x-request-id` of their responses, as one. What was changed afterwards is left alone and listed. A 409 if there is nothing to restore.',
  body: z.strictObject({ saves: z.array(z.string().min(1).max(100)).min(1, 'Name at least one request').max(MAX_SAVES) }),
  response: z.strictObject({ changed: z.int(), left: z.array(LeftValue) }),
})

/** A change that is pending until its day. `changes` and `before` have values by path. */
export const PlannedChange = z.strictObject({
  _id: id,
  record: z.strictObject({ kind: EditableKind, _id: id, slug: z.string(), name: z.string() }),
  day,
  fields: z.array(
    z.strictObject({
      path: z.string(),
      label: z.string(),
      before: z.unknown(),
      planned: z.unknown(),
      present: z.unknown(),
      beforeName: text,
      plannedName: text,
      presentName: text,
    }),
  ),
  note: text,
  state: z.enum(['waiting', 'saved', 'failed', 'canceled']),
  /** Why it could not be saved. */
  problem: text,
  by: z.string(),
  createdAt: moment,
  changeset: id.nullable(),
  /** Changes that were planned together are saved together; `others` counts the other pending ones. */
  batch: id,
  others: z.int(),
})
export type PlannedChange = z.infer<typeof PlannedChange>

/** The maximum number of planned changes in one response. */
export const MAX_PLANNED_CHANGES = 1000

export const listPlannedChanges = call('GET', '/api/planned', {
  // With the present values of the records.
  shows: ['planned_change', ...EDITABLE_KINDS],
  capability: 'manage the network',
  summary:
    'At most 1,000 planned changes: those that wait by default, the next day first; of other states the latest day first. `after` is the `_id` of the last one of the answer before. Of one record with `kind` and `record`; with `person` those of a person and those that give or take one of their roles.',
  query: z.strictObject({
    kind: EditableKind.optional(),
    record: z.string().max(200).optional(),
    person: z.string().max(200).optional(),
    state: PlannedChange.shape.state.default('waiting'),
    after: z.uuid().optional(),
  }),
  response: z.array(PlannedChange),
})

export const planChange = call('POST', '/api/planned', {
  capability: 'manage the network',
  summary:
    'Plans changes of a record for a later day, by the rules of its edit call: they are checked now, and again when they are saved on that day.',
  body: z.strictObject({
    kind: EditableKind,
    _id: z.string().min(1).max(200),
    day,
    changes: Changes,
    note: optionalMultiline(500).optional(),
  }),
  response: PlannedChange,
})

export const cancelPlannedChange = call('DELETE', '/api/planned/:id', {
  capability: 'manage the network',
  summary:
    'Cancels a planned change; with `all=true` also those that were planned together with it. One that is no longer waiting is a 409.',
  params: byId,
  query: z.object({ all: z.enum(['true', 'false']).optional() }),
  response: 'nothing',
})

export const keepPlannedChange = call('POST', '/api/planned/:id/keep', {
  capability: 'manage the network',
  summary: 'Keeps a planned change although the record has another value by now than when it was planned.',
  params: byId,
  response: PlannedChange,
})
