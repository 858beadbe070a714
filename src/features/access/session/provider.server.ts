import * as oidc from 'openid-client'

import type { Configuration } from '../../../platform/server/configuration.ts'
import { GuestRefused, identityOf, SignInRefused, type ToldIdentity } from './identity.server.ts'
import { afterSignOutAddress, callbackAddress, providerSettings } from './provider-settings.server.ts'
import type { StartedSignIn } from './queries.server.ts'
import type { DirectoryTokens } from './sealed-tokens.server.ts'

const PROVIDER_SECONDS = 10
const KEEP_FOR = 3_600_000

/** What each configuration's provider says of itself, kept for an hour; a failure is not kept, so the next sign-in asks again. */
const discovered = new WeakMap<Configuration, { readonly client: Promise<oidc.Configuration>; readonly until: number }>()

const providerOf = (configuration: Configuration): Promise<oidc.Configuration> => {
  const kept = discovered.get(configuration)
  if (kept && kept.until > Date.now()) return kept.client
  const client = discover(configuration)
  discovered.set(configuration, { client, until: Date.now() + KEEP_FOR })
  client.catch(() => {
    if (discovered.get(configuration)?.client === client) discovered.delete(configuration)
  })
  return client
}

const discover = async (configuration: Configuration): Promise<oidc.Configuration> => {
  const { issuer, clientId, clientSecret, insecure } = providerSettings(configuration)
  const client = await oidc.discovery(
    issuer,
    clientId,
    { ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), id_token_signed_response_alg: 'RS256' },
    undefined,
    {
      timeout: PROVIDER_SECONDS,
      // The library trusts an ID token for having come over TLS; we hold its signature against the provider's keys as well (D7).
      execute: [oidc.enableNonRepudiationChecks, ...(insecure ? [oidc.allowInsecureRequests] : [])],
    },
  )
  // The library lets Entra ID's shared endpoints answer for any tenant; ours must be the one configured.
  const { issuer: named } = client.serverMetadata()
  if (new URL(named).href !== issuer.href) throw new SignInRefused(`the provider calls itself ${named}; OIDC_ISSUER must be the same`)
  return client
}

/** What the provider makes of us. */
export interface Acquaintance {
  readonly issuer: string
  readonly hasLogout: boolean
  /** Why our client is refused; undefined where it is known, or nothing can be said. */
  readonly refusal: string | undefined
}

/** Entra ID's own numbers for a client it does not know, a wrong secret and one that has expired. */
const UNKNOWN_TO_ENTRA = /AADSTS(700016|7000215|7000222)/

/** Asks the provider what a sign-in asks, without anybody signing in: its description, its keys, and whether it knows our client and its secret. */
export const meetProvider = async (configuration: Configuration): Promise<Acquaintance> => {
  const client = await discover(configuration)
  const { issuer, jwks_uri: keysAt = '', end_session_endpoint: logout } = client.serverMetadata()
  const keys = (await (await fetch(keysAt, { signal: AbortSignal.timeout(PROVIDER_SECONDS * 1000) })).json()) as { keys?: unknown }
  if (!Array.isArray(keys.keys)) throw new SignInRefused('its keys cannot be read')
  const known = { issuer, hasLogout: logout !== undefined, refusal: undefined }
  if (providerSettings(configuration).clientSecret === undefined) return known
  try {
    // A token for the application itself: Entra ID gives one, others do not give such tokens, and both look at the secret first.
    await oidc.clientCredentialsGrant(client, { scope: 'https://graph.microsoft.com/.default' })
  } catch (error) {
    const isUnknown =
      error instanceof oidc.ResponseBodyError && (error.error === 'invalid_client' || UNKNOWN_TO_ENTRA.test(error.error_description ?? ''))
    if (isUnknown || error instanceof oidc.WWWAuthenticateChallengeError) return { ...known, refusal: reasonOf(error) }
    if (!(error instanceof oidc.ResponseBodyError)) throw error
  }
  return known
}

