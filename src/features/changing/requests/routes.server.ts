import { invalidFields, notFound } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import {
  answerRequest,
  listOwnRequests,
  listRequests,
  retryRequestMail,
  readRequest,
  sendChangeRequest,
  sendSupportRequest,
  SITE_REQUIRED,
} from './contract.ts'
import {
  findSubject,
  insertChangeRequest,
  insertSupportRequest,
  type RequestWithMail,
  saveAnswer,
  restartMails,
} from './mutations.server.ts'
import { insertProposal } from './proposal-mutations.server.ts'
import { listAnswers, findRequest, findRequests, findOwnRequests } from './queries.server.ts'

/** The response to a new request, with the actual delivery status of its email after a short wait. */
const toSavedRequest = async ({ mail }: AppContext, saved: RequestWithMail) => ({
  _id: saved._id,
  mail: await mail.waitForState(saved.mail),
  notice: saved.notice,
})

const getRequest = async ({ db }: AppContext, { accessLevel, account }: SignedIn, _id: string) => {
  const record = isUuid(_id) ? await findRequest(db, _id, accessLevel, account) : undefined
  if (!record) throw notFound('Request')
  return record
}

export const requestRoutes: Route[] = [
  handle(sendChangeRequest, async ({ body, user, context, edit }) => {
    const { changes, site, correctText } = body
    if (changes === undefined) return toSavedRequest(context, await edit((tx) => insertChangeRequest(tx, context, user, body)))
    const _id = site ?? (await findSubject(context.db, null, body.location)).site?._id
    if (!_id) throw invalidFields([{ path: 'site', message: SITE_REQUIRED }])
    const proposal = { record: { kind: 'site' as const, _id }, changes, note: correctText ?? null }
    return toSavedRequest(context, await insertProposal(context, user, edit, proposal))
  }),
  handle(sendSupportRequest, async ({ body, user, context, edit }) =>
    toSavedRequest(context, await edit((tx) => insertSupportRequest(tx, context, user, body))),
  ),
  handle(listRequests, async ({ query, user, context }) => findRequests(context.db, user.accessLevel, query)),
  handle(listOwnRequests, async ({ user, context }) => findOwnRequests(context.db, user.account, user.accessLevel)),
  handle(readRequest, async ({ params: { id }, user, context }) => {
    const record = await getRequest(context, user, id)
    return { ...record, history: await listAnswers(context.db, record._id) }
  }),
  handle(answerRequest, async ({ params: { id }, body, user, context, edit }) => {
    await edit((tx, ifMatchVersion) => saveAnswer(tx, context, user, id, ifMatchVersion, body))
    context.mail.wake()
    return getRequest(context, user, id)
  }),
  handle(retryRequestMail, async ({ params: { id }, user, context, edit }) => {
    const mails = await edit((tx) => restartMails(tx, context, id))
    await Promise.all(mails.map((one) => context.mail.waitForState(one)))
    return getRequest(context, user, id)
  }),
]
