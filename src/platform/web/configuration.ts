/** Settings that the server passes to the page at run time; there is no build per environment. */
export interface WebConfiguration {
  /** Base URLs of the two APIs; empty means our own origin. */
  readonly appUrl: string
  readonly locationsUrl: string
  /** The organization's time zone. */
  readonly timeZone: string
  /** The application that the permission records are for. */
  readonly appId: string
  /** How many days a device keeps the directory without reaching the server; 0 forbids it. */
  readonly offlineDays: number
}

const defaults: WebConfiguration = { appUrl: '', locationsUrl: '', timeZone: 'America/Los_Angeles', appId: 'homeroom', offlineDays: 0 }

const readConfiguration = (): Partial<WebConfiguration> => {
  try {
    return JSON.parse(document.getElementById('configuration')?.textContent ?? '') as Partial<WebConfiguration>
  } catch {
    return {}
  }
}

export const configuration: WebConfiguration = { ...defaults, ...readConfiguration() }
