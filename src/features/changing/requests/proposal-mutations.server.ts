import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { getReadCapability } from '../../../contract/records.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { assertVersion, type StoredRow } from '../../../database/update-record.server.ts'
import type { AppContext, RunEdit, SignedIn } from '../../../platform/server/app-context.ts'
import { trySave } from '../../../platform/server/changeset.ts'
import {
  type EditableRecordKind,
  type FieldChanges,
  findPart,
  flattenChanges,
  getAtPath,
  readFields,
} from '../../../platform/server/record-editor.ts'
import { listRecipients } from '../../../platform/server/request-recipients.ts'
import type { NewProposal } from './contract.ts'
import type { RequestWithMail } from './mutations.server.ts'
import { lockProposals, updateRequestState } from './proposal-decisions.server.ts'
import { buildProposalMail, toMailed } from './proposal-mails.server.ts'
import { findReadableProposal, findStoredProposals, toProposals } from './proposal-queries.server.ts'

/** The values in the version of the record that the sender saw; the current ones if that version is unknown. */
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

/** The fields that a proposal actually changes, normalized as in a save; throws 422 if the record's edit call would refuse one. */
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
  const saved = await trySave(context, kind, { key, changes })
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

/** The text of a proposal without a note in the list of requests. */
const summarize = ({ kind, fields }: CheckedProposal, context: AppContext): string => {
  const labels = fields.map(({ path }) => {
    const { part, inner } = findPart(kind, path)
    return part.getLabel(inner, context.readModel)
  })
  return `Suggested: ${labels.join(', ')}`.slice(0, 5000)
}

/** Checks and stores a proposal with its email. */
export const insertProposal = async (
  context: AppContext,
  user: SignedIn,
  edit: <T>(write: (tx: Tx) => Promise<T>) => Promise<T>,
  { record, basedOn, changes, note = null }: NewProposal,
): Promise<RequestWithMail> => {
  const { readModel, configuration, mail } = context
  const kind = context.kinds[record.kind]
  if (!can(user.accessLevel, getReadCapability(record.kind))) throw forbidden(getReadCapability(record.kind))
  await readModel.ready()
  const key = kind.findKey(readModel, record._id)
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

/** Locks the user's own proposal; throws 404 for any other and 409 if nothing is open. */
const lockOwnProposal = async (tx: Tx, context: AppContext, user: SignedIn, _id: string, ifMatchVersion: number | undefined) => {
  if (isUuid(_id)) await lockProposals(tx, [_id])
  const proposal = await findReadableProposal(context, user, _id, tx)
  if (!proposal) throw notFound('Suggestion')
  if (proposal.account !== user.account) throw forbidden('change what others suggested')
  assertVersion(proposal, ifMatchVersion)
  if (!proposal.fields.some(({ state }) => state === 'open')) throw new Problem(409, 'This suggestion is decided already')
  return proposal
}

const countEdit = (tx: Tx, _id: string, note: string | null) =>
  tx
    .updateTable('proposal')
    .set({ edits: sql<number>`edits + 1`, note })
    .where('_id', '=', _id)
    .execute()

/** Replaces the open fields of the user's own proposal, its note, or both. */
export const updateOwnProposal = async (
  context: AppContext,
  user: SignedIn,
  edit: RunEdit,
  _id: string,
  { changes, note }: { changes?: FieldChanges | undefined; note?: string | null | undefined },
): Promise<void> => {
  const found = await findReadableProposal(context, user, _id)
  if (!found) throw notFound('Suggestion')
  const kind = context.kinds[found.kind]
  await context.readModel.ready()
  const checked = changes && (await checkChanges(context, kind, found.record, changes, found.basedOn ?? undefined))
  await edit(async (tx, ifMatchVersion) => {
    const proposal = await lockOwnProposal(tx, context, user, _id, ifMatchVersion)
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

/** Withdraws the open fields of the user's own proposal. */
export const withdraw = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  _id: string,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  const proposal = await lockOwnProposal(tx, context, user, _id, ifMatchVersion)
  await tx
    .updateTable('proposal_field')
    .set({ state: 'withdrawn', decidedBy: user.name, decidedAt: sql<Date>`now()` })
    .where('proposal', '=', _id)
    .where('state', '=', 'open')
    .execute()
  await updateRequestState(tx, user, _id, null)
  await countEdit(tx, _id, proposal.note)
}
