import { isProviderPlaceholder } from './secrets.ts'

/** Microsoft's sign-in, in all its clouds. */
const MICROSOFT = /(^|\.)(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)$/
const TENANT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Example names are in capitals or brackets; a lower-case one such as `client` may be real. */
const isExample = (value: string): boolean => isProviderPlaceholder(value) && !/^[a-z]+$/.test(value)

/** Errors in the names that a provider issued. Entra ID identifies a tenant only by its id; other providers may use any name. */
export const findProviderErrors = (issuer: string, clientId: string, tenant: string): string[] => {
  const { hostname, pathname } = new URL(issuer)
  const folders = pathname.split('/').filter(Boolean)
  const mistakes = Object.entries({ OIDC_CLIENT_ID: clientId, OIDC_TENANT: tenant })
    .filter(([, value]) => isExample(value))
    .map(([name]) => `${name} reads like an example’s; take the one the provider shows`)
  if (folders.some((folder) => isExample(decodeURIComponent(folder))))
    mistakes.push('OIDC_ISSUER has an example’s name in it; take the address the provider shows')
  if (mistakes.length > 0 || !MICROSOFT.test(hostname)) return mistakes
  if (!TENANT_ID.test(tenant))
    return ['OIDC_TENANT must be the Directory (tenant) ID of Entra ID, like 11111111-2222-3333-4444-555555555555']
  if (folders[0]?.toLowerCase() !== tenant.toLowerCase())
    return ['OIDC_ISSUER must have the same tenant ID as OIDC_TENANT: https://login.microsoftonline.com/{tenant ID}/v2.0']
  return []
}
