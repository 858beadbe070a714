/** Settings that the server passes to the page at run time; there is no build per environment. */
export interface WebConfiguration {
  /** Base URLs of the two APIs; empty means our own origin. */
  readonly appUrl: string
  readonly locationsUrl: string
  /** The organization's time zone. */
  readonly timeZone: string
  /** The application that the permission records are for. */
  readonly appId: string
  /** What every page shows of the organization; `logo` is the id of a picture, and no `states` mean all. */
  readonly organization: { readonly name: string | null; readonly logo: string | null; readonly states: readonly string[] }
  /** How many days a device keeps the directory without reaching the server; 0 forbids it. */
  readonly offlineDays: number
  /** Whether a mail server is connected; otherwise mails are only kept in a folder of the server. */
  readonly hasMail: boolean
}

const defaults: WebConfiguration = {
  appUrl: '',
  locationsUrl: '',
  timeZone: 'America/Los_Angeles',
  appId: 'homeroom',
  organization: { name: null, logo: null, states: [] },
  offlineDays: 0,
  hasMail: true,
}

const readConfiguration = (): Partial<WebConfiguration> => {
  try {
    return JSON.parse(document.getElementById('configuration')?.textContent ?? '') as Partial<WebConfiguration>
  } catch {
    return {}
  }
}

export const configuration: WebConfiguration = { ...defaults, ...readConfiguration() }
