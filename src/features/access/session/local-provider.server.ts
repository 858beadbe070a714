import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider'

import { Problem } from '../../../platform/contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { isLoopback } from '../../../platform/server/loopback.ts'
import { addressIn, localNameOf, objectIdOf } from './local-accounts.server.ts'
import { failedPage, PAGE_POLICY, signInPage } from './local-page.server.ts'
import { makeLocalStore } from './local-store.server.ts'
import { afterSignOutAddress, callbackAddress, LOCAL_PROVIDER, providerSettings, tenantOf } from './provider-settings.server.ts'
import { randomSecret } from './secrets.server.ts'

const FORM_LIMIT = 10_000
const COOKIE = { path: LOCAL_PROVIDER, httpOnly: true, sameSite: 'lax' } as const
const ENDED = 'It took too long, or the server was restarted in the meantime.'

/**
 * The sign-in provider of a machine without OIDC_ISSUER: a whole OpenID Connect provider under a path of our own server, which our
 * sign-in talks to over HTTP as it would to Entra ID. It takes anybody at their word, so only this machine may reach it.
 */
export const mountLocalProvider = async (app: FastifyInstance, context: AppContext): Promise<void> => {
  // Made when first asked for: most starts of the server sign nobody in, and a key takes a moment.
  let made: Promise<Provider> | undefined
  const provider = (): Promise<Provider> => (made ??= makeProvider(context))

  await app.register(
    async (here) => {
      here.removeAllContentTypeParsers()
      // The provider reads its own bodies.
      here.addContentTypeParser('*', (_request, _payload, done) => done(null))
      here.addHook('onRequest', async (request) => refuseOtherMachines(request, context.log))

      here.get<{ Params: { uid: string } }>('/sign-in/:uid', async (request, reply) => {
        const interaction = await interactionOf(await provider(), request, reply)
        return interaction ? sendPage(reply, 200, signInPage(request.url)) : sendPage(reply, 400, failedPage(ENDED))
      })
      here.post<{ Params: { uid: string } }>('/sign-in/:uid', async (request, reply) => {
        const form = new URLSearchParams(await textOf(request.raw))
        const typed = form.get('as') ?? form.get('login') ?? ''
        const address = addressIn(typed)
        if (address === undefined) return sendPage(reply, 422, signInPage(request.url, typed))
        const signIn = await provider()
        if (!(await interactionOf(signIn, request, reply))) return sendPage(reply, 400, failedPage(ENDED))
        const next = await signIn.interactionResult(request.raw, reply.raw, { login: { accountId: address } })
        return reply.redirect(next, 303)
      })
      here.route({
        method: ['GET', 'POST'],
        url: '/*',
        handler: async (request, reply) => {
          const answer = (await provider()).callback()
          reply.protect()
          reply.hijack()
          await answer(underPrefix(request.raw), reply.raw)
        },
      })
    },
    { prefix: LOCAL_PROVIDER },
  )
}

/** Headers that proxies, load balancers and content networks add; a browser on this machine sends none of them. */
const PROXY_HEADER =
  /^(forwarded|via|cdn-loop|x-real-ip|x-remote-(ip|addr)|x-scheme|x-host|x-via|((x-)?(true|cluster|appengine|fastly)-|x-)?client-ip|x-(forwarded|original|envoy|azure|arr|amzn|amz-cf|proxy|varnish|rewrite)(-.*)?|cf-.*|proxy-.*)$/

const REFUSED = 'The local sign-in provider is for this computer only'

/**
 * It takes anybody at their word, so a request from another machine must not reach it: neither under another name that leads here (a site that points
 * its own name at 127.0.0.1) nor through a proxy on this machine, whose own address is a loopback one. The Host is read as it was sent.
 */
