import { may } from '../../../platform/contract/capabilities.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { isUuid } from '../../../platform/contract/slugs.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import type { House } from '../../../platform/server/house.ts'
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
const told = async ({ mail }: House, kept: KeptWithMail) => ({
  _id: kept._id,
  mail: await mail.stateSoon(kept.mail),
  notice: kept.notice,
})

const recordOf = async ({ db }: House, _id: string) => {
  const record = await requestOf(db, _id)
  if (!record) throw notFound('Request')
  return record
}

export const requestRoutes: Route[] = [
  on(sendChangeRequest, async ({ body, user, house, edit }) => told(house, await edit((tx) => keepChangeRequest(tx, house, user, body)))),
  on(sendSupportRequest, async ({ body, user, house, edit }) => told(house, await edit((tx) => keepSupportRequest(tx, house, user, body)))),
  on(listRequests, async ({ query, house }) => requestsFor(house.db, query)),
  on(listOwnRequests, async ({ user, house }) => requestsOf(house.db, user.account)),
  on(readRequest, async ({ params: { id }, user, house: { db } }) => {
    const record = isUuid(id) ? await requestOf(db, id, may(user.accessLevel, 'answer requests') ? undefined : user.account) : undefined
    if (!record) throw notFound('Request')
    return { ...record, history: await answersTo(db, record._id) }
  }),
  on(answerRequest, async ({ params: { id }, body, user, house, edit }) => {
    await edit((tx, seen) => saveAnswer(tx, house, user, id, seen, body))
    house.mail.wake()
    return recordOf(house, id)
  }),
  on(mailRequestAgain, async ({ params: { id }, house, edit }) => {
    const mails = await edit((tx) => sendAgain(tx, house, id))
    await Promise.all(mails.map((one) => house.mail.stateSoon(one)))
    return recordOf(house, id)
  }),
]
