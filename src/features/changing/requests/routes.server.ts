import { can } from '../../../platform/contract/capabilities.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { isUuid } from '../../../platform/contract/slugs.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import {
  answerRequest,
  listOwnRequests,
  listRequests,
  mailRequestAgain,
  readRequest,
  sendChangeRequest,
  sendSupportRequest,
} from './contract.ts'
import { keepChangeRequest, keepSupportRequest, type KeptWithMail, saveAnswer, sendAgain } from './mutations.server.ts'
import { answersTo, requestOf, requestsFor, requestsOf } from './queries.server.ts'

/** Says how it stands with the mail a moment after it was kept: the sender is told what is so, and not what is hoped. */
const told = async ({ mail }: AppContext, kept: KeptWithMail) => ({
  _id: kept._id,
  mail: await mail.waitForState(kept.mail),
  notice: kept.notice,
})

const recordOf = async ({ db }: AppContext, _id: string) => {
  const record = await requestOf(db, _id)
  if (!record) throw notFound('Request')
  return record
}

export const requestRoutes: Route[] = [
  handle(sendChangeRequest, async ({ body, user, context, edit }) =>
    told(context, await edit((tx) => keepChangeRequest(tx, context, user, body))),
  ),
  handle(sendSupportRequest, async ({ body, user, context, edit }) =>
    told(context, await edit((tx) => keepSupportRequest(tx, context, user, body))),
  ),
  handle(listRequests, async ({ query, context }) => requestsFor(context.db, query)),
  handle(listOwnRequests, async ({ user, context }) => requestsOf(context.db, user.account)),
  handle(readRequest, async ({ params: { id }, user, context: { db } }) => {
    const record = isUuid(id) ? await requestOf(db, id, can(user.accessLevel, 'answer requests') ? undefined : user.account) : undefined
    if (!record) throw notFound('Request')
    return { ...record, history: await answersTo(db, record._id) }
  }),
  handle(answerRequest, async ({ params: { id }, body, user, context, edit }) => {
    await edit((tx, seen) => saveAnswer(tx, context, user, id, seen, body))
    context.mail.wake()
    return recordOf(context, id)
  }),
  handle(mailRequestAgain, async ({ params: { id }, context, edit }) => {
    const mails = await edit((tx) => sendAgain(tx, context, id))
    await Promise.all(mails.map((one) => context.mail.waitForState(one)))
    return recordOf(context, id)
  }),
]
