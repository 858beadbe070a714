import { notFound } from '../../../contract/problem.ts'
import { recordAffairRead, recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import {
  createComment,
  deleteComment,
  deleteCommentsOfAccount,
  listComments,
  listCommentsOfAccount,
  listOwnComments,
  markCommentsSeen,
} from './contract.ts'
import { insertComment, markSeen, removeComment, removeCommentsBy } from './mutations.server.ts'
import { listCommentsBy, listCommentsOn } from './queries.server.ts'
import { findSubject } from './subjects.server.ts'

export const commentRoutes: Route[] = [
  handle(listComments, async ({ params, user, context, request }) => {
    const subject = await findSubject(context, user, params)
    const comments = await listCommentsOn(context, user, subject)
    if (subject.charter !== null && comments.length > 0) await recordAffairRead(context, request, 'comments', subject.charter)
    return comments
  }),
  handle(createComment, async ({ params, body, user, context, edit }) => {
    const subject = await findSubject(context, user, params)
    const _id = await edit((tx) => insertComment(tx, context, user, subject, body))
    context.mail.wake()
    const created = (await listCommentsOn(context, user, subject)).find((one) => one._id === _id)
    if (!created) throw notFound('Comment')
    return created
  }),
  handle(markCommentsSeen, async ({ params, user, context }) => markSeen(context.db, user, await findSubject(context, user, params))),
  handle(deleteComment, async ({ params, user, context, request, edit }) =>
    edit(async (tx) => {
      const { account } = await removeComment(tx, context, user, params.id)
      if (account !== user.account) await recordAudit(tx, request, { kind: 'comment.deleted', record: account, after: { comments: 1 } })
    }),
  ),
  handle(listOwnComments, async ({ user, context }) => listCommentsBy(context, user, user.account)),
  handle(listCommentsOfAccount, async ({ params, user, context }) => listCommentsBy(context, user, params.id)),
  handle(deleteCommentsOfAccount, async ({ params, request, edit }) =>
    edit(async (tx) => {
      const deleted = await removeCommentsBy(tx, params.id)
      if (deleted > 0) await recordAudit(tx, request, { kind: 'comment.deleted', record: params.id, after: { comments: deleted } })
      return { deleted }
    }),
  ),
]
