import { type Configuration, readConfiguration } from '../platform/server/configuration.ts'
import { passwordsIn, withoutSecrets } from '../platform/server/credentials.ts'
import { linesFor, reasonOf } from '../platform/server/starting.ts'
import { TimeoutError, withTimeout } from '../platform/server/with-timeout.ts'
import { checkDatabase } from './database.server.ts'
import { type Finding, wrong } from './finding.ts'
import { checkFolders, checkPublicUrl } from './place.server.ts'
import { checkDirectory, checkHr, checkMail, checkSignIn } from './services.server.ts'

interface Surroundings {
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

const SIGNS = { right: 'ok   ', wrong: 'WRONG', note: '--   ' } as const

/** Every secret of the configuration, however it is written: whatever a service says of itself, none of them is printed. */
const secretsOf = ({ oidc, secretKey, metricsToken, databaseUrl, smtpUrl, hrUrl }: Configuration): string[] =>
  [oidc?.clientSecret, secretKey, metricsToken, ...[databaseUrl, smtpUrl, hrUrl].flatMap((url) => passwordsIn(url ?? ''))].filter(
    (secret) => secret !== undefined,
  )

/** `npm run doctor`: looks at everything the server depends on, changes nothing, and says what is wrong and what to do. Gives the exit code. */
export const doctorCommand = async ({ environment, out, mostMs = 5000 }: Surroundings): Promise<number> => {
  const say = (what: string, { state, words }: Finding): void => void out.write(`${SIGNS[state]} ${what}: ${words}\n`)
  let configuration: Configuration
  try {
    configuration = readConfiguration(environment)
  } catch (error) {
    for (const line of linesFor(error).split('\n')) say('configuration', wrong(line))
    out.write('The rest was not looked at: it depends on the configuration\n')
    return 1
  }
  const secrets = secretsOf(configuration)
  const hidden = ({ state, words }: Finding): Finding => ({
    state,
    words: withoutSecrets(words, secrets),
  })
  say('configuration', { state: 'right', words: `it can be read${configuration.production ? ', and is one for production' : ''}` })
  for (const warning of configuration.warnings) say('configuration', { state: 'note', words: warning })

  const looked = await Promise.all(
    Object.entries(CHECKS).map(async ([what, check]) => {
      // A little more than a service gets, so that the check itself may say what hangs.
      const findings = await withTimeout(mostMs * 2 + 1000, check(configuration, mostMs)).catch((error: unknown) => [
        wrong(error instanceof TimeoutError ? 'it does not answer in time' : reasonOf(error)),
      ])
      return { what, findings: findings.map(hidden) }
    }),
  )
  for (const { what, findings } of looked) for (const finding of findings) say(what, finding)
  const count = looked.flatMap(({ findings }) => findings).filter(({ state }) => state === 'wrong').length
  out.write(count === 0 ? 'Nothing is wrong\n' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong\n`)
  return count === 0 ? 0 : 1
}
