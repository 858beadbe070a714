import type { WrongLine } from '../command-line/environment-file.ts'
import { isEmail } from '../contract/emails.ts'
import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import { checkConfiguration } from '../platform/server/configuration.ts'
import type { SettingName } from '../platform/server/environment.ts'
import { setOutboundProxy } from '../platform/server/outbound-proxy.ts'
import { StartupError } from '../platform/server/startup-errors.ts'
import { examine } from './examination.server.ts'
import { type Finding, failed, passed } from './finding.ts'

interface DoctorOptions {
  readonly args?: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly out: { write: (text: string) => unknown }
  /** How long one service may take to respond. */
  readonly timeoutMs?: number
  /** Lines of the environment file that cannot be parsed. */
  readonly wrongLines?: readonly WrongLine[]
}

const SYMBOLS = { right: 'ok   ', wrong: 'WRONG', note: '--   ' } as const

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
  const wrongSettings = new Set([...unreadable, ...mistakes.filter(({ isUsable }) => !isUsable).map(({ setting }) => setting)])
  const errors = [...wrongLines, ...mistakes].map(({ message }) => failed(message))
  setOutboundProxy(configuration)
  const readable = passed(`it can be read${configuration.isProduction ? ', and is one for production' : ''}`)
  for (const finding of errors.length > 0 ? errors : [readable]) writeFinding('configuration', finding)

  const isReadable = (setting: SettingName): boolean => !wrongSettings.has(setting)
  const looked = await examine(configuration, { timeoutMs, isReadable, ...(testAddress === undefined ? {} : { testAddress }) })
  for (const { what, findings } of looked) for (const finding of findings) writeFinding(what, finding)
  const count = [...errors, ...looked.flatMap(({ findings }) => findings)].filter(({ state }) => state === 'wrong').length
  out.write(count === 0 ? 'Nothing is wrong\n' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong\n`)
  return count === 0 ? 0 : 1
}
