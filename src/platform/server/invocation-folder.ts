/** The folder in which a command was run, for relative file names: npm changes to the package's folder, and `homeroom` to the service's. */
export const getInvocationFolder = (environment: NodeJS.ProcessEnv, command: string): string =>
  environment['npm_lifecycle_event'] === command ? (environment['INIT_CWD'] ?? '.') : '.'
