import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

import { z } from 'zod'

import { isEmail } from '../contract/emails.ts'
import { findLineError } from '../contract/text-cleaning.ts'
import { findCredentialsError } from './credentials.ts'
import { InvalidHostsError, parseHosts } from './database-address.ts'
import { isLoopback } from './loopback.ts'
import { findProductionErrors, findProductionWarnings } from './production.ts'
import { findProviderErrors } from './provider-validation.ts'
import { findUnknownSettings } from './unknown-settings.ts'

/** One line per mistake; nothing has been started yet. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

const SERVED_PARTS = ['web', 'app', 'locations'] as const
export type ServedPart = (typeof SERVED_PARTS)[number]

const integer = (least: number, most: number, otherwise: number) =>
  z.coerce
    .number({ error: `must be a number from ${least} to ${most}` })
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be ${least} or more`)
    .max(most, `must be ${most} or less`)
    .default(otherwise)
const textList = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,;]+/).filter(Boolean))
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((address) => !/^\w+:\/\/[^/?#]*@/.test(address), 'must hold no user and no password')
  .optional()
/** An address with a user and a password, which is refused where it would be read as another one than was meant. */
const urlWithCredentials = (scheme: RegExp, error: string) =>
  z
    .string()
    .regex(scheme, error)
    .superRefine((address, { addIssue }) => {
      const mistake = scheme.test(address) ? findCredentialsError(address) : undefined
      if (mistake !== undefined) addIssue(mistake)
    })
const timeZone = z
  .string()
  .default('America/Los_Angeles')
  .refine((zone) => {
    try {
      return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
    } catch {
      return false
    }
  }, 'is not a time zone such as America/Los_Angeles')

const findHostsError = (address: string): string | undefined => {
  try {
    parseHosts(address)
    return undefined
  } catch (error) {
    if (error instanceof InvalidHostsError) return error.message
    throw error
  }
}

const PROXIES_MESSAGE =
  'must be true or false, a number of proxies one behind the other, or their addresses or networks separated by commas'
const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most))
}
/** The proxies in front of the server; undefined where the text names none. Trusting all of them would trust what an outsider writes. */
const parseProxies = (text: string): TrustedProxies | undefined => {
  if (text === '' || text === '0' || text === 'false') return false
  if (text === 'true') return 1
  if (/^[1-9]$/.test(text)) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  return networks.every(isNetwork) ? networks : undefined
}

/** What holds a secret is not repeated in a mistake's line; neither is an address with a user, wherever it was put by mistake. */
const SECRET_SETTINGS = new Set(['DATABASE_URL', 'OIDC_CLIENT_SECRET', 'SECRET_KEY', 'METRICS_TOKEN', 'SMTP_URL', 'HR_URL'])

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The environment variables, as docs/operators/configuration.md lists them. An empty variable counts as unset. */
export const Environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: integer(0, 65_535, 3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be an address or a name of this machine, such as 127.0.0.1')
    .default('127.0.0.1'),
  PUBLIC_URL: url,
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: urlWithCredentials(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .superRefine((address, { addIssue }) => {
      const mistake = findCredentialsError(address) === undefined ? findHostsError(address) : undefined
      if (mistake !== undefined) addIssue(mistake)
    })
    .optional(),
  SERVE: z
    .string()
    .default('web,app,locations')
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(SERVED_PARTS, { error: 'takes any of web, app, locations, separated by commas' })).min(1)),
  APP_URL: url,
  LOCATIONS_URL: url,
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_TENANT: z.string().optional(),
  OIDC_ALLOW_GUESTS: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
  SUPER_ADMINS: textList,
  BACKUP_DIR: z.string().optional(),
  SMTP_URL: urlWithCredentials(/^smtps?:\/\/[^\s/]+/, 'must begin with smtp:// or smtps://').optional(),
  MAIL_FROM: z.string().optional(),
  CHANGE_REQUESTS_TO: textList,
  SUPPORT_REQUESTS_TO: textList,
  HR_URL: urlWithCredentials(/^(mssql|postgres(ql)?):\/\//, 'must begin with mssql:// or postgres://').optional(),
  HR_VIEW: z
    .string()
    .regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$/, 'must be a name such as staff or hr.staff')
    .default('hr_person'),
  GRAPH_URL: url.default('https://graph.microsoft.com/v1.0'),
  APP_ID: z.string().default('homeroom'),
  TIME_ZONE: timeZone,
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .refine((value) => parseProxies(value) !== undefined, PROXIES_MESSAGE)
    .transform((value) => parseProxies(value) ?? false),
  SESSION_HOURS: integer(1, 720, 12),
  SESSION_IDLE_MINUTES: integer(1, 43_200, 60),
  KEEP_PAGE_VIEWS_MONTHS: integer(1, 120, 13),
  KEEP_ERRORS_DAYS: integer(1, 3650, 90),
  KEEP_SEARCHES_DAYS: integer(1, 3650, 90),
  KEEP_SESSIONS_DAYS: integer(1, 3650, 30),
  DRAIN_SECONDS: integer(0, 600, 0),
  STOP_SECONDS: integer(1, 600, 30),
  SLOW_MS: integer(1, 600_000, 2000),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ANALYTICS_URL: url,
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `takes one of ${LOG_LEVELS.join(', ')}` }).default('warn'),
  SAMPLE: z
    .string()
    .regex(/^(none|[1-9]\d{0,5})$/, 'must be a number of sites from 1 up, or none')
    .optional(),
})

