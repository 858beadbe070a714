import type { SettingName } from './environment.ts'

/** What is wrong with a setting; the message names the setting. */
export interface Mistake {
  readonly setting: SettingName
  readonly message: string
}

/** Invalid settings, one line per error; thrown before anything is started. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}
