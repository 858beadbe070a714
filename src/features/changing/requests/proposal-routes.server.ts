import type { FastifyRequest } from 'fastify'

import { can } from '../../../contract/capabilities.ts'
import { forbidden, notFound } from '../../../contract/problem.ts'
import { EDITABLE_KINDS } from '../../../contract/records.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { recordAffairPartsRead, recordAffairRead } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import {
  createProposal,
  decideProposal,
  listContestedFields,
  listProposals,
  type Proposal,
  readProposal,
  updateProposal,
  withdrawProposal,
} from './contract.ts'
import { decide } from './proposal-decisions.server.ts'
import { insertProposal, updateOwnProposal, withdraw } from './proposal-mutations.server.ts'
import { findContestedFields, findProposals, findReadableProposal, listProposalCharters, toProposals } from './proposal-queries.server.ts'

interface Caller {
  readonly context: AppContext
  readonly user: SignedIn
  readonly request: FastifyRequest
}

const getProposal = async ({ context, user, request }: Caller, _id: string): Promise<Proposal> => {
  const stored = await findReadableProposal(context, user, _id)
  const [proposal] = stored ? await toProposals(context, user, [stored]) : []
  if (!proposal) throw notFound('Suggestion')
  await recordAffairPartsRead(context, request, 'suggestion', listProposalCharters(context, [proposal]))
  return proposal
}

export const proposalRoutes: Route[] = [
  handle(createProposal, async ({ body, user, context, edit }) => {
    const { _id, mail, notice } = await insertProposal(context, user, edit, body)
    return { _id, mail: await context.mail.waitForState(mail), notice }
  }),
  handle(listProposals, async ({ query, user, context, request }) => {
    const proposals = await findProposals(context, user, query)
    await recordAffairPartsRead(context, request, 'suggestions', listProposalCharters(context, proposals))
    return proposals
  }),
  handle(listContestedFields, async ({ query, user, context, request }) => {
    const fields = await findContestedFields(context, user, query)
    if (query.kind === 'charter_affair') await recordAffairRead(context, request, 'suggestions')
    return fields
  }),
  handle(readProposal, async ({ params, ...caller }) => getProposal(caller, params.id)),
  handle(updateProposal, async ({ params, body, edit, ...caller }) => {
    await updateOwnProposal(caller.context, caller.user, edit, params.id, body)
    return getProposal(caller, params.id)
  }),
  handle(withdrawProposal, async ({ params, edit, ...caller }) => {
    await edit((tx, ifMatchVersion) => withdraw(tx, caller.context, caller.user, params.id, ifMatchVersion))
    return getProposal(caller, params.id)
  }),
  handle(decideProposal, async ({ params, body, edit, ...caller }) => {
    const { user, context } = caller
    // Checked before the proposal is looked up, so that the response does not reveal whether it exists.
    if (!EDITABLE_KINDS.some((kind) => can(user.accessLevel, context.kinds[kind].editCapability))) throw forbidden('decide on suggestions')
    await edit((tx, ifMatchVersion) => decide(tx, context, user, params.id, body, ifMatchVersion))
    context.mail.wake()
    await context.readModel.ready()
    return getProposal(caller, params.id)
  }),
]
