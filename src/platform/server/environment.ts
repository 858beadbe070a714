import { isIP } from 'node:net'

import { z } from 'zod'

import { isTimeZone } from '../../contract/time-zones.ts'
import { findCredentialsError } from './credentials.ts'
import { InvalidHostsError, parseHosts } from './database-address.ts'

const SERVED_PARTS = ['web', 'app', 'locations'] as const
export type ServedPart = (typeof SERVED_PARTS)[number]

const integer = (min: number, max: number, otherwise: number) =>
  z.coerce
    .number({ error: `must be a number from ${min} to ${max}` })
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be ${min} or more`)
    .max(max, `must be ${max} or less`)
    .default(otherwise)
const flag = (on: string, off: string) =>
  z
    .string()
    .default(off)
    .pipe(z.stringbool({ truthy: [on], falsy: [off], case: 'sensitive', error: `must be ${on} or ${off}` }))
const textList = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,;]+/).filter(Boolean))
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((address) => !/^\w+:\/\/[^/?#]*@/.test(address), 'must not contain a user or a password')
  .optional()
/** A URL with a user and a password; refused if it would be parsed with a different host or password than intended. */
const urlWithCredentials = (scheme: RegExp, error: string) =>
  z
    .string()
    .regex(scheme, error)
    .superRefine((address, { addIssue }) => {
      const mistake = scheme.test(address) ? findCredentialsError(address) : undefined
      if (mistake !== undefined) addIssue(mistake)
    })
/** Without a scheme it is HTTP, as in curl. */
const proxyUrl = z.preprocess(
  (text) => (typeof text === 'string' && text !== '' && !text.includes('://') ? `http://${text}` : text),
  urlWithCredentials(/^https?:\/\/[^\s/]+/, 'must be an http or https address').optional(),
)
const timeZone = z.string().default('America/Los_Angeles').refine(isTimeZone, 'is not a time zone such as America/Los_Angeles')

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
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    rest.length === 0 && maxBits > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits))
  )
}
/** The proxies in front of the server; undefined if the text is not valid. Trusting every proxy would trust text from outsiders. */
const parseProxies = (text: string): TrustedProxies | undefined => {
  if (text === '' || text === '0' || text === 'false') return false
  if (text === 'true') return 1
  if (/^[1-9]$/.test(text)) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  return networks.every(isNetwork) ? networks : undefined
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The environment variables, as documented in docs/operators/configuration.md. An empty variable counts as unset. */
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
  OWNER_DATABASE_URL: urlWithCredentials(/^postgres(ql)?:\/\//, 'must begin with postgres://').optional(),
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
  OIDC_ALLOW_GUESTS: flag('true', 'false'),
  SUPER_ADMINS: textList,
  BACKUP_DIR: z.string().optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 02:00')
    .default('02:00'),
  BACKUP_KEEP: integer(1, 1000, 7),
  BACKUP_PASSPHRASE: z.string().min(16, 'must have at least 16 characters').optional(),
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
  SECRET_KEY_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .refine((value) => parseProxies(value) !== undefined, PROXIES_MESSAGE)
    .transform((value) => parseProxies(value) ?? false),
  SESSION_HOURS: integer(1, 720, 12),
  SESSION_IDLE_MINUTES: integer(1, 43_200, 60),
  OFFLINE_DAYS: integer(0, 30, 7),
  KEEP_PAGE_VIEWS_MONTHS: integer(1, 120, 13),
  KEEP_ERRORS_DAYS: integer(1, 3650, 90),
  KEEP_SEARCHES_DAYS: integer(1, 3650, 90),
  KEEP_SESSIONS_DAYS: integer(1, 3650, 30),
  // The table's trigger does not allow earlier deletion.
  KEEP_AUDIT_DAYS: integer(30, 36_500, 730),
  AUDIT_LOG: flag('true', 'false'),
  DRAIN_SECONDS: integer(0, 600, 0),
  STOP_SECONDS: integer(1, 600, 30),
  SLOW_MS: integer(1, 600_000, 2000),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  METRICS_TOKEN_PREVIOUS: z.string().min(16, 'must have at least 16 characters').optional(),
  HTTPS_PROXY: proxyUrl,
  HTTP_PROXY: proxyUrl,
  NO_PROXY: z.string().default(''),
  ANALYTICS_URL: url,
  DOSSIER_CERTIFICATE: z.string().optional(),
  DOSSIER_KEY: z.string().optional(),
  WEBHOOK_PRIVATE_TARGETS: flag('allow', 'refuse'),
  MCP: flag('on', 'off'),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `takes one of ${LOG_LEVELS.join(', ')}` }).default('warn'),
  SAMPLE: z
    .string()
    .regex(/^(none|[1-9]\d{0,5})$/, 'must be a number of sites from 1 up, or none')
    .optional(),
})

/** No proxies, the number of proxies in a row, or the networks they are in. */
export type TrustedProxies = false | number | string[]

/** The environment, checked and parsed. */
export type Environment = z.infer<typeof Environment>
export type SettingName = keyof Environment
