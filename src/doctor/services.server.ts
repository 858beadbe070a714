import { randomUUID } from 'node:crypto'

import { getPostLogoutUrl, getCallbackUrl } from '../features/access/session/provider-settings.server.ts'
import { discoverProvider, formatReason as signInReason } from '../features/access/session/provider.server.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { getErrorCode } from '../platform/server/error-code.ts'
import { createMailTransport, getConnectionReason } from '../platform/server/mail/transport.ts'
import { getErrorReason } from '../platform/server/startup-errors.ts'
import { createMssqlSource } from '../records/hr/mssql-source.server.ts'
import { createPostgresSource } from '../records/hr/postgres-source.server.ts'
import { GuardedSource } from '../records/hr/source.server.ts'
import { type Finding, note, passed, failed } from './finding.ts'

export const checkSignIn = async (configuration: Configuration): Promise<Finding[]> => {
  const { oidc, superAdmins } = configuration
  if (oidc === undefined) return [note('the local provider of this machine is used: for trying out only')]
  const findings: Finding[] = []
  try {
    const { issuer, hasLogout, clientError: refusal } = await discoverProvider(configuration)
    findings.push(passed(`${issuer} answers`))
    if (refusal !== undefined)
      findings.push(failed(`${refusal}; check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and whether the secret has expired`))
    else if (oidc.clientSecret !== undefined) findings.push(passed('the provider knows our client and its secret'))
    if (!oidc.allowGuests)
      findings.push(
        note('guests of the tenant are refused, as far as ID tokens carry the claim acct or idp (see docs/operators/sign-in.md)'),
      )
    if (!hasLogout) findings.push(note('the provider has no logout: signing out ends the session here only'))
  } catch (error) {
    findings.push(failed(`${oidc.issuer} cannot be used: ${signInReason(error)}; check OIDC_ISSUER, and the connection from this machine`))
  }
  if (superAdmins.length === 0) findings.push(note('SUPER_ADMINS is empty: no one is an administrator until one is made'))
  return findings
}

export const checkSignInAddresses = async (configuration: Configuration): Promise<Finding[]> =>
  configuration.oidc === undefined
    ? []
    : [note(`register ${getCallbackUrl(configuration)} and ${getPostLogoutUrl(configuration)} at the provider`)]

const isPasswordRefused = (error: unknown): boolean => getErrorCode(error) === 'EAUTH'

export const checkMail = async ({ smtpUrl, dataDir, mailFrom }: Configuration, timeoutMs: number): Promise<Finding[]> => {
  if (smtpUrl === undefined) return [note(`SMTP_URL is not set: mails are written to ${dataDir}/mail, and no one receives them`)]
  const { default: nodemailer } = await import('nodemailer')
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const transport = nodemailer.createTransport({ url: smtpUrl, ...limits })
  try {
    await transport.verify()
    return [passed(`the mail server accepts the connection; mails are from ${mailFrom}`)]
  } catch (error) {
    return [
      isPasswordRefused(error)
        ? failed('the mail server refuses the user or the password; check SMTP_URL (write @ and : of a password as %40 and %3A)')
        : failed(`the mail server cannot be used: ${getConnectionReason(error)}; check SMTP_URL, and the connection from this machine`),
    ]
  } finally {
    transport.close()
  }
}

/** Sends a test mail to one address, the way the server does. */
export const sendTestMail =
  (address: string) =>
  async (configuration: Configuration): Promise<Finding[]> => {
    if (configuration.smtpUrl === undefined) return [failed('none was sent: SMTP_URL is not set')]
    const { accepted, problem } = await createMailTransport(configuration).send({
      _id: randomUUID(),
      messageId: `<${randomUUID()}@${new URL(configuration.publicUrl).hostname}>`,
      recipients: [address],
      accepted: [],
      subject: 'Test mail of Homeroom',
      body: `This is a test mail of Homeroom (${configuration.publicUrl}). An administrator asked for it; there is nothing to do.\n`,
      html: null,
      replyName: null,
      replyTo: null,
      createdAt: new Date(),
    })
    return accepted.length === 1
      ? [passed(`the mail server accepted one to ${address}, from ${configuration.mailFrom}`)]
      : [failed(`the mail server did not accept one to ${address}: ${problem}; check SMTP_URL and MAIL_FROM`)]
  }

export const checkHr = async ({ hrUrl, hrView }: Configuration, timeoutMs: number): Promise<Finding[]> => {
  if (hrUrl === undefined)
    return [
      note('HR_URL is not set: Add Staff searches our own table, filled by the page Import, or by the command "import employees FILE"'),
    ]
  const source = new GuardedSource((hrUrl.startsWith('mssql:') ? createMssqlSource : createPostgresSource)(hrUrl, hrView, timeoutMs), hrUrl)
  try {
    await source.find({ words: ['a'], namePrefix: 'a', withEmails: false, limit: 1 }, timeoutMs)
    return [passed(`the HR source answers a search in ${hrView}`)]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : getErrorReason(error)
    return [failed(`the HR source cannot be searched: ${cause}; check HR_URL and HR_VIEW`)]
  } finally {
    void source.close().catch(() => undefined)
  }
}

export const checkDirectory = async ({ oidc, graphUrl }: Configuration, timeoutMs: number): Promise<Finding[]> => {
  if (oidc === undefined) return [note('not asked without OIDC_ISSUER: photos need someone to sign in')]
  try {
    const { status } = await fetch(`${graphUrl}/me`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    // The request is unauthenticated, so a refusal is what a working directory returns.
    if (status < 500) return [passed(`${graphUrl} answers`)]
    return [failed(`${graphUrl} answers ${status}; photos are missing until it works again`)]
  } catch (error) {
    return [failed(`${graphUrl} cannot be reached: ${getFetchReason(error)}; check GRAPH_URL, and the connection from this machine`)]
  }
}

/** Why a URL could not be fetched: the reason is in the error's cause. */
export const getFetchReason = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it does not answer in time'
  return getErrorReason(error instanceof Error && error.cause !== undefined ? error.cause : error)
}
