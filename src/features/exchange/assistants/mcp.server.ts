import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isApiToken } from '../../../contract/api-tokens.ts'
import { isObject } from '../../../contract/objects.ts'
import { notSignedIn, Problem, tooManyRequests } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { recordAuditOrLog } from '../../../platform/server/audit.ts'
import { BodyMemoryLimit } from '../../../platform/server/body-memory-limit.ts'
import type { Authenticate } from '../../../platform/server/handler.ts'
import { createSendInProcess } from '../../../platform/server/in-process.ts'
import { isLoopback } from '../../../platform/server/loopback.ts'
import { MinuteCounter } from '../../../platform/server/minute-counter.ts'
import { markGrantUsed } from './mutations.server.ts'
import { getResourceMetadataUrl } from './oauth.server.ts'
import { getProvider } from './provider.server.ts'
import { assertTurnedOn, findGranter, getMcpUrl } from './queries.server.ts'
import { MCP_PATH, parseScopes, SCOPE_NAMES, type Scope } from './rules.ts'
import type { Toolbox } from './tools.server.ts'

const MAX_BODY_BYTES = 256 * 1024
const MAX_MESSAGES = 20
/** Requests of one address per minute. Those of accounts are counted by what they ask. */
const ADDRESS_RATE_LIMIT = 1200
/** What one assistant may ask per minute for one account, and all assistants of the account together. */
const MCP_RATE_LIMITS = { assistant: 120, account: 240 } as const
const MAX_COUNTED = 20_000

/** An assistant, or a program with an API token. */
interface Assistant {
  readonly scopes: readonly Scope[]
  /** What the program calls itself, or the name of the API token. */
  readonly client: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on all other routes. */
    assistant: Assistant | null
  }
}

interface Dependencies {
  readonly authenticate: Authenticate
  readonly getToolbox: (level: number) => Toolbox
}

/** `/mcp`: questions of assistants (Model Context Protocol, Streamable HTTP). Nothing is kept from one request to the next, so every server can answer. */
export const mountMcp = (app: FastifyInstance, context: AppContext, { authenticate, getToolbox }: Dependencies): void => {
  if (!context.configuration.serve.has('app')) return
  const bodies = new BodyMemoryLimit()
  const counter = new MinuteCounter(MAX_COUNTED)
  const challenge = `Bearer resource_metadata="${getResourceMetadataUrl(context)}", scope="${SCOPE_NAMES.join(' ')}"`
  app.decorateRequest('assistant', null)
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    void reply.header('cache-control', 'no-store')
    await assertTurnedOn(context)
    assertOrigin(context, request)
    const token = getBearer(request)
    const found = token === undefined ? undefined : await identify(context, authenticate, request, token)
    if (!found) {
      if (token !== undefined) void reply.header('www-authenticate', `${challenge}, error="invalid_token"`)
      throw notSignedIn('Connect this assistant again, or send a valid API token.')
    }
    request.signedIn = found.user
    request.assistant = found.assistant
  }
  const config = { rateLimit: { max: ADDRESS_RATE_LIMIT, timeWindow: '1 minute' }, challenge }
  app.route({
    method: 'POST',
    url: MCP_PATH,
    bodyLimit: MAX_BODY_BYTES,
    config,
    onRequest,
    preParsing: async (request, reply, payload) => bodies.acquire(request, reply, MAX_BODY_BYTES).then(() => payload),
    handler: async (request, reply) => {
      const { signedIn: user, assistant } = request
      if (!user || !assistant) throw notSignedIn()
      const toolbox = getToolbox(user.accessLevel)
      const questions = listQuestions(request.body)
      for (const question of questions) {
        assertWithinLimits(counter, user, assistant)
        await recordAuditOrLog(context, request, { kind: 'assistant.asked', after: { client: assistant.client, tool: question.tool } })
        const tool = toolbox.tools.find(({ name }) => name === question.tool)
        if (tool && !assistant.scopes.includes(tool.scope)) {
          void reply.header('www-authenticate', `${challenge}, error="insufficient_scope"`)
          throw new Problem(403, 'This assistant may not do this', { detail: 'Connect it again, and allow it to.' })
        }
      }
      const caller = { user, context, send: createSendInProcess(app, context, user, request.ip) }
      const tools = toolbox.tools.filter(({ scope }) => assistant.scopes.includes(scope))
      // Loaded with the first question: the SDK takes 10 MB.
      const { answer } = await import('./mcp-answer.server.ts')
      return answer(caller, { ...toolbox, tools }, request, reply)
    },
  })
  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
    exposeHeadRoute: false,
    config,
    onRequest,
    // There are no streams and no sessions.
    handler: async (request, reply) => {
      void reply.header('allow', 'POST')
      throw new Problem(405, `This address does not support ${request.method}`, { detail: 'Supported: POST.' })
    },
  })
}

