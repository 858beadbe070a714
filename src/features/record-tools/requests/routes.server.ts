import { can } from '../../../contract/capabilities.ts'
import { notFound } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import {
  answerRequest,
  listOwnRequests,
  listRequests,
  retryRequestMail,
  readRequest,
  sendChangeRequest,
  sendSupportRequest,
} from './contract.ts'
import { insertChangeRequest, insertSupportRequest, type RequestWithMail, saveAnswer, restartMails } from './mutations.server.ts'
import { listAnswers, findRequest, findRequests, findOwnRequests } from './queries.server.ts'

/** The response to a new request, with the actual delivery status of its mail after a short wait. */
const toSavedRequest = async ({ mail }: AppContext, saved: RequestWithMail) => ({
  _id: saved._id,
  mail: await mail.waitForState(saved.mail),
  notice: saved.notice,
})

const getRequest = async ({ db }: AppContext, _id: string) => {
  const record = await findRequest(db, _id)
  if (!record) throw notFound('Request')
  return record
}

export const requestRoutes: Route[] = [
  handle(sendChangeRequest, async ({ body, user, context, edit }) =>
    toSavedRequest(context, await edit((tx) => insertChangeRequest(tx, context, user, body))),
  ),
  handle(sendSupportRequest, async ({ body, user, context, edit }) =>
    toSavedRequest(context, await edit((tx) => insertSupportRequest(tx, context, user, body))),
  ),
  handle(listRequests, async ({ query, context }) => findRequests(context.db, query)),
  handle(listOwnRequests, async ({ user, context }) => findOwnRequests(context.db, user.account)),
  handle(readRequest, async ({ params: { id }, user, context: { db } }) => {
    const record = isUuid(id) ? await findRequest(db, id, can(user.accessLevel, 'answer requests') ? undefined : user.account) : undefined
    if (!record) throw notFound('Request')
    return { ...record, history: await listAnswers(db, record._id) }
  }),
  handle(answerRequest, async ({ params: { id }, body, user, context, edit }) => {
    await edit((tx, version) => saveAnswer(tx, context, user, id, version, body))
    context.mail.wake()
    return getRequest(context, id)
  }),
  handle(retryRequestMail, async ({ params: { id }, context, edit }) => {
    const mails = await edit((tx) => restartMails(tx, context, id))
    await Promise.all(mails.map((one) => context.mail.waitForState(one)))
    return getRequest(context, id)
  }),
]
