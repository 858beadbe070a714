import * as oidc from 'openid-client'

import type { Configuration } from '../../../platform/server/configuration.ts'
import type { DirectoryTokens } from './encrypted-tokens.server.ts'
import { GuestRefused, validateIdentity, SignInRefused, type IdTokenIdentity } from './identity.server.ts'
import type { StartedSignIn } from './mutations.server.ts'
import { getPostLogoutUrl, getCallbackUrl, getProviderSettings } from './provider-settings.server.ts'

const PROVIDER_TIMEOUT_SECONDS = 10
const DISCOVERY_CACHE_MS = 3_600_000

/** The client of each configuration, cached for an hour. A failed discovery is not cached, so the next sign-in tries again. */
const clients = new WeakMap<Configuration, { readonly client: Promise<oidc.Configuration>; readonly expiresAt: number }>()

const getClient = (configuration: Configuration): Promise<oidc.Configuration> => {
  const cached = clients.get(configuration)
  if (cached && cached.expiresAt > Date.now()) return cached.client
  const client = createClient(configuration)
  clients.set(configuration, { client, expiresAt: Date.now() + DISCOVERY_CACHE_MS })
  client.catch(() => {
    if (clients.get(configuration)?.client === client) clients.delete(configuration)
  })
  return client
}

const createClient = async (configuration: Configuration): Promise<oidc.Configuration> => {
  const { issuer, clientId, clientSecret, isInsecure } = getProviderSettings(configuration)
  const client = await oidc.discovery(
    issuer,
    clientId,
    { ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), id_token_signed_response_alg: 'RS256' },
    undefined,
    {
      timeout: PROVIDER_TIMEOUT_SECONDS,
      // By default the library trusts an ID token received over TLS; this also verifies its signature.
      execute: [oidc.enableNonRepudiationChecks, ...(isInsecure ? [oidc.allowInsecureRequests] : [])],
    },
  )
  // The library accepts Entra ID's shared endpoints for any tenant; the issuer must be the one configured.
  const { issuer: actualIssuer } = client.serverMetadata()
  if (new URL(actualIssuer).href !== issuer.href)
    throw new SignInRefused(`the provider calls itself ${actualIssuer}; OIDC_ISSUER must be the same`)
  return client
}

export interface DiscoveredProvider {
  readonly issuer: string
  readonly hasLogout: boolean
  /** Why the provider refuses our client; undefined if it accepts it or does not say. */
  readonly clientError: string | undefined
}

/** Entra ID's error codes for an unknown client, a wrong secret and an expired one. */
const ENTRA_CLIENT_ERRORS = /AADSTS(700016|7000215|7000222)/

/** Checks the requirements of a sign-in without anyone signing in: the provider's metadata, its keys, and our client id and secret. */
export const discoverProvider = async (configuration: Configuration): Promise<DiscoveredProvider> => {
  const client = await createClient(configuration)
  const { issuer, jwks_uri: keysUrl = '', end_session_endpoint: logout } = client.serverMetadata()
  const keys = (await (await fetch(keysUrl, { signal: AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1000) })).json()) as { keys?: unknown }
  if (!Array.isArray(keys.keys)) throw new SignInRefused('its keys cannot be read')
  const provider = { issuer, hasLogout: logout !== undefined, clientError: undefined }
  if (getProviderSettings(configuration).clientSecret === undefined) return provider
  try {
    // Entra ID grants a token for the application itself, other providers do not; both check the secret first.
    await oidc.clientCredentialsGrant(client, { scope: 'https://graph.microsoft.com/.default' })
  } catch (error) {
    const isUnknown =
      error instanceof oidc.ResponseBodyError &&
      (error.error === 'invalid_client' || ENTRA_CLIENT_ERRORS.test(error.error_description ?? ''))
    if (isUnknown || error instanceof oidc.WWWAuthenticateChallengeError) return { ...provider, clientError: formatReason(error) }
    if (!(error instanceof oidc.ResponseBodyError)) throw error
  }
  return provider
}

