import { parseArgs, type ParseArgsConfig } from 'node:util'

import { StartupError } from './startup-errors.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** The arguments after a command's name; errors are one line that points to the command's help. */
export const parseCommandArguments = <const T extends Options>(command: string, args: readonly string[], options: T, maxNames = 0) => {
  const seeHelp = `see homeroom ${command} --help`
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    if (parsed.positionals.length <= maxNames) return parsed
    throw new StartupError(`"${parsed.positionals[maxNames]}" is one name too many; ${seeHelp}`)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`${(error as Error).message.split('. ')[0]}; ${seeHelp}`)
  }
}
