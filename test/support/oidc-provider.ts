import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** What a test needs to forge ID tokens. */
export interface IdTokenInputs {
  readonly claims: JWTPayload
  readonly header: { alg: string; kid: string }
  /** The provider's own keys, and a key pair of the forger. */
  readonly keys: Keys
  readonly otherKeys: Keys
  /** The provider's public key as text. */
  readonly publicKey: string
}
export type MakeIdToken = (workshop: IdTokenInputs) => Promise<string | undefined>

export const CLIENT = { id: 'homeroom-client', secret: 'homeroom-client-secret', tenant: 'a2f6c3b4-0000-4000-8000-00000000aaaa' }

/** The person signed in at the provider. */
export interface ProviderUser {
  readonly oid: string
  readonly name: string
  readonly address: string
}
export const createProviderUser = (given: Partial<ProviderUser> = {}): ProviderUser => {
  const oid = randomUUID()
  return { oid, name: 'Dana Whitlock', address: `dana.${oid.slice(0, 8)}@network.test`, ...given }
}

/** An OpenID Connect provider on loopback that signs in `currentUser`, with ID tokens from `makeIdToken`. */
export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string
  /** Where it listens, whatever its public URL is. */
  readonly port: number
  /** The environment of a server that trusts this provider. */
  readonly environment: Record<string, string>
  currentUser: ProviderUser
  /** Creates the ID tokens; valid ones by default. */
  makeIdToken: MakeIdToken | undefined
  /** The response to a token renewal. */
  renewals: 'granted' | 'refused' | 'broken' | 'our secret is wrong'
  /** The accepted secrets of our client. */
  clientSecrets: readonly string[]
  /** Whether it responds at all. */
  isUp: boolean
  /** The last request to the authorization endpoint. */
  authorizationParams: URLSearchParams
  /** The last request to the logout endpoint. */
  logoutParams: URLSearchParams | undefined
  /** The number of token renewals. */
  renewalCount: number
  /** Restores the default behavior with a new user. */
  readonly reset: () => void
  close: () => Promise<void>
}

export const signIdToken: MakeIdToken = ({ claims, header, keys }) => new SignJWT(claims).setProtectedHeader(header).sign(keys.privateKey)

const createFreshState = (): Pick<
  OidcProvider,
  'currentUser' | 'makeIdToken' | 'renewals' | 'clientSecrets' | 'isUp' | 'renewalCount'
> => ({
  clientSecrets: [CLIENT.secret],
  currentUser: createProviderUser(),
  makeIdToken: undefined,
  renewals: 'granted',
  isUp: true,
  renewalCount: 0,
})

/** `knownAs` is its public URL if it differs from where it listens. */
export const startOidcProvider = async (knownAs?: string): Promise<OidcProvider> => {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const otherKeys = await generateKeyPair('RS256', { extractable: true })
  const kid = 'signing-key'
  const publicJwk = { ...(await exportJWK(keys.publicKey)), kid, use: 'sig', alg: 'RS256' }
  const publicKey = await exportSPKI(keys.publicKey)
  const codes = new Map<string, { challenge: string; nonce: string; redirect: string; who: ProviderUser }>()
  const refreshTokens = new Map<string, ProviderUser>()

  const tokensFor = async (who: ProviderUser, nonce: string | undefined): Promise<object> => {
    const now = Math.floor(Date.now() / 1000)
    const claims: JWTPayload = {
      iss: provider.issuer,
      aud: CLIENT.id,
      sub: `subject of ${who.oid}`,
      tid: CLIENT.tenant,
      oid: who.oid,
      name: who.name,
      preferred_username: who.address,
      // Like Entra ID: backdated by five minutes.
      iat: now - 300,
      nbf: now - 300,
      exp: now + 3600,
      ...(nonce === undefined ? {} : { nonce }),
    }
    const workshop = { claims, header: { alg: 'RS256', kid }, keys, otherKeys, publicKey }
    const refreshToken = randomBytes(16).toString('hex')
    refreshTokens.set(refreshToken, who)
    const idToken = await (provider.makeIdToken ?? signIdToken)(workshop)
    return {
      access_token: `directory token of ${who.oid}`,
      token_type: 'Bearer',
      expires_in: 4200,
      refresh_token: refreshToken,
      ...(idToken === undefined ? {} : { id_token: idToken }),
    }
  }

  const token = async (form: URLSearchParams): Promise<[number, object]> => {
    if (form.get('client_id') !== CLIENT.id || !provider.clientSecrets.includes(form.get('client_secret') ?? ''))
      return [401, { error: 'invalid_client' }]
    if (form.get('grant_type') === 'refresh_token') {
      provider.renewalCount++
      if (provider.renewals === 'broken') return [500, { error: 'server_error' }]
      if (provider.renewals === 'our secret is wrong') return [401, { error: 'invalid_client' }]
      const who = refreshTokens.get(form.get('refresh_token') ?? '')
      if (!who || provider.renewals === 'refused') return [400, { error: 'invalid_grant' }]
      refreshTokens.delete(form.get('refresh_token') ?? '')
      return [200, await tokensFor(who, undefined)]
    }
    const code = form.get('code') ?? ''
    const started = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!started || started.challenge !== challenge || started.redirect !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }]
    return [200, await tokensFor(started.who, started.nonce)]
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!provider.isUp) return void request.socket.destroy()
    if (url.pathname === '/.well-known/openid-configuration') {
      return json(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        end_session_endpoint: `${provider.issuer}/logout`,
        response_types_supported: ['code'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      })
    }
    if (url.pathname === '/keys') return json(200, { keys: [publicJwk] })
    if (url.pathname === '/authorize') {
      provider.authorizationParams = url.searchParams
      const code = randomBytes(16).toString('hex')
      const redirect = url.searchParams.get('redirect_uri') ?? ''
      const challenge = url.searchParams.get('code_challenge') ?? ''
      codes.set(code, { challenge, nonce: url.searchParams.get('nonce') ?? '', redirect, who: provider.currentUser })
      const back = new URL(redirect)
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString()
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/logout') {
      provider.logoutParams = url.searchParams
      return void response.writeHead(302, { location: url.searchParams.get('post_logout_redirect_uri') ?? '' }).end()
    }
    if (url.pathname === '/token' && request.method === 'POST') {
      let body = ''
      for await (const part of request) body += String(part)
      const [status, made] = await token(new URLSearchParams(body))
      return json(status, made)
    }
    json(404, {})
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const issuer = knownAs ?? `http://127.0.0.1:${port}`
  const provider: OidcProvider = {
    issuer,
    port,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_TENANT: CLIENT.tenant,
      SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
    },
    ...createFreshState(),
    authorizationParams: new URLSearchParams(),
    logoutParams: undefined,
    reset: () => void Object.assign(provider, createFreshState()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    [Symbol.asyncDispose]: () => provider.close(),
  }
  return provider
}