/** None, how many there are one behind the other, or the networks they are in. */
type TrustedProxies = false | number | string[]

export type Settings = z.infer<typeof Environment>

/** The organization's sign-in provider. */
interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly tenant: string
  /** Whether guests of the tenant may sign in. */
  readonly allowGuests: boolean
}

/** How long what was noted is kept. */
export interface RetentionSettings {
  readonly pageViewsMonths: number
  readonly errorsDays: number
  readonly searchesDays: number
  /** Of sessions and API tokens, from their end. */
  readonly sessionsDays: number
}

export interface Configuration {
  /** Where people work with it: NODE_ENV says so, or PUBLIC_URL is no loopback address. */
  readonly isProduction: boolean
  /** What is no mistake, but worth a line at start. */
  readonly warnings: readonly string[]
  readonly port: number
  readonly host: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Where backups are kept. */
  readonly backupDir: string
  /** Whether the server itself makes one a day: where the database is its own, or a folder is named. */
  readonly isBackupEnabled: boolean
  readonly serve: ReadonlySet<ServedPart>
  /** Base addresses the web app calls; empty for our own origin. */
  readonly appUrl: string
  readonly locationsUrl: string
  /** Undefined means the local sign-in provider, which is served on loopback only. */
  readonly oidc: OidcSettings | undefined
  readonly superAdmins: readonly string[]
  /** Undefined means that mails are written as `.eml` files. */
  readonly smtpUrl: string | undefined
  /** Whom our mails are from: an address, or `Name <address>`. */
  readonly mailFrom: string
  /** Who gets change and support requests until the settings say so. */
  readonly changeRequestsTo: readonly string[]
  readonly supportRequestsTo: readonly string[]
  /** Undefined means our own table, filled by an import. */
  readonly hrUrl: string | undefined
  /** The view or table of the HR source: `name` or `schema.name`. */
  readonly hrView: string
  readonly graphUrl: string
  readonly appId: string
  readonly timeZone: string
  readonly secretKey: string | undefined
  /** Whose `X-Forwarded-…` headers count: what such a proxy added, and nothing that was there before. */
  readonly trustProxy: TrustedProxies
  readonly sessionHours: number
  readonly sessionIdleMinutes: number
  readonly retention: RetentionSettings
  /** How long `/readyz` says no before a SIGTERM ends the listening. */
  readonly drainSeconds: number
  /** How long what is under way may take to end; then it is cut. */
  readonly stopSeconds: number
  /** From how many milliseconds on an answer is slow, and gets a line in the log. */
  readonly slowMs: number
  readonly metricsToken: string | undefined
  readonly analyticsUrl: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Sites of the sample network; 0 for none. */
  readonly sample: number
}

/** Without slashes at its end. */
const removeTrailingSlashes = (url: string): string => /^(?:.*[^/])?/s.exec(url)?.[0] ?? url

/** Whether people work with it, known before anything else is read. */
export const isProduction = ({ NODE_ENV, PUBLIC_URL }: NodeJS.ProcessEnv): boolean =>
  NODE_ENV === 'production' || (PUBLIC_URL !== undefined && URL.canParse(PUBLIC_URL) && !isLoopback(new URL(PUBLIC_URL).hostname))

