import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { type FieldError, forbidden, invalidFields, notFound, Problem, staleVersion } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { trySave } from '../../../platform/server/changeset.ts'
import {
  type EditableRecordKind,
  type FieldChanges,
  findPart,
  flattenChanges,
  getAtPath,
  readFields,
  saveFields,
  type StoredRow,
} from '../../../platform/server/record-editor.ts'
import type { NewProposal, Proposal, ProposalDecision, RequestState } from './contract.ts'
import type { RequestWithMail } from './mutations.server.ts'
import { buildDecisionMail, buildProposalMail } from './proposal-mails.server.ts'
import { findReadableProposal, findStoredProposals, type StoredProposal, toProposals } from './proposal-queries.server.ts'
import { listRecipients } from './queries.server.ts'
import { formatFieldValue } from './rules.ts'

/** The values in the version of the record that the sender saw; the present ones where that version is not known. */
const findBefore = async (
  { db, readModel }: AppContext,
  kind: EditableRecordKind,
  key: string,
  basedOn: number | undefined,
  present: FieldChanges,
): Promise<FieldChanges> => {
  const part = kind.parts.find(({ prefix }) => prefix === null)
  if (basedOn === undefined || !part?.toInput) return present
  const row = part.table === 'charter_affair' ? (readModel.table('charter_affair').where('charter', key)[0]?._id ?? key) : key
  const { rows } = await sql<{ after: StoredRow; version: number }>`
    select after, (after ->> 'version')::int as version from change
    where record = ${row} and "table" = ${part.table} and action <> 'delete' and (after ->> 'version')::int >= ${basedOn}
    order by _id limit 1`.execute(db)
  const [found] = rows
  if (found?.version !== basedOn) return present
  const input = part.toInput(found.after, readModel)
  return Object.fromEntries(
    Object.entries(present).map(([path, value]) => [path, findPart(kind, path).part === part ? (getAtPath(input, path) ?? null) : value]),
  )
}

interface CheckedProposal {
  readonly kind: EditableRecordKind
  readonly key: string
  readonly fields: readonly { path: string; before: unknown; suggested: unknown }[]
}

/** The fields that a proposal really changes, cleaned as a save would; throws 422 where the record's edit call would refuse one. */
const checkChanges = async (
  context: AppContext,
  kind: EditableRecordKind,
  key: string,
  given: FieldChanges,
  basedOn: number | undefined,
): Promise<CheckedProposal> => {
  const changes = flattenChanges(kind, given)
  const paths = Object.keys(changes)
  if (paths.length === 0) throw invalidFields([{ path: 'changes', message: 'Change at least one field' }])
  const saved = await trySave(context, kind, key, changes)
  const present = (await readFields(context.db, context.readModel, kind, new Map([[key, paths]]))).get(key)
  if (!present) throw notFound('Record')
  const before = await findBefore(context, kind, key, basedOn, present)
  const fields = paths
    .filter((path) => saved[path] !== undefined && !isDeepStrictEqual(saved[path], present[path] ?? null))
    .map((path) => ({ path, before: before[path] ?? null, suggested: saved[path] }))
  if (fields.length === 0) throw invalidFields(paths.map((path) => ({ path, message: 'The record has this value already' })))
  return { kind, key, fields }
}

const insertFields = async (tx: Tx, proposal: string, fields: CheckedProposal['fields'], from = 0): Promise<void> => {
  await tx
    .insertInto('proposal_field')
    .values(
      fields.map(({ path, before, suggested }, at) => ({
        proposal,
        path,
        position: from + at,
        before: JSON.stringify(before),
        suggested: JSON.stringify(suggested),
        word: null,
        decidedBy: null,
        value: null,
      })),
    )
    .execute()
}

/** What the list of requests shows of a proposal without a note. */
const summarize = ({ kind, fields }: CheckedProposal, context: AppContext): string => {
  const labels = fields.map(({ path }) => {
    const { part, inner } = findPart(kind, path)
    return part.getLabel(inner, context.readModel)
  })
  return `Suggested: ${labels.join(', ')}`.slice(0, 5000)
}

const toMailed = (proposal: Proposal) => ({ ...proposal, name: proposal.sender.name, email: proposal.sender.email })

