import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import { type FieldError, forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, readFields, saveFields } from '../../../platform/server/record-editor.ts'
import type { ProposalDecision, RequestState } from './contract.ts'
import { buildDecisionMail, toMailed } from './proposal-mails.server.ts'
import { findStoredProposals, isNewRow, type StoredProposal, toProposals } from './proposal-queries.server.ts'
import { formatFieldValue } from './rules.ts'

/** Locks proposals in a fixed order, so that two decisions never deadlock. */
export const lockProposals = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await sql`select from request where _id = any(${[...ids]}::uuid[]) order by _id for update`.execute(tx)
}

const CONFLICT = 'This field is decided already'
const UNNAMED = 'someone'

const listPaths = ({ accept, decline }: ProposalDecision): string[] => [...Object.keys(accept), ...Object.keys(decline)]

/** Whether a suggestion's value is both accepted and declined. */
const isTakenAndDeclined = ({ accept, declineOthers }: ProposalDecision, path: string): boolean => {
  const choice = accept[path]
  return typeof choice === 'object' && 'suggestion' in choice && declineOthers[choice.suggestion]?.[path] !== undefined
}

/** Refuses a decision on fields that do not exist, are given twice, or are decided already. */
const assertOpen = (proposal: StoredProposal, decision: ProposalDecision): void => {
  const paths = listPaths(decision)
  const byPath = new Map(proposal.fields.map((field) => [field.path, field]))
  const wrong: FieldError[] = [
    ...paths.filter((path) => !byPath.has(path)).map((path) => ({ path, message: 'This field is not part of the suggestion' })),
    ...Object.keys(decision.accept)
      .filter((path) => Object.hasOwn(decision.decline, path) || isTakenAndDeclined(decision, path))
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

/** Closes a proposal without open fields, and stores the number of open ones. */
export const updateRequestState = async (tx: Tx, user: SignedIn, _id: string, word: string | null): Promise<void> => {
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

/** The open suggestions of others for the same fields. */
const findRivals = async (tx: Tx, { _id, kind, record }: StoredProposal, paths: readonly string[]) => {
  const { rows } = await sql<{ _id: string; path: string; suggested: unknown; sender: string }>`
    select proposal._id::text as _id, path, suggested, coalesce(name, email, ${UNNAMED}) as sender
    from proposal join proposal_field on proposal = _id join (select _id, name, email from request) as request on request._id = proposal._id
    where kind = ${kind} and record = ${record} and proposal._id <> ${_id} and state = 'open' and path = any(${[...paths]}::text[])`.execute(
    tx,
  )
  return rows
}
type Rival = Awaited<ReturnType<typeof findRivals>>[number]

/** The suggestions of others in a decision, by path and key. */
const listNamedRivals = ({ accept, declineOthers }: ProposalDecision): { path: string; _id: string }[] => [
  ...Object.entries(accept).flatMap(([path, choice]) =>
    choice !== true && 'suggestion' in choice ? [{ path, _id: choice.suggestion }] : [],
  ),
  ...Object.entries(declineOthers).flatMap(([_id, reasons]) => Object.keys(reasons).map((path) => ({ path, _id }))),
]

/** Refuses a decision on fields of other suggestions that are not open. */
const assertRivalsOpen = (rivals: readonly Rival[], decision: ProposalDecision): void => {
  const decided = listNamedRivals(decision).filter(({ path, _id }) => !rivals.some((one) => one._id === _id && one.path === path))
  if (decided.length > 0) throw new Problem(409, CONFLICT, { errors: decided.map(({ path }) => ({ path, message: CONFLICT })) })
}

/** Emails the decision to the sender; replaces an earlier email that is not sent yet. */
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
 * Decides on fields: saves all accepted ones in this transaction, with the decider as the author, and closes others' suggestions for the same fields.
 */
export const decide = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  _id: string,
  decision: ProposalDecision,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  const { kinds, readModel } = context
  if (!isUuid(_id)) throw notFound('Suggestion')
  const paths = Object.keys(decision.accept)
  const [unlocked] = await findStoredProposals(tx, sql<boolean>`request._id = ${_id}`)
  if (!unlocked) throw notFound('Suggestion')
  const kind = kinds[unlocked.kind]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  const named = [...paths, ...listNamedRivals(decision).map(({ path }) => path)].filter((path) => !isNewRow(kind, path))
  const unlockedRivals = await findRivals(tx, unlocked, named)
  await lockProposals(tx, [_id, ...unlockedRivals.map((rival) => rival._id)])
  const [proposal] = await findStoredProposals(tx, sql<boolean>`request._id = ${_id}`)
  if (!proposal) throw notFound('Suggestion')
  assertVersion(proposal, ifMatchVersion)
  assertOpen(proposal, decision)
  await assertSeen(context, tx, kind, proposal.record, decision)

  const rivals = await findRivals(tx, proposal, named)
  assertRivalsOpen(rivals, decision)

  const own = new Map(proposal.fields.map((field) => [field.path, field.suggested]))
  const taken = new Map(
    Object.entries(decision.accept).map(([path, choice]) => {
      const rival = choice !== true && 'suggestion' in choice ? rivals.find((one) => one._id === choice.suggestion) : undefined
      const value = choice !== true && 'value' in choice ? (choice.value ?? null) : rival ? rival.suggested : own.get(path)
      return [path, { value, rival }] as const
    }),
  )
  const senders = new Set([...taken.values()].map(({ rival }) => rival?.sender ?? proposal.name ?? proposal.email ?? UNNAMED))
  await sql`select set_config('homeroom.suggested_by', ${[...senders].join(' and ')}, true)`.execute(tx)
  const values = Object.fromEntries([...taken].map(([path, { value }]) => [path, value]))
  const saved = paths.length > 0 ? await saveFields(tx, readModel, kind, proposal.record, values) : {}
  await sql`select set_config('homeroom.suggested_by', '', true)`.execute(tx)

  for (const [path, { value: given, rival: chosen }] of taken) {
    const value = saved[path] ?? given
    const close = async (proposalId: string, suggested: unknown, reason: string | undefined) => {
      const isSame = reason === undefined && isDeepStrictEqual(suggested, value)
      const word = reason ?? `Another suggestion was accepted: ${formatFieldValue(path, value, null)}`
      await saveFieldDecision(tx, user, proposalId, path, isSame ? { state: 'accepted' } : { state: 'declined', word })
    }
    if (chosen) await close(_id, own.get(path), undefined)
    else await saveFieldDecision(tx, user, _id, path, { state: 'accepted', ...(isDeepStrictEqual(value, own.get(path)) ? {} : { value }) })
    for (const rival of rivals) if (rival.path === path) await close(rival._id, rival.suggested, decision.declineOthers[rival._id]?.[path])
  }
  const declined = { ...decision.declineOthers, [_id]: decision.decline }
  for (const [proposalId, reasons] of Object.entries(declined))
    for (const [path, word] of Object.entries(reasons))
      if (!taken.has(path)) await saveFieldDecision(tx, user, proposalId, path, { state: 'declined', word })

  const isOwnDecided = taken.size > 0 || Object.keys(decision.decline).length > 0
  const decidedRivals = rivals.filter(({ _id: rival, path }) => taken.has(path) || decision.declineOthers[rival]?.[path] !== undefined)
  for (const one of new Set([...(isOwnDecided ? [_id] : []), ...decidedRivals.map((rival) => rival._id)])) {
    const note = one === _id ? decision.note : null
    await updateRequestState(tx, user, one, note)
    await mailDecision(tx, context, user, one, note)
  }
}
