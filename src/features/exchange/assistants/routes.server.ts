import { randomUUID } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { default as Provider } from 'oidc-provider'

import { can } from '../../../contract/capabilities.ts'
import { notFound, Problem } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { recordAudit, toSettingsEvents } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import {
  answerConsentRequest,
  endAssistant,
  listAssistants,
  readAssistantSettings,
  readConsentRequest,
  saveAssistantSettings,
} from './contract.ts'
import { deleteGrant, replaceGrants, saveTurnedOn } from './mutations.server.ts'
import { getProvider } from './provider.server.ts'
import { assertTurnedOn, getAssistantSettings, getMcpUrl, listAssistantsOf } from './queries.server.ts'
import { formatDestination, parseScopes, type Scope } from './rules.ts'

const MANAGE_ALL_ASSISTANTS = 'end anyone’s sessions'

interface OpenRequest {
  readonly provider: Provider
  readonly client: string
  readonly name: string
  readonly destination: string
  readonly scopes: Scope[]
}

/** The request that waits for an answer in this browser; throws 404 if it was answered, took too long, or is another one. */
const findOpenRequest = async (context: AppContext, id: string, { raw }: FastifyRequest, reply: FastifyReply): Promise<OpenRequest> => {
  await assertTurnedOn(context)
  const provider = await getProvider(context)
  const interaction = await provider.interactionDetails(raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined
    throw error
  })
  if (interaction?.uid !== id || interaction.result !== undefined) throw notFound('Request')
  const { client_id: client, redirect_uri: address, scope } = interaction.params
  const registered = await provider.Client.find(String(client))
  if (!registered) throw notFound('Request')
  return {
    provider,
    client: registered.clientId,
    name: registered.clientName ?? registered.clientId,
    destination: formatDestination(String(address)),
    scopes: parseScopes(String(scope)),
  }
}

export const assistantRoutes: Route[] = [
  handle(listAssistants, async ({ user, context: { db, configuration } }) =>
    listAssistantsOf(db, configuration, can(user.accessLevel, MANAGE_ALL_ASSISTANTS) ? null : user.account),
  ),
  handle(endAssistant, async ({ params, user, context, request, edit }) => {
    const owned = can(user.accessLevel, MANAGE_ALL_ASSISTANTS) ? null : user.account
    const of = await edit(async (tx) => {
      const { account, name } = await deleteGrant(tx, params.id, owned)
      await recordAudit(tx, request, { kind: 'assistant.ended', record: params.id, before: { account, client: name } })
      return account
    })
    logSecurityEvent(context.log, request, 'assistant_ended', { of, assistant: params.id })
  }),
  handle(readConsentRequest, async ({ params, context, request, reply }) => {
    const { name, destination, scopes } = await findOpenRequest(context, params.id, request, reply)
    return { name, destination, scopes }
  }),
  handle(answerConsentRequest, async ({ params, body: { allow }, user, context, request, reply, edit }) => {
    const { provider, client, name, destination, scopes } = await findOpenRequest(context, params.id, request, reply)
    if (!allow) {
      const result = { error: 'access_denied', error_description: 'The person did not agree' }
      return { url: await provider.interactionResult(request.raw, reply.raw, result) }
    }
    if (scopes.length === 0) throw new Problem(422, 'This assistant asks for nothing that Homeroom offers')
    const grant = new provider.Grant({ accountId: user.account, clientId: client })
    grant.jti = randomUUID()
    grant.addResourceScope(getMcpUrl(context.configuration), scopes.join(' '))
    await grant.save()
    await edit(async (tx) => {
      await replaceGrants(tx, { _id: grant.jti, account: user.account, client, destination })
      await recordAudit(tx, request, { kind: 'assistant.allowed', record: grant.jti, after: { client: name, destination, scopes } })
    })
    logSecurityEvent(context.log, request, 'assistant_allowed', { of: user.account, assistant: grant.jti })
    const result = { login: { accountId: user.account, remember: false }, consent: { grantId: grant.jti } }
    return { url: await provider.interactionResult(request.raw, reply.raw, result) }
  }),
  handle(readAssistantSettings, async ({ context: { db, configuration } }) => getAssistantSettings(db, configuration)),
  handle(saveAssistantSettings, async ({ body: { isOn }, context: { configuration }, request, edit }) =>
    edit(async (tx) => {
      const before = await getAssistantSettings(tx, configuration)
      await saveTurnedOn(tx, isOn)
      const after = await getAssistantSettings(tx, configuration)
      await recordAudit(tx, request, ...toSettingsEvents('assistants', before, after))
      return after
    }),
  ),
]
