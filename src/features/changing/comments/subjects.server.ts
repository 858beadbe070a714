import { can } from '../../../contract/capabilities.ts'
import { forbidden, notFound } from '../../../contract/problem.ts'
import {
  EDITABLE_KINDS,
  getRecordPath,
  getReadCapability,
  isRestricted,
  type PagedKind,
  RECORD_KINDS,
  RECORD_NOUNS,
} from '../../../contract/records.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getModelId } from '../../../platform/server/read-model/read-record.ts'
import { getNameOf } from '../../../platform/server/record-names.ts'
import { findSentProposals, mayReadProposal, type SentProposal } from '../requests/queries.server.ts'
import type { CommentedKind } from './contract.ts'

/** What a comment is about: a record by its kind and key, or a suggestion. */
export interface SubjectKey {
  readonly kind: CommentedKind
  readonly record: string
}

export interface Subject extends SubjectKey {
  readonly name: string
  readonly path: string
  /** The charter of a charter affair, whose reads are recorded. */
  readonly charter: string | null
  /** The account that sent the suggestion. */
  readonly sender: string | null
  readonly mayRead: (level: number, account: string | null) => boolean
}

/** Regions have a page, but are not edited. */
const findEditable = (kind: PagedKind) => EDITABLE_KINDS.find((one) => one === kind)

const describeRecord = ({ kinds, readModel }: AppContext, kind: PagedKind, key: string) => {
  const editable = findEditable(kind)
  if (editable) return kinds[editable].describe(readModel, key)
  const named = RECORD_KINDS.find((one) => one === kind)
  const row = named && readModel.table(named).get(key)
  return named && row ? { slug: row.slug, name: getNameOf(readModel, named, key) ?? '' } : undefined
}

const toRecordSubject = (context: AppContext, kind: PagedKind, record: string): Subject | undefined => {
  const described = describeRecord(context, kind, record)
  if (!described) return undefined
  const isNamed = RECORD_KINDS.some((one) => one === kind)
  return {
    kind,
    record,
    name: isNamed ? described.name : `${described.name}, ${RECORD_NOUNS[kind][0]}`,
    path: getRecordPath({ kind, slug: described.slug, _id: record }),
    charter: isRestricted(kind) ? record : null,
    sender: null,
    mayRead: (level) => can(level, getReadCapability(kind)),
  }
}

const toProposalSubject = (context: AppContext, proposal: SentProposal): Subject => ({
  kind: 'proposal',
  record: proposal._id,
  name: `Suggested changes to ${describeRecord(context, proposal.kind, proposal.record)?.name ?? proposal.location ?? 'a deleted record'}`,
  path: `/requests/${proposal._id}`,
  charter: isRestricted(proposal.kind) ? proposal.record : null,
  sender: proposal.account,
  mayRead: (level, account) => mayReadProposal(context, proposal, level, account),
})

/** What comments are about, by kind and record; deleted records are missing. */
export const findSubjects = async (context: AppContext, keys: readonly SubjectKey[]): Promise<(key: SubjectKey) => Subject | undefined> => {
  await context.readModel.ready()
  const ids = keys.filter(({ kind }) => kind === 'proposal').map(({ record }) => record)
  const proposals = new Map((await findSentProposals(context.db, ids)).map((one) => [one._id, one]))
  return ({ kind, record }) => {
    if (kind !== 'proposal') return toRecordSubject(context, kind, record)
    const proposal = proposals.get(record)
    return proposal && toProposalSubject(context, proposal)
  }
}

/** The record or suggestion in a path; throws 403 for a record that the caller may not read, 404 if there is none. */
export const findSubject = async (
  context: AppContext,
  { accessLevel, account }: SignedIn,
  { kind, id }: { readonly kind: CommentedKind; readonly id: string },
): Promise<Subject> => {
  const { readModel, kinds } = context
  await readModel.ready()
  const toKey = (): string => {
    if (kind === 'proposal') return isUuid(id) ? id.toLowerCase() : ''
    const capability = getReadCapability(kind)
    if (!can(accessLevel, capability)) throw forbidden(capability)
    const editable = findEditable(kind)
    return editable ? kinds[editable].findKey(readModel, id) : getModelId(readModel, kind as (typeof RECORD_KINDS)[number], id)
  }
  const key = { kind, record: toKey() }
  const subject = (await findSubjects(context, [key]))(key)
  if (!subject?.mayRead(accessLevel, account)) throw notFound(kind === 'proposal' ? 'Suggestion' : 'Record')
  return subject
}