/** Checks and stores a proposal with its mail. */
export const insertProposal = async (
  context: AppContext,
  user: SignedIn,
  edit: <T>(write: (tx: Tx) => Promise<T>) => Promise<T>,
  { record, basedOn, changes, note = null }: NewProposal,
): Promise<RequestWithMail> => {
  const { db, readModel, configuration, mail } = context
  const kind = context.kinds[record.kind]
  if (!can(user.accessLevel, kind.readCapability)) throw forbidden(kind.readCapability)
  await readModel.ready()
  const key = await kind.findKey(db, readModel, record._id)
  const checked = await checkChanges(context, kind, key, changes, basedOn)
  const described = kind.describe(readModel, key)
  return edit(async (tx) => {
    const { _id } = await tx
      .insertInto('request')
      .values({
        kind: 'change',
        account: user.account,
        site: described?.site ?? null,
        location: described?.name ?? null,
        text: note ?? summarize(checked, context),
        name: user.name,
        email: user.azureID,
        claimedName: null,
        claimedEmail: null,
        openFields: checked.fields.length,
      })
      .returning('_id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('proposal')
      .values({ _id, kind: record.kind, record: key, basedOn: basedOn ?? null, note })
      .execute()
    await insertFields(tx, _id, checked.fields)
    const stored = await findStoredProposals(tx, sql<boolean>`request._id = ${_id}`)
    const [proposal] = await toProposals(context, user, stored, tx)
    if (!proposal) throw new Error('A proposal that was inserted is there')
    const recipients = await listRecipients(tx, configuration, { kind: 'change', region: described?.region ?? null })
    const message = buildProposalMail(toMailed(proposal), recipients, configuration.publicUrl)
    return { _id, mail: await mail.enqueue(tx, message), notice: null }
  })
}

/** Locks proposals, always in the same order, so that two decisions never wait for each other. */
const lockProposals = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await sql`select from request where _id = any(${[...ids]}::uuid[]) order by _id for update`.execute(tx)
}

const CONFLICT = 'This field is decided already'

const listPaths = ({ accept, decline }: ProposalDecision): string[] => [...Object.keys(accept), ...Object.keys(decline)]

/** Refuses a decision on fields that are not there, named twice, or decided already. */
const assertOpen = (proposal: StoredProposal, decision: ProposalDecision): void => {
  const paths = listPaths(decision)
  const byPath = new Map(proposal.fields.map((field) => [field.path, field]))
  const wrong: FieldError[] = [
    ...paths.filter((path) => !byPath.has(path)).map((path) => ({ path, message: 'This field is not part of the suggestion' })),
    ...Object.keys(decision.accept)
      .filter((path) => Object.hasOwn(decision.decline, path))
      .map((path) => ({ path, message: 'Accept or decline this field, not both' })),
  ]
  if (wrong.length > 0) throw invalidFields(wrong)
  const decided = paths.filter((path) => byPath.get(path)?.state !== 'open')
  if (decided.length > 0) throw new Problem(409, CONFLICT, { errors: decided.map((path) => ({ path, message: CONFLICT })) })
}

/** Refuses fields whose values changed after they were seen. */
const assertSeen = async (
  { readModel }: AppContext,
  db: Queryable,
  kind: EditableRecordKind,
  key: string,
  { accept, seen }: ProposalDecision,
): Promise<void> => {
  const paths = Object.keys(accept).filter((path) => seen !== undefined && Object.hasOwn(seen, path))
  if (paths.length === 0) return
  const present = (await readFields(db, readModel, kind, new Map([[key, paths]]))).get(key)
  const moved = paths.filter((path) => !isDeepStrictEqual(present?.[path] ?? null, seen?.[path] ?? null))
  const message = 'This was changed after you opened it'
  if (moved.length > 0) throw new Problem(409, message, { errors: moved.map((path) => ({ path, message })) })
}

interface FieldDecision {
  readonly state: 'accepted' | 'declined'
  readonly value?: unknown
  readonly word?: string
}

