import { join, resolve } from 'node:path'

import { isEmail } from '../../contract/emails.ts'
import { findLineError } from '../../contract/text-cleaning.ts'
import { ConfigurationError, type Mistake } from './configuration-error.ts'
import { Environment, type SettingName, type LOG_LEVELS, type ServedPart, type TrustedProxies } from './environment.ts'
import { isLoopback } from './loopback.ts'
import { findProductionErrors, findProductionWarnings } from './production.ts'
import { findProviderErrors } from './provider-validation.ts'
import { SECRET_FILE_SETTINGS, SECRET_SETTINGS, resolveSecrets } from './secret-files.ts'
import { type SigningCertificate, readSigningCertificate } from './signing-certificate.ts'
import { findUnknownSettings } from './unknown-settings.ts'

/** Error messages never repeat a secret, or a URL with a user name, even one that was put into the wrong variable by mistake. */
const isSecret = (name: string): boolean => SECRET_SETTINGS.some((secret) => secret === name)

/** The organization's sign-in provider. */
interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly tenant: string
  /** Whether guests of the tenant may sign in. */
  readonly allowGuests: boolean
}

/** How long logs are kept. */
export interface RetentionSettings {
  readonly pageViewsMonths: number
  readonly errorsDays: number
  readonly searchesDays: number
  /** For sessions and API tokens, counted from their end. */
  readonly sessionsDays: number
  readonly auditDays: number
}

export interface Configuration {
  /** The names of the settings that the environment has. */
  readonly givenSettings: ReadonlySet<SettingName>
  /** Whether this is a production installation: NODE_ENV says so, or PUBLIC_URL is not a loopback address. */
  readonly isProduction: boolean
  /** Warnings to print at startup about valid but questionable settings. */
  readonly warnings: readonly string[]
  readonly port: number
  readonly host: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** The role that owns the tables, for the commands that change them; never read by the server. */
  readonly ownerDatabaseUrl: string | undefined
  /** Where backups are kept. */
  readonly backupDir: string
  /** Whether the server makes a daily backup: with a private database, or if a folder is configured. */
  readonly isBackupEnabled: boolean
  /** The time of day of the daily backup in `timeZone`: `02:00`. */
  readonly backupAt: string
  /** How many daily backups are kept. */
  readonly backupKeep: number
  /** Encrypts backups; undefined means that they are not. */
  readonly backupPassphrase: string | undefined
  readonly serve: ReadonlySet<ServedPart>
  /** Base URLs that the web app calls; empty for its own origin. */
  readonly appUrl: string
  readonly locationsUrl: string
  /** Undefined means the local sign-in provider, which only works on loopback. */
  readonly oidc: OidcSettings | undefined
  readonly superAdmins: readonly string[]
  /** Undefined means that mails are written as `.eml` files. */
  readonly smtpUrl: string | undefined
  /** The sender of our mails: an address, or `Name <address>`. */
  readonly mailFrom: string
  /** Recipients of change and support requests until the settings define them. */
  readonly changeRequestsTo: readonly string[]
  readonly supportRequestsTo: readonly string[]
  /** Undefined means Homeroom's own table, filled by an import. */
  readonly hrUrl: string | undefined
  /** The view or table of the HR source: `name` or `schema.name`. */
  readonly hrView: string
  readonly graphUrl: string
  readonly appId: string
  /** TIME_ZONE, or else that of the settings, which `Organization` keeps up to date. */
  timeZone: string
  readonly secretKey: string | undefined
  /** The previous key, which is still accepted for decryption. */
  readonly secretKeyPrevious: string | undefined
  /** Proxies whose `X-Forwarded-…` headers are trusted: only what they added themselves. */
  readonly trustProxy: TrustedProxies
  readonly sessionHours: number
  readonly sessionIdleMinutes: number
  /** How long a device keeps the directory without reaching the server; 0 forbids it. */
  readonly offlineDays: number
  readonly retention: RetentionSettings
  /** Whether audit events are also written to the log. */
  readonly isAuditLogged: boolean
  /** How long `/readyz` reports "not ready" after SIGTERM before the server stops listening. */
  readonly drainSeconds: number
  /** How long requests in progress may take to finish before they are aborted. */
  readonly stopSeconds: number
  /** Responses slower than this many milliseconds are logged. */
  readonly slowMs: number
  /** Tokens for `/metrics`: the current one, and the previous one during a rotation. */
  readonly metricsTokens: readonly string[]
  /** The proxy for outgoing requests, and the hosts that bypass it. */
  readonly outboundProxy: { readonly https: string | undefined; readonly http: string | undefined; readonly except: string }
  readonly analyticsUrl: string | undefined
  /** Whether webhooks may use private network or loopback addresses, and plain HTTP. */
  readonly allowPrivateWebhooks: boolean
  /** Whether assistants can connect, whatever the settings say. */
  readonly isMcpOn: boolean
  /** Signs dossiers; undefined if none is set. */
  readonly dossierCertificate: SigningCertificate | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Number of sites in the sample network; 0 for no sample. */
  readonly sample: number
}

