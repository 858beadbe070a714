/** Invalid settings, one line per error; thrown before anything is started. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}
