import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import { capitalize } from '../../contract/format.ts'
import type { Queryable } from '../../database/connection.server.ts'
import { examine } from '../../doctor/examination.server.ts'
import { findTestResult, getCallbackUrl, getPostLogoutUrl, getTenant } from '../../features/access/session/queries.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import type { SettingName } from '../../platform/server/environment.ts'
import type { Finding, Setup, Variable } from './contract.ts'
import { SETUP_STEPS, type SetupStep } from './rules.ts'

/** The row of `setup_state` with the sample network. */
export const SAMPLE_STATE = 'sample'

/** The sample as it was loaded: how many sites, and the last change of its history. Without sites it was removed. */
interface SampleState {
  readonly sites: number
  readonly lastChange: number
}

interface StoredStates {
  readonly steps: ReadonlyMap<string, string>
  readonly sample: SampleState | null
}

const readStates = async (db: Queryable): Promise<StoredStates> => {
  const rows = await db.selectFrom('setup_state').select(['name', 'value']).execute()
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const sample = values.get(SAMPLE_STATE) as SampleState | undefined
  values.delete(SAMPLE_STATE)
  return {
    steps: new Map([...values].map(([name, { state }]) => [name, String(state)])),
    sample: sample && sample.sites > 0 ? sample : null,
  }
}

/** The sample network; null in a database without one, whose records are real. */
export const findSample = async (db: Queryable): Promise<Setup['sample']> => {
  const { sample } = await readStates(db)
  if (!sample) return null
  // Saves have a request; the sample’s own history has none.
  const { rows } = await sql<{ changes: number }>`
    select count(*)::int as changes from change where _id > ${sample.lastChange} and request is not null
      and "table" not in ('permission', 'setting')`.execute(db)
  return { sites: sample.sites, changes: rows[0]?.changes ?? 0 }
}

/** What can be imported, with the kind of the import. */
const IMPORTED = { charters: 'charter', sites: 'site', staff: 'person', sis_sites: 'sis_site' } as const
const IMPORTED_LABELS = { charters: 'Charters', sites: 'Sites', staff: 'People', sis_sites: 'SIS sites' } as const

const countRecords = async (db: Queryable): Promise<Setup['records']> =>
  Promise.all(
    Object.entries(IMPORTED).map(async ([kind, table]) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(db)
      return { kind, label: IMPORTED_LABELS[kind as keyof typeof IMPORTED], count: rows[0]?.count ?? 0 }
    }),
  )

const countAdministrators = async (db: Queryable, { appId }: Configuration, user: SignedIn): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from permission
    where "applicationID" = ${appId} and "accessLevel" <= 6 and account is distinct from ${user.account}`.execute(db)
  return rows[0]?.count ?? 0
}

const toVariables = ({ givenSettings }: Configuration, values: Readonly<Partial<Record<SettingName, string>>>): Variable[] =>
  Object.entries(values).map(([name, value]) => ({ name, isSet: givenSettings.has(name as SettingName), line: `${name}='${value}'` }))

/** A key to copy, the same until the next start, so that a page that is loaded again shows no other one. */
const SUGGESTED_KEY = randomBytes(32).toString('base64')

/** The settings of sign-in, with the parts that only the provider knows in capitals. */
const listSignInVariables = (configuration: Configuration): Variable[] =>
  toVariables(configuration, {
    PUBLIC_URL: configuration.publicUrl,
    OIDC_ISSUER: 'https://login.microsoftonline.com/TENANT/v2.0',
    OIDC_TENANT: 'TENANT',
    OIDC_CLIENT_ID: 'CLIENT',
    OIDC_CLIENT_SECRET: 'SECRET',
    SECRET_KEY: configuration.secretKey === undefined ? SUGGESTED_KEY : '…',
    SUPER_ADMINS: 'YOUR WORK ADDRESS',
  })

const listMailVariables = (configuration: Configuration): Variable[] =>
  toVariables(configuration, { SMTP_URL: 'smtp://USER:PASSWORD@SERVER:587', MAIL_FROM: configuration.mailFrom })

/** How far the setup is, as the caller sees it. */
export const getSetup = async (context: AppContext, user: SignedIn): Promise<Setup> => {
  const { db, configuration, organization } = context
  const [{ steps }, sample, records, administrators, test] = await Promise.all([
    readStates(db),
    findSample(db),
    countRecords(db),
    countAdministrators(db, configuration, user),
    findTestResult(db, user.account),
  ])
  const hasRecords = records.some(({ count }) => count > 0)
  // What the sample network has is no one’s work.
  const isDone: Readonly<Record<SetupStep, boolean>> = {
    organization: organization.facts.name !== null,
    records: sample === null && hasRecords,
    sign_in: configuration.oidc !== undefined,
    mail: configuration.smtpUrl !== undefined,
    people: sample === null && administrators > 0,
  }
  const getState = (step: SetupStep) => {
    if (isDone[step]) return 'done'
    // A step that was passed without it is skipped.
    return (steps.get(step) ?? 'open') === 'open' ? 'open' : 'skipped'
  }
  return {
    isEmpty: !hasRecords,
    isBegun: steps.size > 0,
    steps: SETUP_STEPS.map((name) => ({ name, state: getState(name) })),
    sample,
    organization: { timeZone: configuration.timeZone, isTimeZoneFixed: configuration.givenSettings.has('TIME_ZONE') },
    records,
    signIn: {
      isLocal: configuration.oidc === undefined,
      redirectUrl: getCallbackUrl(configuration),
      logoutUrl: getPostLogoutUrl(configuration),
      tenant: getTenant(configuration),
      variables: listSignInVariables(configuration),
      test: test ? { ...test, at: test.at.toISOString() } : null,
    },
    mail: { isConfigured: configuration.smtpUrl !== undefined, from: configuration.mailFrom, variables: listMailVariables(configuration) },
    administrators,
  }
}

const CHECK_TIMEOUT_MS = 5000

/** What the doctor finds, for people. */
export const listFindings = async ({ configuration }: AppContext): Promise<Finding[]> => {
  const examined = await examine(configuration, { timeoutMs: CHECK_TIMEOUT_MS })
  return examined.flatMap(({ what, findings }) => findings.map((finding) => ({ what: capitalize(what), ...finding })))
}
