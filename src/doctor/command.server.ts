import type { WrongLine } from '../command-line/environment-file.ts'
import { isEmail } from '../contract/emails.ts'
import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import { type Configuration, checkConfiguration } from '../platform/server/configuration.ts'
import { findPasswords, redactSecrets } from '../platform/server/credentials.ts'
import type { SettingName } from '../platform/server/environment.ts'
import { setOutboundProxy } from '../platform/server/outbound-proxy.ts'
import { getErrorReason, StartupError } from '../platform/server/startup-errors.ts'
import { TimeoutError, withTimeout } from '../platform/server/with-timeout.ts'
import { checkDatabase } from './database.server.ts'
import { checkDossiers } from './dossiers.server.ts'
import { checkCertificates, checkFolders, checkPublicUrl } from './environment.server.ts'
import { type Finding, failed, note, passed } from './finding.ts'
import { checkDirectory, checkHr, checkMail, checkSignIn, sendTestMail } from './services.server.ts'
import { checkWebhooks } from './webhooks.server.ts'

interface DoctorOptions {
  readonly args?: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly out: { write: (text: string) => unknown }
  /** How long one service may take to respond. */
  readonly timeoutMs?: number
  /** Lines of the environment file that cannot be parsed. */
  readonly wrongLines?: readonly WrongLine[]
}

interface Check {
  /** Without these the check has nothing to look at. */
  readonly needs: readonly SettingName[]
  readonly run: (configuration: Configuration, timeoutMs: number) => Promise<Finding[]>
}
const CHECKS: Readonly<Record<string, Check>> = {
  'data folder': { needs: ['DATA_DIR', 'BACKUP_DIR'], run: checkFolders },
  database: { needs: ['DATABASE_URL', 'DATA_DIR'], run: checkDatabase },
  'sign-in': { needs: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'PUBLIC_URL', 'HTTPS_PROXY'], run: checkSignIn },
  mail: { needs: ['SMTP_URL', 'MAIL_FROM'], run: checkMail },
  'HR source': { needs: ['HR_URL', 'HR_VIEW'], run: checkHr },
  directory: { needs: ['OIDC_ISSUER', 'GRAPH_URL', 'HTTPS_PROXY'], run: checkDirectory },
  webhooks: { needs: ['DATABASE_URL', 'WEBHOOK_PRIVATE_TARGETS', 'HTTPS_PROXY', 'HTTP_PROXY'], run: checkWebhooks },
  dossiers: { needs: ['DOSSIER_CERTIFICATE', 'DOSSIER_KEY'], run: checkDossiers },
  address: { needs: ['PUBLIC_URL'], run: checkPublicUrl },
  certificate: { needs: [], run: checkCertificates },
}

const SYMBOLS = { right: 'ok   ', wrong: 'WRONG', note: '--   ' } as const

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

export const DOCTOR_HELP = `Usage: homeroom doctor [--mail ADDRESS]

Checks everything the server depends on and says in one line each what is right (ok), wrong (WRONG, with what to do) and worth
knowing (--), and how many days certificates are valid. All wrong settings are listed; what does not need them is checked anyway.
It changes nothing, waits a few seconds at most for each check, and prints no secret.

  --mail ADDRESS  also sends a test mail there, by SMTP_URL

Exit code 0 when nothing is wrong, 1 otherwise.`

/**
 * `homeroom doctor`: checks everything the server depends on without changing anything, and says what is wrong and how to fix it. Returns the exit
 * code.
 */
export const doctorCommand = async (options: DoctorOptions): Promise<number> => {
  const { args = [], environment, out, timeoutMs = 5000, wrongLines = [] } = options
  const testAddress = parseCommandArguments('doctor', args, { mail: { type: 'string' } }).values.mail
  if (testAddress !== undefined && !isEmail(testAddress)) throw new StartupError(`--mail takes an email address, not "${testAddress}"`)
  const writeFinding = (what: string, { state, words }: Finding): void => void out.write(`${SYMBOLS[state]} ${what}: ${words}\n`)
  const unreadable = wrongLines.flatMap(({ name }) => name ?? [])
  const { configuration, mistakes } = checkConfiguration(environment, unreadable)
  const wrongSettings = new Set([...unreadable, ...mistakes.map(({ setting }) => setting)])
  const errors = [...wrongLines, ...mistakes].map(({ message }) => failed(message))
  setOutboundProxy(configuration)
  const secrets = getSecrets(configuration)
  const hidden = ({ state, words }: Finding): Finding => ({
    state,
    words: redactSecrets(words, secrets),
  })
  const readable = passed(`it can be read${configuration.isProduction ? ', and is one for production' : ''}`)
  for (const finding of errors.length > 0 ? errors : [readable]) writeFinding('configuration', finding)
  for (const warning of configuration.warnings) writeFinding('configuration', { state: 'note', words: warning })

  const checks = Object.entries(CHECKS)
  if (testAddress !== undefined) checks.push(['test mail', { needs: ['SMTP_URL', 'MAIL_FROM'], run: sendTestMail(testAddress) }])
  const looked = await Promise.all(
    checks.map(async ([what, { needs, run }]) => {
      const wrong = needs.filter((setting) => wrongSettings.has(setting))
      if (wrong.length > 0) return { what, findings: [note(`not checked, because ${wrong.join(' and ')} cannot be used`)] }
      // Slightly more than a service gets, so that a check itself can report a timeout.
      const findings = await withTimeout(timeoutMs * 2 + 1000, run(configuration, timeoutMs)).catch((error: unknown) => [
        failed(error instanceof TimeoutError ? 'it does not answer in time' : getErrorReason(error)),
      ])
      return { what, findings: findings.map(hidden) }
    }),
  )
  for (const { what, findings } of looked) for (const finding of findings) writeFinding(what, finding)
  const count = [...errors, ...looked.flatMap(({ findings }) => findings)].filter(({ state }) => state === 'wrong').length
  out.write(count === 0 ? 'Nothing is wrong\n' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong\n`)
  return count === 0 ? 0 : 1
}