/** Refuses pages of other sites, also those that reach a local server under another name (DNS rebinding). */
const assertOrigin = ({ configuration: { publicUrl } }: AppContext, { headers }: FastifyRequest): void => {
  const { origin, host, hostname } = new URL(publicUrl)
  const isForeign = headers.origin !== undefined && headers.origin !== origin
  if (isForeign || (isLoopback(hostname) && headers.host !== host)) throw new Problem(403, 'This address is for assistants, not for pages')
}

const getBearer = ({ headers }: FastifyRequest): string | undefined => /^Bearer +([\w-]{43,64})$/i.exec(headers.authorization ?? '')?.[1]

/** Who a token acts for, at their present level; undefined if it is not valid here. */
const identify = async (
  context: AppContext,
  authenticate: Authenticate,
  request: FastifyRequest,
  token: string,
): Promise<{ readonly user: SignedIn; readonly assistant: Assistant } | undefined> => {
  if (isApiToken(token)) {
    const user = await authenticate(request, {})
    return user ? { user, assistant: { scopes: SCOPE_NAMES, client: user.token ?? '' } } : undefined
  }
  const { db, configuration, log } = context
  const { AccessToken } = await getProvider(context)
  const found = await AccessToken.find(token)
  if (!found?.grantId || ![found.aud].flat().includes(getMcpUrl(configuration))) return undefined
  const granter = await findGranter(db, configuration, found.grantId)
  if (!granter) return undefined
  if (granter.isMarkDue)
    await markGrantUsed(db, found.grantId).catch((error: unknown) => log.warn({ err: error }, 'An assistant could not be marked as used'))
  return { user: granter.user, assistant: { scopes: parseScopes(found.scope), client: granter.user.token ?? '' } }
}

interface Question {
  /** The tool, or what else was asked for. */
  readonly tool: string
}

const MAX_TOOL_NAME_LENGTH = 60
const READS: Readonly<Record<string, string>> = { 'resources/read': 'read a record', 'completion/complete': 'complete a name' }

/** What a body asks of the directory; other messages only set up the connection. */
const listQuestions = (body: unknown): Question[] => {
  const messages = [body].flat()
  if (messages.length > MAX_MESSAGES) throw new Problem(413, 'The request is too large')
  return messages.flatMap((message) => {
    if (!isObject(message) || typeof message['method'] !== 'string') return []
    const { method, params } = message
    const other = Object.hasOwn(READS, method) ? READS[method] : undefined
    if (method !== 'tools/call') return other === undefined ? [] : [{ tool: other }]
    return [{ tool: isObject(params) ? String(params['name']).slice(0, MAX_TOOL_NAME_LENGTH) : '' }]
  })
}

const assertWithinLimits = (counter: MinuteCounter, { account }: SignedIn, { client }: Assistant): void => {
  const isTooMany =
    counter.add(account) > MCP_RATE_LIMITS.account || counter.add(JSON.stringify([account, client])) > MCP_RATE_LIMITS.assistant
  if (isTooMany) throw tooManyRequests(60)
}
