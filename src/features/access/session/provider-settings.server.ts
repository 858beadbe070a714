import type { Configuration } from '../../../platform/server/configuration.ts'
import { isLoopback } from '../../../platform/server/loopback.ts'
import { finishSignIn } from './contract.ts'

/** Where the local provider is mounted. */
export const LOCAL_PROVIDER_PATH = '/local-provider'
/** No tenant of Entra ID has such an id, so local accounts cannot be used once the organization's own provider is configured. */
export const LOCAL_TENANT = 'local'

export interface ProviderSettings {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** All ID tokens must be issued for this tenant. */
  readonly tenant: string
  readonly allowGuests: boolean
  readonly scope: string
  /** Uses plain HTTP, which is allowed on loopback addresses only. */
  readonly isInsecure: boolean
}

/** The settings of the configured provider; without one, those of the local provider under PUBLIC_URL. */
export const getProviderSettings = ({ oidc, publicUrl }: Configuration): ProviderSettings => {
  const issuer = new URL(oidc ? oidc.issuer : publicUrl + LOCAL_PROVIDER_PATH)
  return {
    issuer,
    clientId: oidc ? oidc.clientId : 'homeroom',
    clientSecret: oidc?.clientSecret,
    tenant: getTenant({ oidc }),
    allowGuests: oidc?.allowGuests ?? false,
    // Directory tokens are used for profile photos and for the hourly check that the account is still valid.
    scope: oidc ? 'openid profile email offline_access User.Read User.ReadBasic.All' : 'openid profile email',
    isInsecure: issuer.protocol === 'http:' && isLoopback(issuer.hostname),
  }
}

export const getTenant = ({ oidc }: Pick<Configuration, 'oidc'>): string => oidc?.tenant ?? LOCAL_TENANT

/** The redirect URI as registered at the provider. */
export const getCallbackUrl = ({ publicUrl }: Configuration): string => publicUrl + finishSignIn.path
/** The post-logout redirect URI as registered at the provider. */
export const getPostLogoutUrl = ({ publicUrl }: Configuration): string => `${publicUrl}/login`
