import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import { type Configuration, readConfiguration } from '../platform/server/configuration.ts'
import { findPasswords, redactSecrets } from '../platform/server/credentials.ts'
import { formatStartupError, getErrorReason } from '../platform/server/startup-errors.ts'
import { TimeoutError, withTimeout } from '../platform/server/with-timeout.ts'
import { checkDatabase } from './database.server.ts'
import { type Finding, failed } from './finding.ts'
import { checkFolders, checkPublicUrl } from './place.server.ts'
import { checkDirectory, checkHr, checkMail, checkSignIn } from './services.server.ts'

interface DoctorOptions {
  readonly args?: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly out: { write: (text: string) => unknown }
  /** How long one service may take to answer. */
  readonly mostMs?: number
}

type Check = (configuration: Configuration, mostMs: number) => Promise<Finding[]>
const CHECKS: Readonly<Record<string, Check>> = {
  'data folder': checkFolders,
  database: checkDatabase,
  'sign-in': checkSignIn,
  mail: checkMail,
  'HR source': checkHr,
  directory: checkDirectory,
  address: checkPublicUrl,
}

const SYMBOLS = { right: 'ok   ', wrong: 'WRONG', note: '--   ' } as const

/** Every secret of the configuration, however it is written: whatever a service says of itself, none of them is printed. */
const getSecrets = ({ oidc, secretKey, metricsToken, databaseUrl, smtpUrl, hrUrl }: Configuration): string[] =>
  [oidc?.clientSecret, secretKey, metricsToken, ...[databaseUrl, smtpUrl, hrUrl].flatMap((url) => findPasswords(url ?? ''))].filter(
    (secret) => secret !== undefined,
  )

export const DOCTOR_HELP = `Usage: homeroom doctor

Looks at everything the server depends on and says in one line each what is right (ok), wrong (WRONG, with what to do) and worth
knowing (--). It changes nothing, waits a few seconds at most for each, and prints no secret.

Exit code 0 when nothing is wrong, 1 otherwise.`

/** `homeroom doctor`: looks at everything the server depends on, changes nothing, and says what is wrong and what to do. Gives the exit code. */
export const doctorCommand = async ({ args = [], environment, out, mostMs = 5000 }: DoctorOptions): Promise<number> => {
  parseCommandArguments('doctor', args, {})
  const say = (what: string, { state, words }: Finding): void => void out.write(`${SYMBOLS[state]} ${what}: ${words}\n`)
  let configuration: Configuration
  try {
    configuration = readConfiguration(environment)
  } catch (error) {
    for (const line of formatStartupError(error).split('\n')) say('configuration', failed(line))
    out.write('The rest was not looked at: it depends on the configuration\n')
    return 1
  }
  const secrets = getSecrets(configuration)
  const hidden = ({ state, words }: Finding): Finding => ({
    state,
    words: redactSecrets(words, secrets),
  })
  say('configuration', { state: 'right', words: `it can be read${configuration.isProduction ? ', and is one for production' : ''}` })
  for (const warning of configuration.warnings) say('configuration', { state: 'note', words: warning })

  const looked = await Promise.all(
    Object.entries(CHECKS).map(async ([what, check]) => {
      // A little more than a service gets, so that the check itself may say what hangs.
      const findings = await withTimeout(mostMs * 2 + 1000, check(configuration, mostMs)).catch((error: unknown) => [
        failed(error instanceof TimeoutError ? 'it does not answer in time' : getErrorReason(error)),
      ])
      return { what, findings: findings.map(hidden) }
    }),
  )
  for (const { what, findings } of looked) for (const finding of findings) say(what, finding)
  const count = looked.flatMap(({ findings }) => findings).filter(({ state }) => state === 'wrong').length
  out.write(count === 0 ? 'Nothing is wrong\n' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong\n`)
  return count === 0 ? 0 : 1
}
