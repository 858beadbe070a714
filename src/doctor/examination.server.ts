import type { Configuration } from '../platform/server/configuration.ts'
import { findPasswords, redactSecrets } from '../platform/server/credentials.ts'
import type { SettingName } from '../platform/server/environment.ts'
import { getErrorReason } from '../platform/server/startup-errors.ts'
import { TimeoutError, withTimeout } from '../platform/server/with-timeout.ts'
import { checkDatabase } from './database.server.ts'
import { checkDossiers } from './dossiers.server.ts'
import { checkCertificates, checkFolders, checkPublicUrl } from './environment.server.ts'
import { type Finding, failed, note } from './finding.ts'
import { checkDirectory, checkHr, checkMail, checkSignIn, checkSignInAddresses, sendTestMail } from './services.server.ts'
import { checkWebhooks } from './webhooks.server.ts'

interface Check {
  /** Settings without which the check has nothing to look at. */
  readonly needs: (configuration: Configuration) => readonly SettingName[]
  readonly run: (configuration: Configuration, timeoutMs: number) => Promise<Finding[]>
}
/** A private database is in DATA_DIR, any other where DATABASE_URL says. */
const getDatabaseSettings = ({ databaseUrl }: Configuration): readonly SettingName[] =>
  databaseUrl === undefined ? ['DATABASE_URL', 'DATA_DIR'] : ['DATABASE_URL']

const CHECKS: Readonly<Record<string, Check>> = {
  'data folder': { needs: () => ['DATA_DIR'], run: checkFolders },
  database: { needs: getDatabaseSettings, run: checkDatabase },
  'sign-in': { needs: () => ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'HTTPS_PROXY'], run: checkSignIn },
  'sign-in addresses': { needs: () => ['OIDC_ISSUER', 'PUBLIC_URL'], run: checkSignInAddresses },
  mail: { needs: () => ['SMTP_URL'], run: checkMail },
  'HR source': { needs: () => ['HR_URL', 'HR_VIEW'], run: checkHr },
  directory: { needs: () => ['OIDC_ISSUER', 'GRAPH_URL', 'HTTPS_PROXY'], run: checkDirectory },
  webhooks: {
    needs: (configuration) => [...getDatabaseSettings(configuration), 'WEBHOOK_PRIVATE_TARGETS', 'HTTPS_PROXY', 'HTTP_PROXY'],
    run: checkWebhooks,
  },
  dossiers: { needs: () => ['DOSSIER_CERTIFICATE', 'DOSSIER_KEY'], run: checkDossiers },
  address: { needs: () => ['PUBLIC_URL'], run: checkPublicUrl },
  certificate: { needs: () => [], run: checkCertificates },
}

/** Every secret of the configuration, in every encoding, so that none is printed as part of a service's message. */
const getSecrets = ({ oidc, outboundProxy, ...rest }: Configuration): string[] => {
  const { secretKey, secretKeyPrevious, metricsTokens, backupPassphrase, databaseUrl, ownerDatabaseUrl, smtpUrl, hrUrl } = rest
  const urls = [databaseUrl, ownerDatabaseUrl, smtpUrl, hrUrl, outboundProxy.https, outboundProxy.http]
  return [
    oidc?.clientSecret,
    secretKey,
    secretKeyPrevious,
    ...metricsTokens,
    backupPassphrase,
    ...urls.flatMap((url) => findPasswords(url ?? '')),
  ].filter((secret) => secret !== undefined)
}

/** What was found about one subject. */
interface Examined {
  readonly what: string
  readonly findings: readonly Finding[]
}

interface ExaminationOptions {
  /** How long one service may take to respond. */
  readonly timeoutMs: number
  /** Whether a setting can be read; a check whose settings cannot says so, and all others are made. */
  readonly isReadable?: (setting: SettingName) => boolean
  /** A test mail is sent there. */
  readonly testAddress?: string
}

/** Checks everything that the server depends on, without changing anything. Findings contain no secret. */
export const examine = async (
  configuration: Configuration,
  { timeoutMs, isReadable = () => true, testAddress }: ExaminationOptions,
): Promise<readonly Examined[]> => {
  const secrets = getSecrets(configuration)
  const hide = ({ state, words }: Finding): Finding => ({ state, words: redactSecrets(words, secrets) })
  const checks = Object.entries(CHECKS)
  if (testAddress !== undefined) checks.push(['test mail', { needs: () => ['SMTP_URL', 'MAIL_FROM'], run: sendTestMail(testAddress) }])
  const warned = configuration.warnings.map((words) => ({ what: 'configuration', findings: [note(words)] }))
  const looked = await Promise.all(
    checks.map(async ([what, { needs, run }]): Promise<Examined> => {
      const wrong = needs(configuration).filter((setting) => !isReadable(setting))
      if (wrong.length > 0) return { what, findings: [note(`not checked, because ${wrong.join(' and ')} cannot be used`)] }
      // Slightly more than a service gets, so that a check itself can report a timeout.
      const findings = await withTimeout(timeoutMs * 2 + 1000, run(configuration, timeoutMs)).catch((error: unknown) => [
        failed(error instanceof TimeoutError ? 'it does not answer in time' : getErrorReason(error)),
      ])
      return { what, findings: findings.map(hide) }
    }),
  )
  return [...warned, ...looked]
}

/** Sends a test mail, and says what the server answered. */
export const examineMail = async (configuration: Configuration, address: string): Promise<readonly Finding[]> => {
  const secrets = getSecrets(configuration)
  const findings = await sendTestMail(address)(configuration)
  return findings.map(({ state, words }) => ({ state, words: redactSecrets(words, secrets) }))
}
