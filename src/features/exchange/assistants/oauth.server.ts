import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { MINUTE_MS } from '../../../contract/dates.ts'
import { Problem, tooManyRequests } from '../../../contract/problem.ts'
import { sanitizeLine } from '../../../contract/text-cleaning.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { SharedRateLimit } from '../../../platform/server/shared-rate-limit.ts'
import { getProvider } from './provider.server.ts'
import { assertTurnedOn, getMcpUrl } from './queries.server.ts'
import { isRedirectAddress, MCP_PATH, parseScopes, SCOPE_NAMES } from './rules.ts'

const MAX_CLIENT_NAME_LENGTH = 80
const MAX_REDIRECT_ADDRESSES = 10
const MAX_BODY_BYTES = 16 * 1024
/** Requests per minute from one address, and registrations from everyone together. */
const OAUTH_RATE_LIMIT = 120
const REGISTRATION_RATE_LIMIT = 20
const REGISTRATIONS_PER_MINUTE = 120

const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'
const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'

/** The address with which a refused program finds out how to sign in (RFC 9728). */
export const getResourceMetadataUrl = ({ configuration }: AppContext): string => configuration.publicUrl + RESOURCE_METADATA_PATH + MCP_PATH

/** What a program may say of itself (RFC 7591). All else is left out: no address of it is ever requested, and it has no secret. */
const Registration = z.object({
  redirect_uris: z.array(z.string().max(2000).refine(isRedirectAddress)).min(1).max(MAX_REDIRECT_ADDRESSES),
  client_name: z
    .string()
    .transform((name) => sanitizeLine(name).slice(0, MAX_CLIENT_NAME_LENGTH))
    .catch(''),
  grant_types: z.array(z.string()).catch(['authorization_code', 'refresh_token']),
})

/** An error of RFC 7591 and RFC 6749. */
const formatOAuthProblem = ({ status, message, detail }: Problem) => ({
  type: 'application/json; charset=utf-8',
  body: { error: status === 429 ? 'temporarily_unavailable' : 'invalid_request', error_description: detail ?? message },
})

/** The protected-resource and server metadata, registration, consent, tokens and revocation (OAuth 2.1), as the specification of MCP asks. */
export const mountOAuth = async (app: FastifyInstance, context: AppContext): Promise<void> => {
  if (!context.configuration.serve.has('app')) return
  const registrations = new SharedRateLimit(REGISTRATIONS_PER_MINUTE, MINUTE_MS)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The library parses request bodies itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const route = (
      method: 'GET' | 'POST',
      url: string,
      handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
      perMinute = OAUTH_RATE_LIMIT,
    ): void =>
      void scope.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { rateLimit: { max: perMinute, timeWindow: '1 minute' }, formatProblem: formatOAuthProblem },
        onRequest: async (_request, reply) => {
          void reply.header('cache-control', 'no-store')
          await assertTurnedOn(context)
        },
        handler,
      })
    for (const path of [RESOURCE_METADATA_PATH, RESOURCE_METADATA_PATH + MCP_PATH])
      route('GET', path, async (_request, reply) => reply.header('access-control-allow-origin', '*').send(describeResource(context)))
    route('GET', SERVER_METADATA_PATH, async (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send(describeServer(context)),
    )
    route(
      'POST',
      '/oauth/register',
      async (request, reply) => {
        if (!registrations.tryAcquire()) throw tooManyRequests(60)
        const metadata = await readRegistration(request)
        if ('error' in metadata) return reply.code(400).send(metadata)
        return pass(context, withBody(request.raw, metadata), reply)
      },
      REGISTRATION_RATE_LIMIT,
    )
    route('GET', '/oauth/authorize', async (request, reply) => {
      request.raw.url = withKnownParameters(request.url)
      return pass(context, request.raw, reply)
    })
    route('GET', '/oauth/authorize/:id', async (request, reply) => pass(context, request.raw, reply))
    route('POST', '/oauth/token', async (request, reply) => pass(context, request.raw, reply))
    route('POST', '/oauth/revoke', async (request, reply) => pass(context, request.raw, reply))
  })
}

const describeResource = ({ configuration }: AppContext) => ({
  resource: getMcpUrl(configuration),
  authorization_servers: [configuration.publicUrl],
  scopes_supported: SCOPE_NAMES,
  bearer_methods_supported: ['header'],
  resource_name: 'Homeroom',
  resource_documentation: `${configuration.publicUrl}/docs`,
})

const describeServer = ({ configuration: { publicUrl } }: AppContext) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: `${publicUrl}/oauth/token`,
  registration_endpoint: `${publicUrl}/oauth/register`,
  revocation_endpoint: `${publicUrl}/oauth/revoke`,
  scopes_supported: SCOPE_NAMES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

const readText = async (body: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) throw new Problem(413, 'The request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const readRegistration = async ({ raw }: FastifyRequest): Promise<object | { error: string; error_description: string }> => {
  const text = await readText(raw)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { error: 'invalid_client_metadata', error_description: 'The body is not JSON' }
  }
  const { data, error } = Registration.safeParse(given)
  if (error)
    return {
      error: 'invalid_redirect_uri',
      error_description: `redirect_uris needs 1 to ${MAX_REDIRECT_ADDRESSES} exact addresses that begin with https:, or with http: at a loopback address, without a fragment`,
    }
  return {
    redirect_uris: [...new Set(data.redirect_uris)],
    // The port of a loopback address is free for a native program: it is known when the program starts (RFC 8252).
    application_type: data.redirect_uris.some((address) => address.startsWith('http:')) ? 'native' : 'web',
    client_name: data.client_name || 'An assistant without a name',
    grant_types: ['authorization_code', ...(data.grant_types.includes('refresh_token') ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

/** The same request with another body. */
const withBody = ({ method, url, headers, socket }: IncomingMessage, body: object): IncomingMessage => {
  const bytes = Buffer.from(JSON.stringify(body))
  const sent = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) }
  return Object.assign(Readable.from([bytes]), { method, url, headers: sent, socket }) as unknown as IncomingMessage
}

/** Scopes that are not ours are left out; without any, a program asks for all. A person answers each time, so most values of `prompt` say nothing. */
const withKnownParameters = (url: string): string => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const asked = searchParams.get('scope')
  const known = asked === null ? SCOPE_NAMES : parseScopes(asked)
  searchParams.set('scope', (known.length === 0 ? SCOPE_NAMES.slice(0, 1) : known).join(' '))
  if (searchParams.get('prompt') !== 'none') searchParams.delete('prompt')
  return `${pathname}?${searchParams}`
}

/** The library writes the response itself. */
const pass = async (context: AppContext, request: IncomingMessage, reply: FastifyReply): Promise<FastifyReply> => {
  const handle = (await getProvider(context)).callback()
  reply.protect()
  reply.hijack()
  reply.raw.setHeader('cache-control', 'no-store')
  await handle(request, reply.raw)
  return reply
}
