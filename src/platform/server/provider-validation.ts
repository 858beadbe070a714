import type { Mistake } from './configuration-error.ts'
import { isProviderPlaceholder } from './secrets.ts'

/** Microsoft's sign-in, in all its clouds. */
const MICROSOFT = /(^|\.)(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)$/
const TENANT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Example names are in capitals or brackets; a lower-case one such as `client` may be real. */
const isExample = (value: string): boolean => isProviderPlaceholder(value) && !/^[a-z]+$/.test(value)

/** Errors in the names that a provider issued. Entra ID identifies a tenant only by its id; other providers may use any name. */
export const findProviderErrors = (issuer: string, clientId: string, tenant: string): Mistake[] => {
  const { hostname, pathname } = new URL(issuer)
  const folders = pathname.split('/').filter(Boolean)
  const mistakes: Mistake[] = []
  for (const [setting, value] of [
    ['OIDC_CLIENT_ID', clientId],
    ['OIDC_TENANT', tenant],
  ] as const)
    if (isExample(value)) mistakes.push({ setting, message: `${setting} looks like an example’s; copy the one that the provider shows` })
  if (folders.some((folder) => isExample(decodeURIComponent(folder))))
    mistakes.push({ setting: 'OIDC_ISSUER', message: 'OIDC_ISSUER contains an example’s name; copy the address that the provider shows' })
  if (mistakes.length > 0 || !MICROSOFT.test(hostname)) return mistakes
  if (!TENANT_ID.test(tenant)) {
    const message = 'OIDC_TENANT must be the Directory (tenant) ID of Entra ID, like 11111111-2222-3333-4444-555555555555'
    return [{ setting: 'OIDC_TENANT', message }]
  }
  if (folders[0]?.toLowerCase() !== tenant.toLowerCase()) {
    const message = 'OIDC_ISSUER must have the same tenant ID as OIDC_TENANT: https://login.microsoftonline.com/{tenant ID}/v2.0'
    return [{ setting: 'OIDC_ISSUER', message }]
  }
  return []
}
