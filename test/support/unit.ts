import { readFileSync } from 'node:fs'

/**
 * The settings of a systemd unit that determine how its program runs: user, folder, and the variables of its `Environment=` lines. `%i` is the
 * instance.
 */
export const readUnit = (path: string, instance = '') => {
  const lines = readFileSync(path, 'utf8').replaceAll('%i', instance).split('\n')
  const valuesOf = (name: string): string[] => lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
  const variables = valuesOf('Environment').flatMap((value) => value.split(' ').map((word) => word.split(/=(.*)/s).slice(0, 2)))
  return {
    user: valuesOf('User').at(-1) ?? '',
    folder: valuesOf('WorkingDirectory').at(-1) ?? '/',
    program: valuesOf('ExecStart').at(-1) ?? '',
    stateFolder: valuesOf('StateDirectory').at(-1) ?? '',
    environment: Object.fromEntries(variables) as Record<string, string>,
  }
}
