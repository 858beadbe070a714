import { generateKeyPairSync, hkdfSync, type JsonWebKey, randomBytes } from 'node:crypto'

import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider'

import { memoize } from '../../../contract/memoize.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { escapeHtml, PAGE_POLICY, renderPage } from '../../../platform/server/plain-page.ts'
import { createAdapter } from './adapter.server.ts'
import { CONSENT_PATH } from './contract.ts'
import { getMcpUrl, isOpen } from './queries.server.ts'
import { SCOPE_NAMES } from './rules.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const ACCESS_TOKEN_SECONDS = 15 * MINUTE
/** An assistant that is not used for so long has to be let in again. */
const REFRESH_TOKEN_SECONDS = 90 * DAY
const GRANT_SECONDS = 365 * DAY

/** Only scopes that both sides use; ID tokens, which need this key, are never issued. */
const createUnusedKey = (): JsonWebKey => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'unused' }
}

const createProvider = async ({ configuration, db, log }: AppContext): Promise<Provider> => {
  const { default: OidcProvider, errors, interactionPolicy } = await import('oidc-provider')
  const { publicUrl, secretKey = randomBytes(32).toString('hex') } = configuration
  const resource = getMcpUrl(configuration)
  const isSecure = publicUrl.startsWith('https:')
  // A browser sends a host's cookies to all its ports.
  const prefix = `homeroom-assistants-${new URL(publicUrl).port || '80'}`
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  // Every request is answered by a person, whoever was asked before.
  const askAlways = new interactionPolicy.Check('consent_needed', 'A person has to agree', 'consent_required', (context) =>
    context.oidc.result?.consent === undefined ? interactionPolicy.Check.REQUEST_PROMPT : interactionPolicy.Check.NO_NEED_TO_PROMPT,
  )
  const provider = new OidcProvider(publicUrl, {
    adapter: createAdapter(db),
    jwks: { keys: [createUnusedKey()] },
    cookies: {
      keys: [Buffer.from(hkdfSync('sha256', secretKey, '', 'homeroom assistants', 32)).toString('hex')],
      long: cookie,
      short: { ...cookie, path: CONSENT_PATH },
      names: { session: `${prefix}-session`, interaction: `${prefix}-request`, resume: `${prefix}-resume` },
    },
    routes: { authorization: '/oauth/authorize', token: '/oauth/token', registration: '/oauth/register', revocation: '/oauth/revoke' },
    scopes: [...SCOPE_NAMES],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    interactions: {
      url: (_context, { uid }) => buildPagePath('/assistant/$id', uid),
      policy: [new interactionPolicy.Prompt({ name: 'consent', requestable: true }, askAlways)],
    },
    findAccount: async (_context, account) =>
      (await isOpen(db, configuration, account)) ? { accountId: account, claims: async () => ({ sub: account }) } : undefined,
    loadExistingGrant: async ({ oidc }) => {
      const grant = oidc.result?.consent?.grantId
      return grant === undefined ? undefined : oidc.provider.Grant.find(grant)
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: async (_context, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope: SCOPE_NAMES.join(' '), audience: resource, accessTokenTTL: ACCESS_TOKEN_SECONDS, accessTokenFormat: 'opaque' }
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: MINUTE,
      Grant: GRANT_SECONDS,
      IdToken: MINUTE,
      Interaction: 60 * MINUTE,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: 60 * MINUTE,
    },
    renderError: (context, { error, error_description: detail = error }) => {
      context.set('content-security-policy', PAGE_POLICY)
      context.type = 'html'
      context.body = renderPage(
        'Assistant not let in',
        `<h1>This request cannot be answered</h1>
<p class="lead">Start again in your assistant. It was refused because of this: ${escapeHtml(detail)}.</p>
<a class="button filled" href="/">Go to Homeroom</a>`,
      )
    },
  })
  // The proxy in front has the certificate; addresses come from PUBLIC_URL, not from its headers.
  provider.proxy = true
  provider.use(forgetBrowser(isSecure))
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'The sign-in of assistants failed'))
  return provider
}

/** The library keeps who agreed in a session of the browser; here the session of the app says who it is, each time. */
const forgetBrowser =
  (isSecure: boolean) =>
  async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    context.cookies.secure = isSecure
    await next()
    const session = context.oidc?.session
    if (session === undefined || context.status >= 500) return
    if (session.accountId !== undefined) await session.destroy()
    const name = context.oidc.provider.cookieName('session')
    const cookies = [context.response.get('set-cookie')].flat().filter((cookie) => cookie && !cookie.startsWith(name))
    if (cookies.length > 0) context.set('set-cookie', cookies)
    else context.remove('set-cookie')
  }

/** The OAuth server for assistants, created on first use. */
export const getProvider = memoize((context: AppContext) => createProvider(context))