/** The configuration for commands that act as the owner of the tables. */
export const toOwnerConfiguration = (configuration: Configuration): Configuration => ({
  ...configuration,
  databaseUrl: configuration.ownerDatabaseUrl ?? configuration.databaseUrl,
})

/** Without slashes at its end. */
const removeTrailingSlashes = (url: string): string => /^(?:.*[^/])?/s.exec(url)?.[0] ?? url

/** Whether this is a production installation; needed before anything else is read. */
export const isProduction = ({ NODE_ENV, PUBLIC_URL }: NodeJS.ProcessEnv): boolean =>
  NODE_ENV === 'production' || (PUBLIC_URL !== undefined && URL.canParse(PUBLIC_URL) && !isLoopback(new URL(PUBLIC_URL).hostname))

/** An address, or `Name <address>`. */
const isMailFrom = (text: string): boolean => findLineError(text) === undefined && isEmail(/<([^<>]{0,300})>$/.exec(text)?.[1] ?? text)

/**
 * Reads and validates the environment, and finds all errors at once. A setting that cannot be read is reported once and then counts as unset;
 * `unreadable` names those that were already reported.
 */
export const checkConfiguration = (
  environment: NodeJS.ProcessEnv,
  unreadable: readonly string[] = [],
): { configuration: Configuration; mistakes: readonly Mistake[] } => {
  const secrets = resolveSecrets(environment)
  const given = Object.fromEntries(Object.entries(secrets.environment).filter(([, value]) => value !== undefined && value !== ''))
  const refused = (Environment.safeParse(given).error?.issues ?? []).map(({ path, message }): Mistake => {
    const setting = path[0] as SettingName
    const value = given[setting] ?? ''
    const isHidden = isSecret(setting) || value.includes('@')
    return { setting, message: isHidden ? `${setting} ${message}` : `${setting} ${message} (it is "${value}")` }
  })
  const mistakes = [...secrets.mistakes, ...refused]
  const skipped = new Set([...unreadable, ...mistakes.map(({ setting }) => setting)])
  const e = Environment.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !skipped.has(name))))
  const addAll = (more: readonly Mistake[]): void => {
    const own = more.filter(({ setting }) => !skipped.has(setting))
    mistakes.push(...own.map((mistake) => ({ ...mistake, isUsable: given[mistake.setting] !== undefined })))
  }
  const add = (setting: SettingName, problem: string): void => addAll([{ setting, message: `${setting} ${problem}` }])

  for (const name of ['SUPER_ADMINS', 'CHANGE_REQUESTS_TO', 'SUPPORT_REQUESTS_TO'] as const)
    for (const address of e[name].filter((one) => !isEmail(one)))
      add(name, `takes email addresses${address.includes('://') ? '' : ` (it has "${address}")`}`)
  if (e.MAIL_FROM !== undefined && !isMailFrom(e.MAIL_FROM)) add('MAIL_FROM', `takes an email address (it is "${e.MAIL_FROM}")`)
  const hostInUrl = e.HOST.includes(':') ? `[${e.HOST}]` : e.HOST
  const publicUrl = removeTrailingSlashes(e.PUBLIC_URL ?? `http://${hostInUrl}:${e.PORT}`)
  // An address that cannot be read may be a public one.
  const production = e.NODE_ENV === 'production' || skipped.has('PUBLIC_URL') || !isLoopback(new URL(publicUrl).hostname)

  if (e.OIDC_ISSUER === undefined) {
    const local = isLoopback(e.HOST) && isLoopback(new URL(publicUrl).hostname) && e.TRUST_PROXY === false
    if (e.SERVE.includes('app') && !local)
      add(
        'OIDC_ISSUER',
        'is not set, and the local sign-in provider is only served when HOST and PUBLIC_URL are loopback and TRUST_PROXY is off',
      )
  } else {
    const { protocol, hostname } = new URL(e.OIDC_ISSUER)
    if (protocol === 'http:' && !isLoopback(hostname)) add('OIDC_ISSUER', 'must be an https address')
    if (!e.OIDC_CLIENT_ID) add('OIDC_CLIENT_ID', 'must be set if OIDC_ISSUER is')
    if (!e.OIDC_TENANT) add('OIDC_TENANT', 'must be set if OIDC_ISSUER is')
    addAll(findProviderErrors(e.OIDC_ISSUER, e.OIDC_CLIENT_ID ?? '', e.OIDC_TENANT ?? ''))
    if (e.SECRET_KEY === undefined) add('SECRET_KEY', 'must be set if OIDC_ISSUER is: it encrypts directory tokens')
  }
  if (production) addAll(findProductionErrors(e, publicUrl))
  const { certificate: dossierCertificate, mistakes: certificateMistakes } = readSigningCertificate(e)
  addAll(certificateMistakes)

  const configuration: Configuration = {
    givenSettings: new Set(Object.keys(given).filter((name) => !skipped.has(name)) as SettingName[]),
    isProduction: production,
    warnings: [
      ...findUnknownSettings(given, [...Object.keys(Environment.shape), ...SECRET_FILE_SETTINGS]),
      ...(production ? findProductionWarnings(e) : []),
    ],
    port: e.PORT,
    host: e.HOST,
    publicUrl,
    dataDir: resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL,
    ownerDatabaseUrl: e.OWNER_DATABASE_URL,
    backupDir: resolve(e.BACKUP_DIR ?? join(e.DATA_DIR, 'backups')),
    isBackupEnabled: e.DATABASE_URL === undefined || e.BACKUP_DIR !== undefined,
    backupAt: e.BACKUP_AT,
    backupKeep: e.BACKUP_KEEP,
    backupPassphrase: e.BACKUP_PASSPHRASE,
    serve: new Set(e.SERVE),
    appUrl: removeTrailingSlashes(e.APP_URL ?? ''),
    locationsUrl: removeTrailingSlashes(e.LOCATIONS_URL ?? ''),
    oidc:
      e.OIDC_ISSUER === undefined
        ? undefined
        : {
            issuer: e.OIDC_ISSUER,
            clientId: e.OIDC_CLIENT_ID ?? '',
            clientSecret: e.OIDC_CLIENT_SECRET,
            tenant: e.OIDC_TENANT ?? '',
            allowGuests: e.OIDC_ALLOW_GUESTS,
          },
    superAdmins: e.SUPER_ADMINS.map((address) => address.toLowerCase()),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM ?? `Homeroom <homeroom@${new URL(publicUrl).hostname}>`,
    changeRequestsTo: e.CHANGE_REQUESTS_TO,
    supportRequestsTo: e.SUPPORT_REQUESTS_TO,
    hrUrl: e.HR_URL,
    hrView: e.HR_VIEW,
    graphUrl: removeTrailingSlashes(e.GRAPH_URL),
    appId: e.APP_ID,
    timeZone: e.TIME_ZONE,
    secretKey: e.SECRET_KEY,
    secretKeyPrevious: e.SECRET_KEY_PREVIOUS,
    trustProxy: e.TRUST_PROXY,
    sessionHours: e.SESSION_HOURS,
    sessionIdleMinutes: e.SESSION_IDLE_MINUTES,
    offlineDays: e.OFFLINE_DAYS,
    retention: {
      pageViewsMonths: e.KEEP_PAGE_VIEWS_MONTHS,
      errorsDays: e.KEEP_ERRORS_DAYS,
      searchesDays: e.KEEP_SEARCHES_DAYS,
      sessionsDays: e.KEEP_SESSIONS_DAYS,
      auditDays: e.KEEP_AUDIT_DAYS,
    },
    isAuditLogged: e.AUDIT_LOG,
    drainSeconds: e.DRAIN_SECONDS,
    stopSeconds: e.STOP_SECONDS,
    slowMs: e.SLOW_MS,
    metricsTokens: [e.METRICS_TOKEN, e.METRICS_TOKEN_PREVIOUS].filter((token) => token !== undefined),
    outboundProxy: { https: e.HTTPS_PROXY, http: e.HTTP_PROXY, except: e.NO_PROXY },
    analyticsUrl: e.ANALYTICS_URL,
    allowPrivateWebhooks: e.WEBHOOK_PRIVATE_TARGETS,
    isMcpOn: e.MCP,
    dossierCertificate,
    logLevel: e.LOG_LEVEL,
    sample: e.SAMPLE === 'none' ? 0 : e.SAMPLE === undefined ? (production ? 0 : 300) : Number(e.SAMPLE),
  }
  return { configuration, mistakes }
}

/** The configuration of the server, for which every setting has to be right; throws all errors at once. */
export const readConfiguration = (environment: NodeJS.ProcessEnv): Configuration => {
  const { configuration, mistakes } = checkConfiguration(environment)
  if (mistakes.length > 0) throw new ConfigurationError(mistakes.map(({ message }) => message))
  return configuration
}

/** The settings that every command with a database uses. */
const DATABASE_SETTINGS: readonly SettingName[] = ['DATABASE_URL', 'OWNER_DATABASE_URL', 'DATA_DIR']

/** The configuration of a command, which only its own settings can refuse: backing up has to work while sign-in is not configured. */
export const readCommandConfiguration = (environment: NodeJS.ProcessEnv, uses: readonly SettingName[] = []): Configuration => {
  const { configuration, mistakes } = checkConfiguration(environment)
  const own = mistakes.filter(({ setting }) => DATABASE_SETTINGS.includes(setting) || uses.includes(setting))
  if (own.length > 0) throw new ConfigurationError(own.map(({ message }) => message))
  return configuration
}