/** Where to send the browser, and what its return is compared with (D7). */
export const startAtProvider = async (configuration: Configuration): Promise<{ address: URL; state: string } & StartedSignIn> => {
  const client = await providerOf(configuration)
  const state = oidc.randomState()
  const nonce = oidc.randomNonce()
  const verifier = oidc.randomPKCECodeVerifier()
  const address = oidc.buildAuthorizationUrl(client, {
    redirect_uri: callbackAddress(configuration),
    scope: providerSettings(configuration).scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { address, state, nonce, verifier }
}

type Answer = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

const tokensIn = (answer: Answer): DirectoryTokens => ({
  accessToken: answer.access_token,
  expiresAt: Date.now() + (answer.expiresIn() ?? 3600) * 1000,
  refreshToken: answer.refresh_token,
})

/** Trades the code of a callback for an ID token that stood every check, or throws. `query` is the callback's own. */
export const finishAtProvider = async (
  configuration: Configuration,
  query: URLSearchParams,
  { state, nonce, verifier }: { state: string } & StartedSignIn,
): Promise<{ identity: ToldIdentity; idToken: string; tokens: DirectoryTokens }> => {
  const client = await providerOf(configuration)
  const address = new URL(callbackAddress(configuration))
  address.search = query.toString()
  const answer = await oidc.authorizationCodeGrant(client, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = answer.claims()
  if (!claims || answer.id_token === undefined) throw new SignInRefused('there is no ID token')
  return { identity: identityOf(claims, providerSettings(configuration)), idToken: answer.id_token, tokens: tokensIn(answer) }
}

/** The provider's own logout, which returns to /login; undefined where it has none. */
export const logoutAddress = async (configuration: Configuration, idToken: string | null): Promise<URL | undefined> => {
  const client = await providerOf(configuration)
  if (client.serverMetadata().end_session_endpoint === undefined) return undefined
  return oidc.buildEndSessionUrl(client, {
    post_logout_redirect_uri: afterSignOutAddress(configuration),
    ...(idToken === null ? {} : { id_token_hint: idToken }),
  })
}

/** Answers with which a provider says that this person may not go on. Others (busy, our secret ran out) are no fault of theirs. */
const REFUSALS = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required', 'access_denied'])

/** Renews the directory's tokens; 'refused' where the provider no longer vouches for the person (D9). Throws when it cannot be asked. */
export const renewAtProvider = async (
  configuration: Configuration,
  refreshToken: string,
  objectId: string,
): Promise<DirectoryTokens | 'refused'> => {
  const client = await providerOf(configuration)
  try {
    const answer = await oidc.refreshTokenGrant(client, refreshToken)
    const claims = answer.claims()
    if (claims && identityOf(claims, providerSettings(configuration)).objectId !== objectId) return 'refused'
    return { ...tokensIn(answer), refreshToken: answer.refresh_token ?? refreshToken }
  } catch (error) {
    if (error instanceof GuestRefused) return 'refused'
    if (error instanceof oidc.ResponseBodyError && REFUSALS.has(error.error)) return 'refused'
    throw error
  }
}

/** Why a sign-in failed, for the log: kinds and codes, and nothing of tokens, codes or claims, which errors of the library carry along. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
    return `the provider answered ${error.error.slice(0, 60)}: ${(error.error_description ?? '').slice(0, 300)}`
  }
  if (!(error instanceof Error)) return 'unknown'
  const inner = error.cause instanceof Error ? ` (${error.cause.message.slice(0, 200)})` : ''
  return `${error.message.slice(0, 200)}${inner}`
}

/** What the log says of a sign-in that failed: its kind, why, and whose it was where that is known. */
export const failureOf = (error: unknown): { kind: string; reason: string; account: string | null } => {
  const isTheirs = error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError
  const { kind, account } = error instanceof SignInRefused ? error : { kind: isTheirs ? 'provider' : 'failed', account: null }
  return { kind, reason: reasonOf(error), account }
}
