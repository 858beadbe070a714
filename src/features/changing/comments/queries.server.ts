import { type RawBuilder, sql } from 'kysely'

import { listMentions, nameMentions } from '../../../contract/mentions.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type Comment, type CommentedKind, type CommentWithSubject, MAX_COMMENTS } from './contract.ts'
import { findSubjects, type SubjectKey } from './subjects.server.ts'

type Reader = Pick<SignedIn, 'account' | 'azureID'>

interface StoredComment {
  readonly _id: string
  readonly kind: CommentedKind
  readonly record: string
  readonly text: string
  readonly account: string
  readonly name: string
  /** The author in the directory. */
  readonly slug: string | null
  readonly createdAt: string
  readonly isNew: boolean
}

/** Whether a row of `comment_recipient` is the reader's and not seen. */
export const isUnseenBy = ({ account, azureID }: Reader): RawBuilder<boolean> => sql<boolean>`comment_recipient."seenAt" is null
  and (comment_recipient.account = ${account} or comment_recipient.person = (select _id from person where "archivedAt" is null and lower(email) = lower(${azureID})))`

const unseenIds = (reader: Reader) => sql`select comment_recipient.comment from comment_recipient where ${isUnseenBy(reader)}`

/** Comments that meet a condition on `comment`, newest first. */
const readComments = async (db: Queryable, reader: Reader, condition: RawBuilder<boolean>): Promise<StoredComment[]> => {
  const { rows } = await sql<StoredComment>`
    select comment._id::text as _id, comment.kind, comment.record, comment.text, comment.account::text as account, comment.name, person.slug,
      ${toIsoTimestamp(sql<Date>`comment."createdAt"`)} as "createdAt", comment._id in (${unseenIds(reader)}) as "isNew"
    from comment join account on account._id = comment.account left join person on lower(person.email) = lower(account."azureID") and person."archivedAt" is null
    where ${condition} order by comment."createdAt" desc, comment._id limit ${MAX_COMMENTS}`.execute(db)
  return rows
}

const toComment =
  (model: ReadModel, reader: Reader) =>
  ({ _id, text, account, name, slug, createdAt, isNew }: StoredComment): Comment => {
    const people = listMentions(text).flatMap((person) => model.table('person').get(person) ?? [])
    return {
      _id,
      text: nameMentions(text, (person) => people.find((one) => one._id === person)?.name),
      mentions: people.map((person) => ({ _id: person._id, name: person.name, slug: person.slug })),
      author: { name, slug },
      createdAt,
      isMine: account === reader.account,
      isNew,
    }
  }

/** The comments on a record or suggestion, oldest first. */
export const listCommentsOn = async ({ db, readModel }: AppContext, reader: Reader, { kind, record }: SubjectKey): Promise<Comment[]> => {
  const rows = await readComments(db, reader, sql<boolean>`comment.kind = ${kind} and comment.record = ${record}`)
  return rows.map(toComment(readModel, reader)).toReversed()
}

const withSubjects = async (context: AppContext, reader: SignedIn, rows: readonly StoredComment[]) => {
  const getSubject = await findSubjects(context, rows)
  return rows.map((row) => {
    const found = getSubject(row)
    const subject = found?.mayRead(reader.accessLevel, reader.account) ? found : undefined
    const { name = 'A page that you can’t open', path = null } = subject ?? {}
    return {
      charter: subject?.charter,
      comment: { ...toComment(context.readModel, reader)(row), about: { kind: row.kind, _id: row.record, name, path } },
    }
  })
}

/** Everything that an account wrote, newest first. */
export const listCommentsBy = async (context: AppContext, reader: SignedIn, account: string): Promise<CommentWithSubject[]> =>
  (await withSubjects(context, reader, await readComments(context.db, reader, sql<boolean>`comment.account = ${account}`))).map(
    ({ comment }) => comment,
  )

/** Comments for the user that they have not seen, newest first; `charters` are those of charter affairs among them. */
export const listNewComments = async (context: AppContext, user: SignedIn) => {
  const found = await withSubjects(context, user, await readComments(context.db, user, sql<boolean>`comment._id in (${unseenIds(user)})`))
  const readable = found.filter(({ comment }) => comment.about.path !== null)
  return { comments: readable.map(({ comment }) => comment), charters: readable.map(({ charter }) => charter) }
}
