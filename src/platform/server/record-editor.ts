import type { z } from 'zod'

import type { Call } from '../../contract/call.ts'
import type { Capability } from '../../contract/capabilities.ts'
import type { EditableListColumn } from '../../contract/lists.ts'
import { UNKNOWN_FIELD } from '../../contract/messages.ts'
import { isEmptyValue, isObject } from '../../contract/objects.ts'
import { type FieldError, invalidFields, parseInput, Problem } from '../../contract/problem.ts'
import { getOwnerKind, type RecordKind, type SheetRecordKind } from '../../contract/records.ts'
import type { SheetKind } from '../../contract/sheets.ts'
import { formatArchived, isArchivable, toArchivedProblem } from '../../database/archived-records.server.ts'
import type { Queryable, Tx } from '../../database/connection.server.ts'
import type { UniqueField } from '../../database/unique-fields.server.ts'
import type { EditableTable, StoredRow } from '../../database/update-record.server.ts'
import type { ReadModel } from './read-model/read-model.ts'
import type { SheetDefinition } from './sheet-definition.ts'
import { createTimeSlices, LONG_WORK_REST_MS } from './time-slices.ts'

export type EditCall = Call & { readonly allowUnchangedInvalid: true; readonly body: z.ZodType; readonly capability: Capability }

/**
 * How a record, or a part of one, is edited: its form, accepted suggestions and sheets all save through it. Its methods take the types of its own
 * table and call where it is declared (`EditSteps`).
 */
export interface RecordEditor {
  readonly call: EditCall
  readonly table: EditableTable
  /** The stored row in the shape of the call's body. */
  toInput(row: object, model: ReadModel): object
  /** Throws 422 if changed fields conflict with each other or with stored ones. */
  validate?(changes: object, row: object): void
  /** Saves a validated change of a locked row; throws a `Problem` where rules refuse it. */
  save(tx: Tx, key: string, changes: object, row: object): Promise<void>
}

/** The values that a program or a form sends for fields of a record, by path: `address.phone`. */
export type FieldChanges = Readonly<Record<string, unknown>>

/** A part of a record in which every field has a path, a label and a rule. */
export interface RecordPart {
  /** The prefix of its field paths; null for the record's own fields. */
  readonly prefix: string | null
  readonly capability: Capability
  /** The stored values in the shape of the edit call, by record key; deleted records are missing. */
  readonly readInputs: (db: Queryable, model: ReadModel, keys: readonly string[]) => Promise<ReadonlyMap<string, object>>
  /** The values just before a moment, of which the model is; undefined if there were none. Parts consisting of rows have none. */
  readonly readBefore?: (db: Queryable, model: ReadModel, key: string, moment: Date) => Promise<object | undefined>
  /** Locks the rows of many records, in the order of their keys. */
  readonly lock: (tx: Tx, keys: readonly string[]) => Promise<void>
  /** Locks, validates and saves changes in the shape of the edit call. Returns what was saved, normalized by the rules. */
  readonly save: (tx: Tx, model: ReadModel, key: string, changes: object) => Promise<object>
  /** The values of an earlier version of the stored row, in the shape of the edit call; undefined if the part keeps none. */
  readonly toInput?: (row: StoredRow, model: ReadModel) => object
  /**
   * Validates changes of many records, in the shape of the edit call, with the rules that need no other record: returns what would be saved, or the
   * problem. Deleted records are missing.
   */
  readonly validate: (
    db: Queryable,
    model: ReadModel,
    changes: ReadonlyMap<string, object>,
  ) => Promise<ReadonlyMap<string, object | Problem>>
  readonly table: string
  /** A part consisting of rows, with paths `{row}.{field}`; a new row is one field, `NEW_ROW`. */
  readonly rows?: {
    /** The names of rows, by key; deleted ones are missing. */
    readonly readNames: (db: Queryable, rows: readonly string[]) => Promise<ReadonlyMap<string, string>>
    readonly labels: Readonly<Record<string, string>>
    /** The value of a new row as text. */
    readonly describe: (value: unknown) => string | null
  }
  readonly getLabel: (path: string, model: ReadModel) => string
  /** Whether the value at a path is a single field rather than a group of fields. */
  readonly isGroup: (path: string) => boolean
}

/** How a record is created from the values of a form or a sheet, by path. */
export interface RecordCreation {
  readonly capability: Capability
  /** Throws the errors of the field rules. */
  readonly validate: (values: FieldChanges) => unknown
  /** Validates and inserts; returns the key. Every refusal is a 422 with the paths of fields. */
  readonly insert: (tx: Tx, values: FieldChanges) => Promise<string>
}

