import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider'

import { Problem, REQUEST_TOO_LARGE } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { isLoopback } from '../../../platform/server/loopback.ts'
import { PAGE_POLICY } from '../../../platform/server/plain-page.ts'
import { parseAddress, getLocalName, toObjectId } from './local-accounts.server.ts'
import { createMemoryAdapter } from './local-provider-adapter.server.ts'
import { renderErrorPage, renderSignInPage } from './local-provider-pages.server.ts'
import { getPostLogoutUrl, getCallbackUrl, LOCAL_PROVIDER_PATH, getProviderSettings, getTenant } from './provider-settings.server.ts'
import { createSecret } from './secrets.server.ts'

const MAX_FORM_LENGTH = 10_000
const COOKIE = { path: LOCAL_PROVIDER_PATH, httpOnly: true, sameSite: 'lax' } as const
const SIGN_IN_EXPIRED = 'It took too long, or the server was restarted in the meantime.'

/**
 * The sign-in provider if OIDC_ISSUER is not set: an OpenID Connect provider under a path of this server, which our sign-in uses over HTTP like Entra
 * ID. It asks for no password, so only this machine may reach it.
 */
export const mountLocalProvider = async (app: FastifyInstance, context: AppContext): Promise<void> => {
  // Created on first use: most server starts sign no one in, and generating a key takes a moment.
  let created: Promise<Provider> | undefined
  const provider = (): Promise<Provider> => (created ??= createProvider(context))

  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      // The provider parses request bodies itself.
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.addHook('onRequest', async (request) => assertLocalRequest(request, context.log))

      scope.get<{ Params: { uid: string } }>('/sign-in/:uid', async (request, reply) => {
        const interaction = await findInteraction(await provider(), request, reply)
        return interaction ? sendPage(reply, 200, renderSignInPage(request.url)) : sendPage(reply, 400, renderErrorPage(SIGN_IN_EXPIRED))
      })
      scope.post<{ Params: { uid: string } }>('/sign-in/:uid', async (request, reply) => {
        const form = new URLSearchParams(await readText(request.raw))
        const input = form.get('as') ?? form.get('login') ?? ''
        const address = parseAddress(input)
        if (address === undefined) return sendPage(reply, 422, renderSignInPage(request.url, input))
        const instance = await provider()
        const interaction = await findInteraction(instance, request, reply)
        if (!interaction) return sendPage(reply, 400, renderErrorPage(SIGN_IN_EXPIRED))
        if (interaction.session && interaction.session.accountId !== address) await endSession(instance, interaction)
        const next = await instance.interactionResult(request.raw, reply.raw, { login: { accountId: address } })
        return reply.redirect(next, 303)
      })
      scope.route({
        method: ['GET', 'POST'],
        url: '/*',
        handler: async (request, reply) => {
          const handle = (await provider()).callback()
          reply.protect()
          reply.hijack()
          await handle(withoutPrefix(request.raw), reply.raw)
        },
      })
    },
    { prefix: LOCAL_PROVIDER_PATH },
  )
}

/** Headers that proxies, load balancers and CDNs add; a browser on this machine sends none of them. */
const PROXY_HEADER =
  /^(forwarded|via|cdn-loop|x-real-ip|x-remote-(ip|addr)|x-scheme|x-host|x-via|((x-)?(true|cluster|appengine|fastly)-|x-)?client-ip|x-(forwarded|original|envoy|azure|arr|amzn|amz-cf|proxy|varnish|rewrite)(-.*)?|cf-.*|proxy-.*)$/

const LOCAL_ONLY_TITLE = 'The local sign-in provider is for this computer only'

/**
 * Refuses requests from other machines, which could arrive under another host name that resolves to 127.0.0.1 (DNS rebinding) or through a proxy on
 * this machine, whose own address is loopback. Uses the Host header as sent.
 */
const assertLocalRequest = ({ headers }: FastifyRequest, log: AppContext['log']): void => {
  const proxy = Object.keys(headers).find((name) => PROXY_HEADER.test(name))
  if (proxy !== undefined) {
    log.warn({ header: proxy }, 'The local sign-in provider refused a request that came through a proxy; set OIDC_ISSUER')
    throw new Problem(403, LOCAL_ONLY_TITLE, {
      detail: `This request came through a proxy (it has the header ${proxy}). Set OIDC_ISSUER to your organization’s sign-in provider.`,
    })
  }
  if (!isLoopback(parseHostname(headers.host)))
    throw new Problem(403, LOCAL_ONLY_TITLE, { detail: 'Open it at a loopback address such as http://127.0.0.1, or set OIDC_ISSUER.' })
}

