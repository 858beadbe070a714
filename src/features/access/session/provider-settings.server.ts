import type { Configuration } from '../../../platform/server/configuration.ts'
import { isLoopback } from '../../../platform/server/loopback.ts'
import { finishSignIn } from './contract.ts'

/** Where the local provider is mounted. */
export const LOCAL_PROVIDER = '/local-provider'
/** Its tenant: no tenant of Entra ID has such an id, so its accounts are nobody's once the organisation's own provider is set up. */
const LOCAL_TENANT = 'local'

/** How we know the work-account provider, and how it knows us. */
export interface ProviderSettings {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** Every ID token must be of this tenant (D7). */
  readonly tenant: string
  /** Whether guests of that tenant are let in. */
  readonly allowGuests: boolean
  readonly scope: string
  /** Plain http, which only a provider on this machine may speak. */
  readonly insecure: boolean
}

/** The configured provider; without one, the local provider under PUBLIC_URL, known in the very same terms. */
export const providerSettings = ({ oidc, publicUrl }: Configuration): ProviderSettings => {
  const issuer = new URL(oidc ? oidc.issuer : publicUrl + LOCAL_PROVIDER)
  return {
    issuer,
    clientId: oidc ? oidc.clientId : 'homeroom',
    clientSecret: oidc?.clientSecret,
    tenant: tenantOf({ oidc }),
    allowGuests: oidc?.allowGuests ?? false,
    // The directory's tokens are for photos, one's own and those of colleagues (D23), and the hourly renewal (D9).
    scope: oidc ? 'openid profile email offline_access User.Read User.ReadBasic.All' : 'openid profile email',
    insecure: issuer.protocol === 'http:' && isLoopback(issuer.hostname),
  }
}

export const tenantOf = ({ oidc }: Pick<Configuration, 'oidc'>): string => oidc?.tenant ?? LOCAL_TENANT

/** The address the provider sends the browser back to, as it is registered there. */
export const callbackAddress = ({ publicUrl }: Configuration): string => publicUrl + finishSignIn.path
/** The address its logout returns to (D9), as it is registered there. */
export const afterSignOutAddress = ({ publicUrl }: Configuration): string => `${publicUrl}/login`