const saveFieldDecision = async (tx: Tx, user: SignedIn, proposal: string, path: string, { state, value, word }: FieldDecision) => {
  await tx
    .updateTable('proposal_field')
    .set({
      state,
      value: value === undefined ? null : JSON.stringify(value),
      word: word ?? null,
      decidedBy: user.name,
      decidedAt: sql<Date>`now()`,
    })
    .where('proposal', '=', proposal)
    .where('path', '=', path)
    .execute()
}

/** Closes a proposal of which no field is open, and notes how many are. */
const updateRequestState = async (tx: Tx, user: SignedIn, _id: string, word: string | null): Promise<void> => {
  const { rows } = await sql<{ state: string; count: number; word: string | null }>`
    select state, count(*)::int as count, max(word) as word from proposal_field where proposal = ${_id} group by state`.execute(tx)
  const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  const open = count('open')
  const state: RequestState = open > 0 ? 'open' : count('accepted') > 0 ? 'done' : 'declined'
  const answered = state === 'open' ? {} : { answeredBy: user.name, answeredAt: sql<Date>`now()` }
  const why = word ?? rows.find((row) => row.state === 'declined')?.word ?? 'Withdrawn by the sender'
  await tx
    .updateTable('request')
    .set({ openFields: open, state, word: state === 'declined' ? why : word, ...answered })
    .where('_id', '=', _id)
    .execute()
}

/** The open suggestions of others for fields that a decision accepts. */
const findRivals = async (tx: Tx, { _id, kind, record }: StoredProposal, paths: readonly string[]) => {
  const { rows } = await sql<{ _id: string; path: string; suggested: unknown }>`
    select proposal._id::text as _id, path, suggested from proposal join proposal_field on proposal = _id
    where kind = ${kind} and record = ${record} and proposal._id <> ${_id} and state = 'open' and path = any(${[...paths]}::text[])`.execute(
    tx,
  )
  return rows
}

/** Tells the sender what was decided; an earlier mail that is not sent yet is replaced. */
const mailDecision = async (tx: Tx, context: AppContext, user: SignedIn, _id: string, note: string | null): Promise<void> => {
  const [proposal] = await toProposals(context, user, await findStoredProposals(tx, sql<boolean>`request._id = ${_id}`), tx)
  const message = proposal && buildDecisionMail(toMailed(proposal), { decidedBy: user.name, note }, context.configuration.publicUrl)
  if (!message) return
  await sql`update mail set "failedAt" = now(), problem = 'Another decision came after it'
    where _id in (select _id from mail where request = ${_id} and kind = 'answer' and "sentAt" is null and "failedAt" is null for update skip locked)`.execute(
    tx,
  )
  await context.mail.enqueue(tx, message)
}

/**
 * Decides on fields: saves all accepted ones in this transaction, in the name of the one who decides, and closes suggestions of others for the same fields.
 */
export const decide = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  _id: string,
  decision: ProposalDecision,
  expectedVersion: number | undefined,
): Promise<void> => {
  const { kinds, readModel } = context
  if (!isUuid(_id)) throw notFound('Suggestion')
  const paths = Object.keys(decision.accept)
  const [unlocked] = await findStoredProposals(tx, sql<boolean>`request._id = ${_id}`)
  if (!unlocked) throw notFound('Suggestion')
  const kind = kinds[unlocked.kind]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  const rivals = await findRivals(tx, unlocked, paths)
  await lockProposals(tx, [_id, ...rivals.map((rival) => rival._id)])
  const [proposal] = await findStoredProposals(tx, sql<boolean>`request._id = ${_id}`)
  if (!proposal) throw notFound('Suggestion')
  if (expectedVersion !== undefined && expectedVersion !== proposal.version) throw staleVersion()
  assertOpen(proposal, decision)
  await assertSeen(context, tx, kind, proposal.record, decision)

  const suggested = new Map(proposal.fields.map((field) => [field.path, field.suggested]))
  const values = Object.fromEntries(
    Object.entries(decision.accept).map(([path, choice]) => [path, choice === true ? suggested.get(path) : (choice.value ?? null)]),
  )
  await sql`select set_config('homeroom.suggested_by', ${proposal.name ?? proposal.email ?? 'someone'}, true)`.execute(tx)
  const saved = paths.length > 0 ? await saveFields(tx, readModel, kind, proposal.record, values) : {}
  await sql`select set_config('homeroom.suggested_by', '', true)`.execute(tx)

  for (const path of paths) {
    const value = saved[path] ?? values[path]
    const isEdited = !isDeepStrictEqual(value, suggested.get(path))
    await saveFieldDecision(tx, user, _id, path, { state: 'accepted', ...(isEdited ? { value } : {}) })
    for (const rival of await findRivals(tx, proposal, [path])) {
      const isSame = isDeepStrictEqual(rival.suggested, value)
      const word = `Another suggestion was accepted: ${formatFieldValue(path, value, null)}`
      await saveFieldDecision(tx, user, rival._id, path, isSame ? { state: 'accepted' } : { state: 'declined', word })
    }
  }
  for (const [path, word] of Object.entries(decision.decline)) await saveFieldDecision(tx, user, _id, path, { state: 'declined', word })

  await updateRequestState(tx, user, _id, decision.note)
  await mailDecision(tx, context, user, _id, decision.note)
  for (const rival of new Set(rivals.map((one) => one._id))) {
    await updateRequestState(tx, user, rival, null)
    await mailDecision(tx, context, user, rival, null)
  }
}