const parseHostname = (host = ''): string => /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.exec(host)?.[1] ?? ''

const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(html)

/** The current sign-in of the browser's cookie; undefined if it has ended. */
const findInteraction = (provider: Provider, request: FastifyRequest, reply: FastifyReply) =>
  provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined
    throw error
  })

/** Ends the session of the browser at this provider; the library would do so with a script in a page, which the policy refuses. */
const endSession = async (provider: Provider, interaction: Awaited<ReturnType<Provider['interactionDetails']>>): Promise<void> => {
  const session = await provider.Session.findByUid(interaction.session?.uid ?? '')
  await session?.destroy()
  delete interaction.session
  await interaction.save(Math.ceil(interaction.exp - Date.now() / 1000))
}

const readText = async (body: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_FORM_LENGTH) throw new Problem(413, REQUEST_TOO_LARGE)
  }
  return text
}

/** The provider determines its prefix by comparing `originalUrl` and `url`. */
const withoutPrefix = (raw: IncomingMessage): IncomingMessage =>
  Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(LOCAL_PROVIDER_PATH.length) || '/' })

const createSigningKey = async (): Promise<JsonWebKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: createSecret() }
}

let signingKey: Promise<JsonWebKey> | undefined
/** One per process, since generating a key takes a tenth of a second. */
const getSigningKey = (): Promise<JsonWebKey> => (signingKey ??= createSigningKey())

const createProvider = async ({ configuration, db, log }: AppContext): Promise<Provider> => {
  const { default: OidcProvider } = await import('oidc-provider')
  const { issuer, clientId } = getProviderSettings(configuration)
  const port = new URL(configuration.publicUrl).port || '80'
  const provider = new OidcProvider(issuer.href, {
    adapter: createMemoryAdapter(),
    jwks: { keys: [await getSigningKey()] },
    cookies: {
      keys: [createSecret()],
      long: { ...COOKIE, signed: true },
      // A browser sends a host's cookies to all its ports.
      names: { session: `local-${port}-session`, interaction: `local-${port}-interaction`, resume: `local-${port}-resume` },
    },
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [getCallbackUrl(configuration)],
        post_logout_redirect_uris: [getPostLogoutUrl(configuration)],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub', 'tid', 'oid'], profile: ['name', 'preferred_username'], email: ['email'] },
    conformIdTokenClaims: false, // puts the claims into the ID token, as Entra ID does
    findAccount: async (_context, address) => ({
      accountId: address,
      claims: async () => ({
        sub: address,
        tid: getTenant(configuration),
        oid: toObjectId(address),
        name: await getLocalName(db, address),
        preferred_username: address,
        email: address,
      }),
    }),
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({ clientId: context.oidc.client?.clientId, accountId: context.oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    interactions: { url: (_context, { uid }) => `${LOCAL_PROVIDER_PATH}/sign-in/${uid}` },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    ttl: { Session: 43_200, Grant: 43_200, Interaction: 3600, AuthorizationCode: 60, IdToken: 3600, AccessToken: 3600 },
    renderError: (context, error) => {
      context.set('content-security-policy', PAGE_POLICY)
      context.type = 'html'
      context.body = renderErrorPage(error.error_description ?? error.error)
    },
  })
  provider.use(removeCorsHeaders)
  provider.use(signOutWithoutConfirmation(provider, configuration))
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'The local sign-in provider failed'))
  return provider
}

/** The library lets pages of any origin read some of its responses; only our own server needs to. */
const removeCorsHeaders = async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
  await next()
  for (const name of Object.keys(context.response.headers)) if (name.startsWith('access-control-')) context.remove(name)
}

/** Ends the session and redirects to our login page; the library's own logout asks for confirmation first. */
const signOutWithoutConfirmation =
  (provider: Provider, configuration: AppContext['configuration']) =>
  async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    if (context.path !== '/session/end') return next()
    const session = await provider.Session.get(context)
    if (session.accountId !== undefined) await session.destroy()
    const name = provider.cookieName('session')
    for (const cookie of [name, `${name}.sig`]) context.cookies.set(cookie, null, { ...COOKIE, signed: false })
    context.redirect(getPostLogoutUrl(configuration))
  }