/** Returns the URL to redirect the browser to, and the values to verify its return with. */
export const startAuthorization = async (
  configuration: Configuration,
  isTest = false,
): Promise<{ url: URL; state: string } & Omit<StartedSignIn, 'testedBy'>> => {
  const client = await getClient(configuration)
  const state = oidc.randomState()
  const nonce = oidc.randomNonce()
  const verifier = oidc.randomPKCECodeVerifier()
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: getCallbackUrl(configuration),
    scope: getProviderSettings(configuration).scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // The provider would otherwise answer for whoever is signed in there, without showing its page.
    ...(isTest ? { prompt: 'login' } : {}),
  })
  return { url, state, nonce, verifier }
}

type TokenResponse = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

const toDirectoryTokens = (response: TokenResponse): DirectoryTokens => ({
  accessToken: response.access_token,
  expiresAt: Date.now() + (response.expiresIn() ?? 3600) * 1000,
  refreshToken: response.refresh_token,
})

/** Exchanges the code in the callback's query for a validated ID token. Throws if anything is wrong with it. */
export const finishAuthorization = async (
  configuration: Configuration,
  query: URLSearchParams,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
): Promise<{ identity: IdTokenIdentity; idToken: string; tokens: DirectoryTokens; claims: Readonly<Record<string, unknown>> }> => {
  const client = await getClient(configuration)
  const callbackUrl = new URL(getCallbackUrl(configuration))
  callbackUrl.search = query.toString()
  const response = await oidc.authorizationCodeGrant(client, callbackUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = response.claims()
  if (!claims || response.id_token === undefined) throw new SignInRefused('there is no ID token')
  return {
    identity: validateIdentity(claims, getProviderSettings(configuration)),
    claims,
    idToken: response.id_token,
    tokens: toDirectoryTokens(response),
  }
}

/** The URL of the provider's logout, which returns to /login; undefined if it has none. */
export const buildLogoutUrl = async (configuration: Configuration, idToken: string | null): Promise<URL | undefined> => {
  const client = await getClient(configuration)
  if (client.serverMetadata().end_session_endpoint === undefined) return undefined
  return oidc.buildEndSessionUrl(client, {
    post_logout_redirect_uri: getPostLogoutUrl(configuration),
    ...(idToken === null ? {} : { id_token_hint: idToken }),
  })
}

/** Errors that mean this person may no longer sign in. Others (busy, our secret expired) do not concern the person. */
const REFUSED_GRANT_ERRORS = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required', 'access_denied'])

interface Renewal {
  readonly tokens: DirectoryTokens
  /** From the new ID token; undefined if the provider sent none. */
  readonly identity: IdTokenIdentity | undefined
}

/** Renews the directory's tokens; 'refused' if the provider no longer accepts the person. Throws if it cannot be reached. */
export const refreshDirectoryTokens = async (
  configuration: Configuration,
  refreshToken: string,
  objectId: string,
): Promise<Renewal | 'refused'> => {
  const client = await getClient(configuration)
  try {
    const response = await oidc.refreshTokenGrant(client, refreshToken)
    const claims = response.claims()
    const identity = claims && validateIdentity(claims, getProviderSettings(configuration))
    if (identity && identity.objectId !== objectId) return 'refused'
    return { identity, tokens: { ...toDirectoryTokens(response), refreshToken: response.refresh_token ?? refreshToken } }
  } catch (error) {
    if (error instanceof GuestRefused) return 'refused'
    if (error instanceof oidc.ResponseBodyError && REFUSED_GRANT_ERRORS.has(error.error)) return 'refused'
    throw error
  }
}

/** The reason of a failed sign-in for the log, without the tokens, codes and claims that errors of the library contain. */
export const formatReason = (error: unknown): string => {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
    return `the provider answered ${error.error.slice(0, 60)}: ${(error.error_description ?? '').slice(0, 300)}`
  }
  if (!(error instanceof Error)) return 'unknown'
  const inner = error.cause instanceof Error ? ` (${error.cause.message.slice(0, 200)})` : ''
  return `${error.message.slice(0, 200)}${inner}`
}

export const toFailureEvent = (error: unknown): { kind: string; reason: string; account: string | null } => {
  const isFromProvider = error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError
  const { kind, account } = error instanceof SignInRefused ? error : { kind: isFromProvider ? 'provider' : 'failed', account: null }
  return { kind, reason: formatReason(error), account }
}
