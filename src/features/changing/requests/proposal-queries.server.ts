import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can, type Capability } from '../../../contract/capabilities.ts'
import { forbidden } from '../../../contract/problem.ts'
import { EDITABLE_KINDS, type EditableKind, getReadCapability, NEW_ROW } from '../../../contract/records.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { StoredRow } from '../../../database/update-record.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type EditableRecordKind, type FieldChanges, findPart, getAtPath, readFields } from '../../../platform/server/record-editor.ts'
import { findReference, nameReference } from '../../../platform/server/record-names.ts'
import {
  type ContestedField,
  MAX_REQUESTS,
  type Proposal,
  type ProposedField,
  type ProposedFieldState,
  type RequestState,
} from './contract.ts'

interface ChangeRow {
  readonly by: string | null
  readonly at: string
  readonly before: StoredRow
  readonly after: StoredRow
}

/** The last person who changed each field of a record since a moment, and when, by path. */
const findChangedSince = async (
  db: Queryable,
  model: ReadModel,
  kind: EditableRecordKind,
  key: string,
  since: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ProposedField['changed']>>> => {
  const found = new Map<string, NonNullable<ProposedField['changed']>>()
  for (const [part, ofPart] of Map.groupBy(paths, (path) => findPart(kind, path).part)) {
    const { table, toInput } = part
    if (!toInput) continue
    const record = table === 'charter_affair' ? (model.table('charter_affair').where('charter', key)[0]?._id ?? key) : key
    const { rows } = await sql<ChangeRow>`
      select "actorName" as by, ${toIsoTimestamp(sql<Date>`at`)} as at, before, after from change
      where record = ${record} and "table" = ${table} and action = 'update' and at >= ${since}::timestamptz order by _id desc limit 200`.execute(
      db,
    )
    for (const { by, at, before, after } of rows) {
      const [old, next] = [toInput(before, model), toInput(after, model)]
      for (const path of ofPart) {
        const { inner } = findPart(kind, path)
        if (!found.has(path) && !isDeepStrictEqual(getAtPath(old, inner), getAtPath(next, inner))) found.set(path, { by, at })
      }
    }
  }
  return found
}

interface StoredField {
  readonly path: string
  readonly before: unknown
  readonly suggested: unknown
  readonly state: ProposedFieldState
  readonly value: unknown
  readonly word: string | null
  readonly decidedBy: string | null
  readonly decidedAt: string | null
}

/** A stored proposal; `record` is the key of its record. */
export interface StoredProposal {
  readonly _id: string
  readonly kind: EditableKind
  readonly record: string
  /** The record's name when it was sent. */
  readonly location: string | null
  readonly basedOn: number | null
  readonly note: string | null
  readonly account: string | null
  readonly name: string | null
  readonly email: string | null
  readonly state: RequestState
  readonly createdAt: string
  readonly version: number
  readonly updatedAt: string
  readonly updatedBy: string | null
  readonly fields: readonly StoredField[]
}

type Condition = ReturnType<typeof sql<boolean>>

/** Stored proposals that meet a condition on `request` and `proposal`, newest first. */
export const findStoredProposals = async (db: Queryable, condition: Condition): Promise<StoredProposal[]> => {
  const { rows } = await sql<StoredProposal>`
    select request._id::text as _id, proposal.kind, record, location, proposal."basedOn", note, account::text as account, name, email, state,
      ${toIsoTimestamp(sql<Date>`"createdAt"`)} as "createdAt", version + edits as version, ${toIsoTimestamp(sql<Date>`"updatedAt"`)} as "updatedAt", "updatedBy",
      (select json_agg(json_build_object('path', path, 'before', before, 'suggested', suggested, 'state', field.state, 'value', value, 'word', field.word,
         'decidedBy', "decidedBy", 'decidedAt', ${toIsoTimestamp(sql<Date | null>`"decidedAt"`)}) order by position)
       from proposal_field as field where field.proposal = proposal._id) as fields
    from proposal join request using (_id)
    where ${condition}
    order by "createdAt" desc, request._id limit ${MAX_REQUESTS}`.execute(db)
  return rows
}

const listKinds = ({ accessLevel }: SignedIn, getCapability: (kind: EditableKind) => Capability): EditableKind[] =>
  EDITABLE_KINDS.filter((kind) => can(accessLevel, getCapability(kind)))

/** Proposals that a user may open: their own, and those that they may decide. */
const isReadable = (user: SignedIn, context: AppContext): Condition => sql<boolean>`(
  proposal.kind = any(${listKinds(user, (kind) => context.kinds[kind].editCapability)})
  or (account = ${user.account} and proposal.kind = any(${listKinds(user, getReadCapability)})))`

/** Who sent a suggestion, and for which record. */
export type SentProposal = Pick<StoredProposal, '_id' | 'kind' | 'record' | 'location' | 'account'>

/** The same rule for a suggestion that is known. */
export const mayReadProposal = (
  { kinds }: Pick<AppContext, 'kinds'>,
  { kind, account }: SentProposal,
  level: number,
  reader: string | null,
): boolean => can(level, kinds[kind].editCapability) || (account !== null && account === reader && can(level, getReadCapability(kind)))

export const findSentProposals = async (db: Queryable, ids: readonly string[]): Promise<SentProposal[]> => {
  const { rows } = await sql<SentProposal>`
    select proposal._id::text as _id, proposal.kind, record, location, account::text as account
    from proposal join request using (_id) where _id = any(${ids.filter(isUuid)}::uuid[])`.execute(db)
  return rows
}

const RECORD_GONE = 'This record no longer exists'

/** The existing row that a path belongs to, in a part consisting of rows. */
const findRow = (kind: EditableRecordKind, path: string) => {
  const { part, inner } = findPart(kind, path)
  const row = inner.split('.')[0] ?? ''
  return part.rows && row !== NEW_ROW ? { rows: part.rows, row } : undefined
}

/** The names of rows in proposals, by key; deleted rows are missing. */
const readRowNames = async ({ kinds }: AppContext, db: Queryable, proposals: readonly StoredProposal[]) => {
  const named = proposals.flatMap(({ kind, fields }) => fields.flatMap(({ path }) => findRow(kinds[kind], path) ?? []))
  const names = new Map<string, string>()
  for (const [{ readNames }, rows] of Map.groupBy(named, ({ rows }) => rows))
    for (const [row, name] of await readNames(
      db,
      rows.map(({ row }) => row),
    ))
      names.set(row, name)
  return names
}

/** Whether a field is a new row: additions by others do not conflict with it. */
export const isNewRow = (kind: EditableRecordKind, path: string): boolean => {
  const { part, inner } = findPart(kind, path)
  return part.rows !== undefined && inner.split('.')[0] === NEW_ROW
}

/** Why a suggestion can no longer be applied; null while it can. */
const findProblem = (
  model: ReadModel,
  kind: EditableRecordKind,
  { path, suggested, state }: StoredField,
  present: FieldChanges | undefined,
  rowNames: ReadonlyMap<string, string>,
) => {
  if (state !== 'open') return null
  const row = findRow(kind, path)?.row
  if (present === undefined || (row !== undefined && !rowNames.has(row))) return RECORD_GONE
  const reference = findReference(kind, path)
  if (nameReference(model, reference, suggested) === undefined) return `This ${reference ?? 'record'} no longer exists`
  const { part, inner } = findPart(kind, path)
  const person = part.prefix === 'people' && suggested === true ? model.table('person').get(inner.split('.')[0] ?? '') : undefined
  return person?.leftAt ? 'This person is no longer employed' : null
}

interface RivalRow {
  readonly _id: string
  readonly kind: EditableKind
  readonly record: string
  readonly path: string
  readonly account: string | null
  readonly sender: string
  readonly createdAt: string
  readonly suggested: unknown
}

/** All open suggestions for the records of some proposals. */
const findOpenSuggestions = async (db: Queryable, records: readonly string[]): Promise<RivalRow[]> => {
  const { rows } = await sql<RivalRow>`
    select proposal._id::text as _id, kind, record, path, account::text as account, coalesce(name, email, 'Someone') as sender, suggested,
      ${toIsoTimestamp(sql<Date>`"createdAt"`)} as "createdAt"
    from proposal_field join proposal on proposal._id = proposal_field.proposal
      join (select _id, account, name, email, "createdAt" from request) as request on request._id = proposal._id
    where proposal_field.state = 'open' and record = any(${[...records]}::text[])
    order by "createdAt"`.execute(db)
  return rows
}

/** The people in the directory with these email addresses, by address. */
const findPeopleByEmail = async (db: Queryable, proposals: readonly StoredProposal[]): Promise<ReadonlyMap<string, string>> => {
  const addresses = [...new Set(proposals.flatMap(({ email }) => email?.toLowerCase() ?? []))]
  const { rows } = await sql<{ address: string; _id: string }>`
    select lower(email) as address, _id from person where "archivedAt" is null and lower(email) = any(${addresses}::text[])`.execute(db)
  return new Map(rows.map(({ address, _id }) => [address, _id]))
}

const toSender = (model: ReadModel, { name, email }: StoredProposal, people: ReadonlyMap<string, string>): Proposal['sender'] => {
  const person = model.table('person').get(people.get(email?.toLowerCase() ?? '') ?? '')
  const roles = person
    ? model
        .table('site_person')
        .where('person', person._id)
        .map(({ role }) => model.table('role').need(role).name)
    : []
  return { name, email, person: person ? { slug: person.slug, roles: [...new Set(roles)] } : null }
}

/** The current values of the fields in proposals, by kind and record. */
const readPresent = async ({ readModel, kinds }: AppContext, db: Queryable, proposals: readonly StoredProposal[]) => {
  const present = new Map<string, FieldChanges | undefined>()
  for (const [kind, ofKind = []] of Object.entries(Object.groupBy(proposals, (one) => one.kind))) {
    const paths = new Map<string, string[]>()
    for (const { record, fields } of ofKind) paths.set(record, [...(paths.get(record) ?? []), ...fields.map(({ path }) => path)])
    for (const [key, values] of await readFields(db, readModel, kinds[kind as EditableKind], paths)) present.set(`${kind} ${key}`, values)
  }
  return present
}

/** The last changes of fields whose values differ from what their senders saw, by proposal and path. */
const findChanged = async (
  { readModel, kinds }: AppContext,
  db: Queryable,
  proposals: readonly StoredProposal[],
  present: ReadonlyMap<string, FieldChanges | undefined>,
) => {
  const changed = new Map<string, NonNullable<ProposedField['changed']>>()
  for (const { _id, kind, record, createdAt, fields } of proposals) {
    const values = present.get(`${kind} ${record}`)
    const moved = fields.filter(
      ({ path, before, state }) => state === 'open' && values && !isDeepStrictEqual(before ?? null, values[path] ?? null),
    )
    if (moved.length === 0) continue
    const paths = moved.map(({ path }) => path)
    for (const [path, change] of await findChangedSince(db, readModel, kinds[kind], record, createdAt, paths))
      changed.set(`${_id} ${path}`, change)
  }
  return changed
}

/** Beyond this number per field, the latest ones are left out, so that a list of many does not grow quadratically. */
const MAX_RIVALS = 50

/** Proposals as visible to a user. */
export const toProposals = async (
  context: AppContext,
  user: Pick<SignedIn, 'account' | 'accessLevel'>,
  stored: readonly StoredProposal[],
  db: Queryable = context.db,
): Promise<Proposal[]> => {
  const { readModel: model, kinds } = context
  await model.ready()
  const present = await readPresent(context, db, stored)
  const open = await findOpenSuggestions(
    db,
    stored.map(({ record }) => record),
  )
  const people = await findPeopleByEmail(db, stored)
  const changed = await findChanged(context, db, stored, present)
  const rowNames = await readRowNames(context, db, stored)
  const byField = Map.groupBy(open, ({ kind, record, path }) => `${kind} ${record} ${path}`)
  return stored.map((proposal) => {
    const kind = kinds[proposal.kind]
    const values = present.get(`${proposal.kind} ${proposal.record}`)
    const canDecide = can(user.accessLevel, kind.editCapability)
    const described = kind.describe(model, proposal.record)
    const affair = proposal.kind === 'charter_affair' ? model.table('charter_affair').where('charter', proposal.record)[0] : undefined
    const toField = (field: StoredField): ProposedField => {
      const { part, inner } = findPart(kind, field.path)
      const name = (value: unknown) => part.rows?.describe(value) ?? nameReference(model, findReference(kind, field.path), value) ?? null
      const rowName = rowNames.get(findRow(kind, field.path)?.row ?? '')
      const now = values?.[field.path] ?? null
      // Only users who may decide can read others' suggestions.
      const isContestable = canDecide && field.state === 'open' && !isNewRow(kind, field.path)
      const rivals = isContestable ? (byField.get(`${proposal.kind} ${proposal.record} ${field.path}`) ?? []) : []
      return {
        ...field,
        label: rowName === undefined ? part.getLabel(inner, model) : `${rowName}: ${part.rows?.labels[inner.split('.')[1] ?? ''] ?? inner}`,
        present: now,
        beforeName: name(field.before),
        suggestedName: name(field.suggested),
        presentName: name(now),
        changed: changed.get(`${proposal._id} ${field.path}`) ?? null,
        problem: findProblem(model, kind, field, values, rowNames),
        rivals: rivals
          .filter(({ _id }) => _id !== proposal._id)
          .slice(0, MAX_RIVALS)
          .map(({ _id, sender, createdAt, suggested }) => ({ _id, sender, createdAt, suggested, suggestedName: name(suggested) })),
      }
    }
    const { _id, state, note, basedOn, createdAt, version, updatedAt, updatedBy } = proposal
    return {
      _id,
      record: {
        kind: proposal.kind,
        _id: affair?._id ?? proposal.record,
        slug: described?.slug ?? proposal.record,
        name: described?.name ?? proposal.location ?? RECORD_GONE,
      },
      state,
      sender: toSender(model, proposal, people),
      note,
      basedOn,
      fields: proposal.fields.map(toField),
      isMine: proposal.account === user.account,
      canDecide,
      createdAt,
      version,
      updatedAt,
      updatedBy,
    }
  })
}

interface ProposalFilter {
  readonly state: 'open' | 'decided' | 'mine'
  readonly kind?: EditableKind | undefined
  readonly record?: string | undefined
}

export const findProposals = async (context: AppContext, user: SignedIn, { state, kind, record }: ProposalFilter): Promise<Proposal[]> => {
  const { db, readModel, kinds } = context
  await readModel.ready()
  const key = kind && record ? kinds[kind].findKey(readModel, record) : record
  const conditions = [
    isReadable(user, context),
    state === 'mine' ? sql<boolean>`account = ${user.account}` : sql<boolean>`(state = 'open') = ${state === 'open'}`,
    ...(kind ? [sql<boolean>`proposal.kind = ${kind}`] : []),
    ...(key ? [sql<boolean>`record = ${key}`] : []),
  ]
  return toProposals(context, user, await findStoredProposals(db, sql<boolean>`${sql.join(conditions, sql` and `)}`))
}

/** A stored proposal that the reader may open. */
export const findReadableProposal = async (context: AppContext, user: SignedIn, _id: string, db: Queryable = context.db) => {
  if (!isUuid(_id)) return undefined
  const [found] = await findStoredProposals(db, sql<boolean>`request._id = ${_id} and ${isReadable(user, context)}`)
  return found
}

/** The fields of a record for which others have suggested changes; throws 403 if the record may not be read. */
export const findContestedFields = async (
  { db, readModel, kinds }: AppContext,
  user: SignedIn,
  { kind: name, record }: { readonly kind: EditableKind; readonly record: string },
): Promise<ContestedField[]> => {
  const kind = kinds[name]
  if (!can(user.accessLevel, getReadCapability(name))) throw forbidden(getReadCapability(name))
  await readModel.ready()
  const key = kind.findKey(readModel, record)
  // The path of a person's role at a site reveals the suggestion itself.
  const others = (await findOpenSuggestions(db, [key])).filter(
    (one) => one.kind === name && one.account !== user.account && !one.path.startsWith('people.') && !isNewRow(kind, one.path),
  )
  if (can(user.accessLevel, kind.editCapability))
    return others.map(({ path, sender, createdAt, suggested }) => ({
      path,
      sender,
      createdAt,
      suggested,
      suggestedName: nameReference(readModel, findReference(kind, path), suggested) ?? null,
    }))
  return [...new Set(others.map(({ path }) => path))].map((path) => ({
    path,
    sender: null,
    createdAt: null,
    suggested: null,
    suggestedName: null,
  }))
}

/** The charters whose affairs are the subject of proposals; for a missing affair, the record is the charter itself. */
export const listProposalCharters = ({ readModel }: Pick<AppContext, 'readModel'>, proposals: readonly Proposal[]): string[] =>
  proposals.flatMap(({ record: { kind, _id } }) =>
    kind === 'charter_affair' ? [readModel.table('charter_affair').get(_id)?.charter ?? _id] : [],
  )