/** A record or row, with what sheets are filtered by. */
export interface ListedRow {
  readonly _id: string
  readonly name: string
  /** The record that the row belongs to, or the record itself. */
  readonly owner: string
  readonly region?: string | null
  readonly charter?: string | null
  readonly status?: string | null
}

/** The lists of a kind of record. */
interface RecordLists {
  /** The list of all records, if there is one. */
  readonly all?: string
  readonly others: readonly string[]
  /** Their columns, with the fields that each shows. */
  readonly columns: readonly Pick<EditableListColumn<never>, 'key' | 'fields'>[]
}

/** A record kind for which people can suggest changes, import sheets and change many records at once. */
export interface EditableRecordKind {
  readonly kind: SheetRecordKind
  /** The capability to save the record's own fields. */
  readonly editCapability: Capability
  readonly parts: readonly RecordPart[]
  /** The key for an `_id` or slug; throws 404. */
  readonly findKey: (model: ReadModel, idOrSlug: string) => string
  /** The record's name and page; undefined if it is deleted, and for rows that are not in the read model. */
  readonly describe: (
    model: ReadModel,
    key: string,
  ) => { slug: string; name: string; site: string | null; region: string | null } | undefined
  /** Fields of the record's own part that must be unique. */
  readonly unique?: readonly UniqueField[]
  /** Creates a record like its form does; absent if sheets cannot create any. */
  readonly create?: RecordCreation
  /** All that its sheets may contain. */
  readonly listRows: (db: Queryable, model: ReadModel) => Promise<readonly ListedRow[]>
  readonly sheets: Readonly<Partial<Record<SheetKind, SheetDefinition>>>
  /** The lists above which its sheets are downloaded; absent for rows and parts, which use those of another kind. */
  readonly lists?: RecordLists
  /** The picture or record that a field refers to, so that its value can be shown as text; `roles.*` covers every field of a part. */
  readonly references: Readonly<Record<string, RecordKind | 'picture' | 'program_type'>>
}
export type RecordKinds = Readonly<Record<SheetRecordKind, EditableRecordKind>>

/** The part that a path belongs to, and the path within it. */
export const findPart = ({ parts }: EditableRecordKind, path: string): { part: RecordPart; inner: string } => {
  const named = parts.find(({ prefix }) => prefix !== null && path.startsWith(`${prefix}.`))
  if (named?.prefix) return { part: named, inner: path.slice(named.prefix.length + 1) }
  const own = parts.find(({ prefix }) => prefix === null)
  if (!own) throw new Error('A record has fields of its own')
  return { part: own, inner: path }
}

/** The value at a path; undefined if there is none. */
export const getAtPath = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined), values)

/** The same changes with one path per field: `address: {phone}` becomes `address.phone`. */
export const flattenChanges = (kind: EditableRecordKind, changes: FieldChanges): FieldChanges =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([path, value]) => {
      const isOfPart = kind.parts.some(({ prefix }) => prefix === path)
      const { part, inner } = findPart(kind, path)
      if (!isObject(value) || !(isOfPart || part.isGroup(inner))) return [[path, value]]
      return Object.entries(flattenChanges(kind, Object.fromEntries(Object.entries(value).map(([name, one]) => [`${path}.${name}`, one]))))
    }),
  )

/** A field of a part, with its value. */
export interface PartField {
  /** Its path in the record, and within the part. */
  readonly path: string
  readonly inner: string
  readonly label: string
  readonly value: unknown
}

/** The fields of a part, from values in the shape of its edit call. What has no label there is no field, or another spelling of one. */
export const listPartFields = (part: RecordPart, values: object, model: ReadModel, group = ''): PartField[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const inner = `${group}${name}`
    if (isObject(value) && part.isGroup(inner)) return listPartFields(part, value, model, `${inner}.`)
    const label = part.getLabel(inner, model)
    return label === inner ? [] : [{ path: part.prefix === null ? inner : `${part.prefix}.${inner}`, inner, label, value }]
  })

interface CreationOptions<S extends z.ZodType> {
  /** Converts to the shape of the body if a sheet has other columns. */
  readonly toBody?: (values: Readonly<Record<string, unknown>>) => object
  /** Throws 422 if fields conflict. */
  readonly check?: (given: z.output<S>) => void
}

