/** What a command receives: its settings and its output functions. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly out: { write: (text: string) => unknown }
  readonly err: { write: (text: string) => unknown }
}