/** The caller's own proposal, locked; throws 404 for any other and 409 where nothing is open. */
const lockOwnProposal = async (tx: Tx, context: AppContext, user: SignedIn, _id: string, expectedVersion: number | undefined) => {
  if (isUuid(_id)) await lockProposals(tx, [_id])
  const proposal = await findReadableProposal(context, user, _id, tx)
  if (!proposal) throw notFound('Suggestion')
  if (proposal.account !== user.account) throw forbidden('change what others suggested')
  if (expectedVersion !== undefined && expectedVersion !== proposal.version) throw staleVersion()
  if (!proposal.fields.some(({ state }) => state === 'open')) throw new Problem(409, 'This suggestion is decided already')
  return proposal
}

const countEdit = (tx: Tx, _id: string, note: string | null) =>
  tx
    .updateTable('proposal')
    .set({ edits: sql<number>`edits + 1`, note })
    .where('_id', '=', _id)
    .execute()

/** Replaces the open fields of the caller's own proposal, its note, or both. */
export const updateOwnProposal = async (
  context: AppContext,
  user: SignedIn,
  edit: <T>(write: (tx: Tx, seen: number | undefined) => Promise<T>) => Promise<T>,
  _id: string,
  { changes, note }: { changes?: FieldChanges | undefined; note?: string | null | undefined },
): Promise<void> => {
  const found = await findReadableProposal(context, user, _id)
  if (!found) throw notFound('Suggestion')
  const kind = context.kinds[found.kind]
  await context.readModel.ready()
  const checked = changes && (await checkChanges(context, kind, found.record, changes, found.basedOn ?? undefined))
  await edit(async (tx, seen) => {
    const proposal = await lockOwnProposal(tx, context, user, _id, seen)
    const newNote = note === undefined ? proposal.note : note
    if (checked) {
      const decided = proposal.fields.filter(({ state }) => state !== 'open')
      const fields = checked.fields.filter(({ path }) => !decided.some((field) => field.path === path))
      if (fields.length === 0) throw new Problem(409, 'These fields are decided already')
      await tx.deleteFrom('proposal_field').where('proposal', '=', _id).where('state', '=', 'open').execute()
      await insertFields(tx, _id, fields, decided.length)
      await tx
        .updateTable('request')
        .set({ openFields: fields.length, text: newNote ?? summarize({ ...checked, fields }, context) })
        .where('_id', '=', _id)
        .execute()
    }
    await countEdit(tx, _id, newNote)
  })
}

/** Withdraws the open fields of the caller's own proposal. */
export const withdraw = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  _id: string,
  expectedVersion: number | undefined,
): Promise<void> => {
  const proposal = await lockOwnProposal(tx, context, user, _id, expectedVersion)
  await tx
    .updateTable('proposal_field')
    .set({ state: 'withdrawn', decidedBy: user.name, decidedAt: sql<Date>`now()` })
    .where('proposal', '=', _id)
    .where('state', '=', 'open')
    .execute()
  await updateRequestState(tx, user, _id, null)
  await countEdit(tx, _id, proposal.note)
}