/** Creation by the body of a call. Empty values are omitted, so that they get the form's defaults. */
export const defineCreation = <S extends z.ZodType<object>>(
  { capability, body }: { readonly capability: Capability; readonly body: S },
  insert: (tx: Tx, given: z.output<S>) => Promise<string>,
  { toBody = (values) => values, check }: CreationOptions<S> = {},
): RecordCreation => {
  const parse = (values: FieldChanges): z.output<S> => {
    const given = Object.entries(values).filter(([, value]) => !isEmptyValue(value))
    const parsed = parseInput(body, toBody(toNested(Object.fromEntries(given))))
    check?.(parsed)
    return parsed
  }
  return {
    capability,
    validate: parse,
    insert: async (tx, values) => {
      try {
        return await insert(tx, parse(values))
      } catch (error) {
        throw toRecordProblem(error, null, Object.keys(values).slice(0, 1))
      }
    },
  }
}

/** `{'address.phone': 1}` becomes `{address: {phone: 1}}`; objects that are values stay as they are. */
const toNested = (values: FieldChanges): Record<string, unknown> => {
  const nested: Record<string, unknown> = {}
  const own = new Set<unknown>()
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let group = nested
    for (const name of names) {
      const inner = group[name]
      const next: Record<string, unknown> = isObject(inner) ? (own.has(inner) ? inner : { ...inner }) : {}
      own.add(next)
      group[name] = next
      group = next
    }
    group[last] = value
  }
  return nested
}

const MAX_PATH_LENGTH = 200
/** Names that could pollute an object's prototype are not fields. */
const isPath = (path: string): boolean => path.length <= MAX_PATH_LENGTH && !/(^|\.)(__proto__|constructor|prototype)(\.|$)/.test(path)

/** The problem of a part, with the paths of the record: every refusal of a field is a 422, including a uniqueness conflict. */
const toRecordProblem = (error: unknown, prefix: string | null, paths: readonly string[]): unknown => {
  if (!(error instanceof Problem) || error.status >= 500) return error
  const toPath = (path: string) => (prefix === null ? path : `${prefix}.${path}`)
  // An error of a group that belongs to no field is reported for all given paths.
  const toGiven = (path: string): readonly string[] => {
    const given = paths.filter((one) => one.startsWith(`${path}.`))
    return given.length > 0 && !paths.includes(path) ? given : [path]
  }
  const errors: FieldError[] = error.errors?.length
    ? error.errors.flatMap(({ path, message }) => toGiven(toPath(path)).map((given) => ({ path: given, message })))
    : paths.map((path) => ({ path, message: error.message }))
  return invalidFields(errors)
}

interface PartChanges {
  readonly part: RecordPart
  /** In the shape of the edit call. */
  readonly nested: object
  readonly fields: readonly { readonly path: string; readonly inner: string }[]
}

/** The changes of each part of a record; throws 422 for unknown paths. */
const splitByPart = (kind: EditableRecordKind, changes: FieldChanges): PartChanges[] => {
  const unknown = Object.keys(changes).filter((path) => !isPath(path))
  if (unknown.length > 0) throw invalidFields(unknown.map((path) => ({ path, message: UNKNOWN_FIELD })))
  const found = Object.entries(changes).map(([path, value]) => ({ path, value, ...findPart(kind, path) }))
  return kind.parts.flatMap((part) => {
    const fields = found.filter((field) => field.part === part)
    const nested = toNested(Object.fromEntries(fields.map(({ inner, value }) => [inner, value])))
    return fields.length === 0 ? [] : [{ part, nested, fields }]
  })
}

const toProblemOf = ({ part, fields }: PartChanges, error: unknown): Problem & { readonly errors: readonly FieldError[] } => {
  const paths = fields.map(({ path }) => path)
  const problem = toRecordProblem(error, part.prefix, paths)
  if (!(problem instanceof Problem) || problem.errors === undefined) throw problem
  return problem as Problem & { readonly errors: readonly FieldError[] }
}

const pickFields = ({ fields }: PartChanges, checked: object): FieldChanges =>
  Object.fromEntries(fields.map(({ path, inner }) => [path, getAtPath(checked, inner)]))

/** The kind of the archived record that a record of a kind is, or belongs to. */
const findArchivedKind = (model: ReadModel, { kind }: EditableRecordKind, key: string): RecordKind | undefined => {
  if (isArchivable(kind)) return model.table(kind).isArchived(key) ? kind : undefined
  // The key of what a record has one of is that of the record.
  const owner = getOwnerKind(kind)
  return owner !== undefined && isArchivable(owner) && model.table(owner).isArchived(key) ? owner : undefined
}