/** Reads and checks the environment; throws every mistake at once. */
/** An address, or `Name <address>`. */
const isMailFrom = (text: string): boolean => findLineError(text) === undefined && isEmail(/<([^<>]{0,300})>$/.exec(text)?.[1] ?? text)

export const readConfiguration = (environment: NodeJS.ProcessEnv): Configuration => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const read = Environment.safeParse(given)
  if (!read.success) {
    throw new ConfigurationError(
      read.error.issues.map(({ path, message }) => {
        const name = String(path[0])
        const value = given[name] ?? ''
        return SECRET_SETTINGS.has(name) || value.includes('@') ? `${name} ${message}` : `${name} ${message} (it is "${value}")`
      }),
    )
  }
  const e = read.data
  const mistakes = (['SUPER_ADMINS', 'CHANGE_REQUESTS_TO', 'SUPPORT_REQUESTS_TO'] as const).flatMap((name) =>
    e[name]
      .filter((address) => !isEmail(address))
      .map((address) => `${name} takes email addresses${address.includes('://') ? '' : ` (it has "${address}")`}`),
  )
  if (e.MAIL_FROM !== undefined && !isMailFrom(e.MAIL_FROM)) mistakes.push(`MAIL_FROM takes an email address (it is "${e.MAIL_FROM}")`)
  const hostInUrl = e.HOST.includes(':') ? `[${e.HOST}]` : e.HOST
  const publicUrl = removeTrailingSlashes(e.PUBLIC_URL ?? `http://${hostInUrl}:${e.PORT}`)
  const production = e.NODE_ENV === 'production' || !isLoopback(new URL(publicUrl).hostname)

  if (e.OIDC_ISSUER === undefined) {
    const local = isLoopback(e.HOST) && isLoopback(new URL(publicUrl).hostname) && e.TRUST_PROXY === false
    if (e.SERVE.includes('app') && !local) {
      mistakes.push(
        'OIDC_ISSUER is not set, and the local sign-in provider is only served when HOST and PUBLIC_URL are loopback and TRUST_PROXY is off',
      )
    }
  } else {
    const { protocol, hostname } = new URL(e.OIDC_ISSUER)
    if (protocol === 'http:' && !isLoopback(hostname)) mistakes.push('OIDC_ISSUER must be an https address')
    if (!e.OIDC_CLIENT_ID) mistakes.push('OIDC_CLIENT_ID must be set where OIDC_ISSUER is')
    if (!e.OIDC_TENANT) mistakes.push('OIDC_TENANT must be set where OIDC_ISSUER is')
    mistakes.push(...findProviderErrors(e.OIDC_ISSUER, e.OIDC_CLIENT_ID ?? '', e.OIDC_TENANT ?? ''))
    if (e.SECRET_KEY === undefined) mistakes.push('SECRET_KEY must be set where OIDC_ISSUER is: it encrypts directory tokens')
  }
  if (production) mistakes.push(...findProductionErrors(e, publicUrl))
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)

  return {
    isProduction: production,
    warnings: [...findUnknownSettings(given, Object.keys(Environment.shape)), ...(production ? findProductionWarnings(e) : [])],
    port: e.PORT,
    host: e.HOST,
    publicUrl,
    dataDir: resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL,
    backupDir: resolve(e.BACKUP_DIR ?? join(e.DATA_DIR, 'backups')),
    isBackupEnabled: e.DATABASE_URL === undefined || e.BACKUP_DIR !== undefined,
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
    trustProxy: e.TRUST_PROXY,
    sessionHours: e.SESSION_HOURS,
    sessionIdleMinutes: e.SESSION_IDLE_MINUTES,
    retention: {
      pageViewsMonths: e.KEEP_PAGE_VIEWS_MONTHS,
      errorsDays: e.KEEP_ERRORS_DAYS,
      searchesDays: e.KEEP_SEARCHES_DAYS,
      sessionsDays: e.KEEP_SESSIONS_DAYS,
    },
    drainSeconds: e.DRAIN_SECONDS,
    stopSeconds: e.STOP_SECONDS,
    slowMs: e.SLOW_MS,
    metricsToken: e.METRICS_TOKEN,
    analyticsUrl: e.ANALYTICS_URL,
    logLevel: e.LOG_LEVEL,
    sample: e.SAMPLE === 'none' ? 0 : e.SAMPLE === undefined ? (production ? 0 : 300) : Number(e.SAMPLE),
  }
}
