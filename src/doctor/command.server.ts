import { isEmail } from '../contract/emails.ts'
import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import { type Configuration, readConfiguration } from '../platform/server/configuration.ts'
import { findPasswords, redactSecrets } from '../platform/server/credentials.ts'
import { setOutboundProxy } from '../platform/server/outbound-proxy.ts'
import { formatStartupError, getErrorReason, StartupError } from '../platform/server/startup-errors.ts'
import { TimeoutError, withTimeout } from '../platform/server/with-timeout.ts'
import { checkDatabase } from './database.server.ts'
import { checkCertificates, checkFolders, checkPublicUrl } from './environment.server.ts'
import { type Finding, failed } from './finding.ts'
import { checkDirectory, checkHr, checkMail, checkSignIn, sendTestMail } from './services.server.ts'
import { checkWebhooks } from './webhooks.server.ts'

interface DoctorOptions {
  readonly args?: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly out: { write: (text: string) => unknown }
  /** How long one service may take to respond. */
  readonly timeoutMs?: number
}

type Check = (configuration: Configuration, timeoutMs: number) => Promise<Finding[]>
const CHECKS: Readonly<Record<string, Check>> = {
  'data folder': checkFolders,
  database: checkDatabase,
  'sign-in': checkSignIn,
  mail: checkMail,
  'HR source': checkHr,
  directory: checkDirectory,
  webhooks: checkWebhooks,
  address: checkPublicUrl,
  certificate: checkCertificates,
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

Looks at everything the server depends on and says in one line each what is right (ok), wrong (WRONG, with what to do) and worth
knowing (--), and how many days certificates are valid. It changes nothing, waits a few seconds at most for each, and prints no
secret.

  --mail ADDRESS  also sends a test mail there, by SMTP_URL

Exit code 0 when nothing is wrong, 1 otherwise.`

/**
 * `homeroom doctor`: checks everything the server depends on without changing anything, and says what is wrong and how to fix it. Returns the exit
 * code.
 */
export const doctorCommand = async ({ args = [], environment, out, timeoutMs = 5000 }: DoctorOptions): Promise<number> => {
  const testAddress = parseCommandArguments('doctor', args, { mail: { type: 'string' } }).values.mail
  if (testAddress !== undefined && !isEmail(testAddress)) throw new StartupError(`--mail takes an email address, not "${testAddress}"`)
  const writeFinding = (what: string, { state, words }: Finding): void => void out.write(`${SYMBOLS[state]} ${what}: ${words}\n`)
  let configuration: Configuration
  try {
    configuration = readConfiguration(environment)
  } catch (error) {
    for (const line of formatStartupError(error).split('\n')) writeFinding('configuration', failed(line))
    out.write('The rest was not looked at: it depends on the configuration\n')
    return 1
  }
  setOutboundProxy(configuration)
  const secrets = getSecrets(configuration)
  const hidden = ({ state, words }: Finding): Finding => ({
    state,
    words: redactSecrets(words, secrets),
  })
  writeFinding('configuration', {
    state: 'right',
    words: `it can be read${configuration.isProduction ? ', and is one for production' : ''}`,
  })
  for (const warning of configuration.warnings) writeFinding('configuration', { state: 'note', words: warning })

  const checks: typeof CHECKS = { ...CHECKS, ...(testAddress === undefined ? {} : { 'test mail': sendTestMail(testAddress) }) }
  const looked = await Promise.all(
    Object.entries(checks).map(async ([what, check]) => {
      // Slightly more than a service gets, so that a check itself can report a timeout.
      const findings = await withTimeout(timeoutMs * 2 + 1000, check(configuration, timeoutMs)).catch((error: unknown) => [
        failed(error instanceof TimeoutError ? 'it does not answer in time' : getErrorReason(error)),
      ])
      return { what, findings: findings.map(hidden) }
    }),
  )
  for (const { what, findings } of looked) for (const finding of findings) writeFinding(what, finding)
  const count = looked.flatMap(({ findings }) => findings).filter(({ state }) => state === 'wrong').length
  out.write(count === 0 ? 'Nothing is wrong\n' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong\n`)
  return count === 0 ? 0 : 1
}