const refuseOtherMachines = ({ headers }: FastifyRequest, log: AppContext['log']): void => {
  const proxy = Object.keys(headers).find((name) => PROXY_HEADER.test(name))
  if (proxy !== undefined) {
    log.warn({ header: proxy }, 'The local sign-in provider refused a request that came through a proxy; set OIDC_ISSUER')
    throw new Problem(403, REFUSED, {
      detail: `This request came through a proxy (it has the header ${proxy}). Set OIDC_ISSUER to your organization’s sign-in provider.`,
    })
  }
  if (!isLoopback(hostnameOf(headers.host)))
    throw new Problem(403, REFUSED, { detail: 'Open it at a loopback address such as http://127.0.0.1, or set OIDC_ISSUER.' })
}

const hostnameOf = (host = ''): string => /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.exec(host)?.[1] ?? ''

const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(html)

/** The sign-in under way that the browser's cookie names; undefined where it is over. */
const interactionOf = (provider: Provider, request: FastifyRequest, reply: FastifyReply) =>
  provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined
    throw error
  })

const textOf = async (body: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const part of body.setEncoding('utf8')) {
    text += String(part)
    if (text.length > FORM_LIMIT) throw new Problem(413, 'The request is too large')
  }
  return text
}

/** The provider finds its prefix by comparing the two addresses. */
const underPrefix = (raw: IncomingMessage): IncomingMessage =>
  Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(LOCAL_PROVIDER.length) || '/' })

const makeSigningKey = async (): Promise<JsonWebKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomSecret() }
}

const makeProvider = async ({ configuration, db, log }: AppContext): Promise<Provider> => {
  const { default: OidcProvider } = await import('oidc-provider')
  const { issuer, clientId } = providerSettings(configuration)
  const port = new URL(configuration.publicUrl).port || '80'
  const provider = new OidcProvider(issuer.href, {
    adapter: makeLocalStore(),
    jwks: { keys: [await makeSigningKey()] },
    cookies: {
      keys: [randomSecret()],
      long: { ...COOKIE, signed: true },
      // A browser sends a host's cookies to all its ports.
      names: { session: `local-${port}-session`, interaction: `local-${port}-interaction`, resume: `local-${port}-resume` },
    },
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [callbackAddress(configuration)],
        post_logout_redirect_uris: [afterSignOutAddress(configuration)],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub', 'tid', 'oid'], profile: ['name', 'preferred_username'], email: ['email'] },
    conformIdTokenClaims: false, // the claims belong into the ID token, as Entra ID has them there
    findAccount: async (_context, address) => ({
      accountId: address,
      claims: async () => ({
        sub: address,
        tid: tenantOf(configuration),
        oid: objectIdOf(address),
        name: await localNameOf(db, address),
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
    interactions: { url: (_context, { uid }) => `${LOCAL_PROVIDER}/sign-in/${uid}` },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: false } },
    ttl: { Session: 43_200, Grant: 43_200, Interaction: 3600, AuthorizationCode: 60, IdToken: 3600, AccessToken: 3600 },
    renderError: (context, out) => {
      context.set('content-security-policy', PAGE_POLICY)
      context.type = 'html'
      context.body = failedPage(out.error_description ?? out.error)
    },
  })
  provider.use(unreadableElsewhere)
  provider.use(signOutWithoutAsking(provider, configuration))
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'The local sign-in provider failed'))
  return provider
}

/** The library would let pages of any origin read some of its answers; nobody but our own server has to. */
const unreadableElsewhere = async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
  await next()
  for (const name of Object.keys(context.response.headers)) if (name.startsWith('access-control-')) context.remove(name)
}

/** The library's own logout asks first, on a page that needs a click; ours ends its session and goes where it was told to, if that is us. */
const signOutWithoutAsking =
  (provider: Provider, configuration: AppContext['configuration']) =>
  async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    if (context.path !== '/session/end') return next()
    const session = await provider.Session.get(context)
    if (session.accountId !== undefined) await session.destroy()
    const name = provider.cookieName('session')
    for (const cookie of [name, `${name}.sig`]) context.cookies.set(cookie, null, { ...COOKIE, signed: false })
    context.redirect(afterSignOutAddress(configuration))
  }
