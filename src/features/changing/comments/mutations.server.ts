import { sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { isEmail } from '../../../contract/emails.ts'
import { listMentions, nameMentions } from '../../../contract/mentions.ts'
import { forbidden, invalidFields, notFound } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { readRecipients, type Recipients } from '../../deadlines/reminders/queries.server.ts'
import type { createComment } from './contract.ts'
import { buildCommentMail } from './mails.server.ts'
import { isUnseenBy } from './queries.server.ts'
import { findSubjects, type Subject, type SubjectKey } from './subjects.server.ts'

/** Someone who gets an email about a comment, and sees it on the home page. */
interface Recipient {
  readonly person: string | null
  readonly account: string | null
  readonly address: string
}

interface AccountAddress {
  readonly _id: string
  /** In lower case. */
  readonly address: string
}

/** The accounts of people who are mentioned or take part in a suggestion: its sender, and everyone who commented on it. */
const findAccounts = async (tx: Tx, addresses: readonly string[], { kind, record, sender }: Subject) => {
  const isPart = sql<boolean>`${kind === 'proposal'} and (_id = ${sender}::uuid
    or _id in (select account from comment where kind = ${kind} and record = ${record}))`
  const { rows } = await sql<AccountAddress & { isPart: boolean }>`
    select _id::text as _id, lower("azureID") as address, coalesce(${isPart}, false) as "isPart" from account
    where "closedAt" is null and "disabledAt" is null and (lower("azureID") = any(${addresses}::text[]) or ${isPart})`.execute(tx)
  return rows
}

/** Why someone cannot be mentioned; undefined if they can. */
const findObstacle = (
  person: { readonly name: string; readonly email: string | null; readonly leftAt: unknown } | undefined,
  mayRead: (address: string) => boolean,
): string | undefined => {
  if (!person) return 'Someone who is mentioned here is not in the directory'
  if (person.leftAt !== null) return `${person.name} is no longer employed`
  if (person.email === null || !isEmail(person.email)) return `${person.name} has no email address and cannot be mentioned`
  return mayRead(person.email.toLowerCase()) ? undefined : `${person.name} cannot open this page, so they cannot be mentioned here`
}

/** Who gets a comment, without its author; throws 422 if it mentions someone who may not read it. */
const listRecipients = async (
  tx: Tx,
  { configuration, readModel }: AppContext,
  author: SignedIn,
  subject: Subject,
  text: string,
): Promise<Recipient[]> => {
  const named = listMentions(text).map((_id) => readModel.table('person').get(_id))
  if (named.length === 0 && subject.kind !== 'proposal') return []
  const addresses = named.flatMap((person) => person?.email?.toLowerCase() ?? [])
  const accounts = await findAccounts(tx, addresses, subject)
  const levels: Recipients = await readRecipients(tx, configuration)
  const mayRead = (address: string): boolean =>
    [null, ...accounts.filter((one) => one.address === address).map(({ _id }) => _id)].some((account) =>
      subject.mayRead(levels.find(address).level, account),
    )
  const [obstacle] = named.flatMap((person) => findObstacle(person, mayRead) ?? [])
  if (obstacle !== undefined) throw invalidFields([{ path: 'text', message: obstacle }])
  const mentioned = named.flatMap((person) => (person?.email ? [{ person: person._id, account: null, address: person.email }] : []))
  const others = accounts.filter(({ address, isPart }) => isPart && !addresses.includes(address) && isEmail(address) && mayRead(address))
  return [...mentioned, ...others.map(({ _id, address }) => ({ person: null, account: _id, address }))].filter(
    ({ address }) => address.toLowerCase() !== author.azureID.toLowerCase(),
  )
}

/** Saves a comment with its emails; returns its `_id`. */
export const insertComment = async (
  tx: Tx,
  context: AppContext,
  author: SignedIn,
  subject: Subject,
  { text }: CheckedBody<typeof createComment>,
): Promise<string> => {
  const { kind, record } = subject
  const recipients = await listRecipients(tx, context, author, subject, text)
  const { _id } = await tx
    .insertInto('comment')
    .values({ kind, record, text, account: author.account, name: author.name })
    .returning('_id')
    .executeTakeFirstOrThrow()
  if (recipients.length === 0) return _id
  await tx
    .insertInto('comment_recipient')
    .values(recipients.map(({ person, account }) => ({ comment: _id, person, account })))
    .execute()
  const mailed = { _id, subject, author, text: nameMentions(text, (person) => context.readModel.table('person').get(person)?.name) }
  for (const { address, person } of recipients)
    await context.mail.enqueue(tx, buildCommentMail(mailed, { address, isMentioned: person !== null }, context.configuration.publicUrl))
  return _id
}

/** Marks the comments on a record or suggestion that are for the reader as seen. */
export const markSeen = async (db: Queryable, reader: SignedIn, { kind, record }: SubjectKey): Promise<void> => {
  await sql`update comment_recipient set "seenAt" = now() from comment
    where comment._id = comment_recipient.comment and kind = ${kind} and record = ${record} and ${isUnseenBy(reader)}`.execute(db)
}

/** Deletes a comment of the user, or any for someone who may. Returns whose it was. */
export const removeComment = async (tx: Tx, context: AppContext, user: SignedIn, _id: string): Promise<{ readonly account: string }> => {
  const comment = isUuid(_id)
    ? await tx.selectFrom('comment').select(['kind', 'record', 'account']).where('_id', '=', _id).forUpdate().executeTakeFirst()
    : undefined
  if (!comment) throw notFound('Comment')
  if (comment.account !== user.account && !can(user.accessLevel, 'delete anyone’s comments')) {
    const key = comment as SubjectKey
    const subject = (await findSubjects(context, [key]))(key)
    throw subject?.mayRead(user.accessLevel, user.account) ? forbidden('delete anyone’s comments') : notFound('Comment')
  }
  await tx.deleteFrom('comment').where('_id', '=', _id).execute()
  return comment
}

/** Deletes all comments of an account. */
export const removeCommentsBy = async (tx: Tx, account: string): Promise<number> =>
  Number((await tx.deleteFrom('comment').where('account', '=', account).executeTakeFirst()).numDeletedRows)
