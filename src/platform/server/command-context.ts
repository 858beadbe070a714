/** What a command is given: the settings, and where its lines go. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly out: { write: (text: string) => unknown }
  readonly err: { write: (text: string) => unknown }
}
