import type { SignInResult } from '../../../database/account-tables.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'
import { getTenant } from './provider-settings.server.ts'
import { finishAuthorization, formatReason } from './provider.server.ts'

/** The claims that a sign-in uses, in the order in which a test shows them. */
const SHOWN_CLAIMS = ['iss', 'tid', 'oid', 'name', 'preferred_username', 'email', 'acct', 'idp', 'groups', 'roles']
const MAX_VALUE_LENGTH = 300

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE_LENGTH)

/** Finishes a sign-in that only tests the provider: the claims it sent, or why they are refused. Neither an account nor a ticket follows. */
export const runSignInTest = async (
  configuration: Configuration,
  query: URLSearchParams,
  started: { state: string; nonce: string; verifier: string },
): Promise<SignInResult> => {
  try {
    const { claims, identity } = await finishAuthorization(configuration, query, started)
    return {
      problem: null,
      tenant: identity.tenant,
      claims: SHOWN_CLAIMS.flatMap((name) => (claims[name] === undefined ? [] : [{ name, value: toText(claims[name]) }])),
    }
  } catch (error) {
    return { problem: formatReason(error), tenant: getTenant(configuration), claims: [] }
  }
}