/** The error of each change if a record is archived. */
const listArchivedErrors = (model: ReadModel, kind: EditableRecordKind, key: string, changes: FieldChanges): FieldError[] => {
  const archived = findArchivedKind(model, kind, key)
  return archived === undefined
    ? []
    : Object.keys(changes).map((path) => ({ path, message: `${formatArchived(archived)}. Restore it first.` }))
}
const assertKeyNotArchived = (model: ReadModel, kind: EditableRecordKind, key: string, changes: FieldChanges): void => {
  const errors = listArchivedErrors(model, kind, key, changes)
  if (errors.length > 0) throw invalidFields(errors)
}

/**
 * Saves changes of one record, each through its part's rules; throws 422 with the record's paths. Returns the saved values by path. In a transaction
 * that the caller rolls back, it is a trial save.
 */
export const saveFields = async (
  tx: Tx,
  model: ReadModel,
  kind: EditableRecordKind,
  key: string,
  changes: FieldChanges,
): Promise<FieldChanges> => {
  const saved: Record<string, unknown> = {}
  const errors: FieldError[] = []
  assertKeyNotArchived(model, kind, key, changes)
  for (const own of splitByPart(kind, changes)) {
    try {
      Object.assign(saved, pickFields(own, await own.part.save(tx, model, key, own.nested)))
    } catch (error) {
      const archived = toArchivedProblem(error)
      if (archived) throw archived
      // A query that PostgreSQL refused has aborted the transaction; a rule of ours has not.
      errors.push(...toProblemOf(own, error).errors)
    }
  }
  if (errors.length > 0) throw invalidFields(errors)
  return saved
}

/** The result of validation: the values as they would be saved, and the errors. */
export interface Validated {
  readonly values: FieldChanges
  readonly errors: readonly FieldError[]
}

/** Validates changes of many records by their own rules and by uniqueness across records. */
export const validateAll = async (
  db: Queryable,
  model: ReadModel,
  kind: EditableRecordKind,
  changes: ReadonlyMap<string, FieldChanges>,
): Promise<ReadonlyMap<string, Validated>> => {
  const results = new Map<string, { readonly values: Record<string, unknown>; readonly errors: FieldError[] }>()
  const rest = createTimeSlices(LONG_WORK_REST_MS)
  const all = [...changes]
  for (let at = 0; at < all.length; at += BATCH_RECORDS) {
    const batch = all.slice(at, at + BATCH_RECORDS).flatMap(([key, own]) => {
      const archived = listArchivedErrors(model, kind, key, own)
      if (archived.length > 0) results.set(key, { values: {}, errors: archived })
      return archived.length > 0 ? [] : splitByPart(kind, own).map((part) => ({ key, ...part }))
    })
    for (const [part, rows] of Map.groupBy(batch, (row) => row.part)) {
      const checked = await part.validate(db, model, new Map(rows.map(({ key, nested }) => [key, nested])))
      for (const row of rows) {
        await rest()
        const result = results.get(row.key) ?? { values: {}, errors: [] }
        results.set(row.key, result)
        const outcome = checked.get(row.key)
        if (outcome instanceof Problem) result.errors.push(...toProblemOf(row, outcome).errors)
        else if (outcome) Object.assign(result.values, pickFields(row, outcome))
      }
    }
  }
  return results
}

/** Number of records read together: more would block other requests and take too much memory. */
const BATCH_RECORDS = 100

/** The present values at the given paths, by record; undefined for a deleted record. */
export const readFields = async (
  db: Queryable,
  model: ReadModel,
  kind: EditableRecordKind,
  paths: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, FieldChanges | undefined>> => {
  const all = [...paths.keys()]
  // Records of one sheet share one list of paths.
  const fieldsOf = new Map([...new Set(paths.values())].map((list) => [list, list.map((path) => ({ path, ...findPart(kind, path) }))]))
  const needed = new Set([...fieldsOf.values()].flatMap((fields) => fields.map(({ part }) => part)))
  const values = new Map<string, FieldChanges | undefined>()
  const rest = createTimeSlices(LONG_WORK_REST_MS)
  for (let at = 0; at < all.length; at += BATCH_RECORDS) {
    const keys = all.slice(at, at + BATCH_RECORDS)
    const inputs = new Map<RecordPart, ReadonlyMap<string, object>>()
    for (const part of needed) inputs.set(part, await part.readInputs(db, model, keys))
    for (const key of keys) {
      await rest()
      const fields = fieldsOf.get(paths.get(key) ?? []) ?? []
      const isGone = fields.some(({ part }) => !inputs.get(part)?.has(key))
      const toValue = ({ path, part, inner }: (typeof fields)[number]) => [path, getAtPath(inputs.get(part)?.get(key), inner) ?? null]
      values.set(key, isGone ? undefined : (Object.fromEntries(fields.map(toValue)) as FieldChanges))
    }
  }
  return values
}
