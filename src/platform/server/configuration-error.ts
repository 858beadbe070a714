import type { SettingName } from './environment.ts'

/** What is wrong with a setting; the message names the setting. */
export interface Mistake {
  readonly setting: SettingName
  readonly message: string
  /** The value can be read, and is refused for what it says: what uses it can still be checked. */
  readonly isUsable?: boolean
}

/** Invalid settings, one line per error; thrown before anything is started. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}
