import { can } from '../../../contract/capabilities.ts'
import { forbidden, notFound } from '../../../contract/problem.ts'
import { EDITABLE_KINDS } from '../../../contract/records.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { recordAffairRead } from '../../../platform/server/audit.ts'
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
import { findContestedFields, findProposals, findReadableProposal, toProposals } from './proposal-queries.server.ts'

const getProposal = async (context: AppContext, user: SignedIn, _id: string): Promise<Proposal> => {
  const stored = await findReadableProposal(context, user, _id)
  const [proposal] = stored ? await toProposals(context, user, [stored]) : []
  if (!proposal) throw notFound('Suggestion')
  return proposal
}

export const proposalRoutes: Route[] = [
  handle(createProposal, async ({ body, user, context, edit }) => {
    const { _id, mail, notice } = await insertProposal(context, user, edit, body)
    return { _id, mail: await context.mail.waitForState(mail), notice }
  }),
  handle(listProposals, async ({ query, user, context, request }) => {
    const proposals = await findProposals(context, user, query)
    if (proposals.some(({ record }) => record.kind === 'charter_affair')) await recordAffairRead(context, request, 'suggestions')
    return proposals
  }),
  handle(listContestedFields, async ({ query, user, context, request }) => {
    const fields = await findContestedFields(context, user, query)
    if (query.kind === 'charter_affair') await recordAffairRead(context, request, 'suggestions')
    return fields
  }),
  handle(readProposal, async ({ params, user, context, request }) => {
    const proposal = await getProposal(context, user, params.id)
    if (proposal.record.kind === 'charter_affair') {
      // The charter itself where it has no affair yet.
      const charter = context.readModel.table('charter_affair').get(proposal.record._id)?.charter ?? proposal.record._id
      await recordAffairRead(context, request, 'suggestion', charter)
    }
    return proposal
  }),
  handle(updateProposal, async ({ params, body, user, context, edit }) => {
    await updateOwnProposal(context, user, edit, params.id, body)
    return getProposal(context, user, params.id)
  }),
  handle(withdrawProposal, async ({ params, user, context, edit }) => {
    await edit((tx, seen) => withdraw(tx, context, user, params.id, seen))
    return getProposal(context, user, params.id)
  }),
  handle(decideProposal, async ({ params, body, user, context, edit }) => {
    // Before the proposal is looked for, so that an answer does not tell whether there is one.
    if (!EDITABLE_KINDS.some((kind) => can(user.accessLevel, context.kinds[kind].editCapability))) throw forbidden('decide on suggestions')
    await edit((tx, seen) => decide(tx, context, user, params.id, body, seen))
    context.mail.wake()
    await context.readModel.ready()
    return getProposal(context, user, params.id)
  }),
]
