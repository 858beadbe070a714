import { sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import type { Configuration } from './configuration.ts'

type DefaultRecipients = Pick<Configuration, 'changeRequestsTo' | 'supportRequestsTo'>

/** The recipients of requests in the settings; for changes by region, null meaning all others. */
interface RecipientSettings {
  readonly changeRequestsTo: { readonly region: string | null; readonly emails: string[] }[]
  readonly supportRequestsTo: string[]
}

/** The recipients of requests. Empty settings are filled from the configuration (CHANGE_REQUESTS_TO, SUPPORT_REQUESTS_TO). */
export const resolveRecipients = (
  { changeRequestsTo, supportRequestsTo }: RecipientSettings,
  configuration: DefaultRecipients,
): RecipientSettings => {
  const hasGeneral = changeRequestsTo.some(({ region, emails }) => region === null && emails.length > 0)
  return {
    changeRequestsTo:
      hasGeneral || configuration.changeRequestsTo.length === 0
        ? changeRequestsTo
        : [...changeRequestsTo.filter(({ region }) => region !== null), { region: null, emails: [...configuration.changeRequestsTo] }],
    supportRequestsTo: supportRequestsTo.length > 0 ? supportRequestsTo : [...configuration.supportRequestsTo],
  }
}

/** The recipients of a request: for a change those of its region, otherwise those without a region. May be empty. */
export const listRecipients = async (
  db: Queryable,
  configuration: DefaultRecipients,
  { kind, region }: { kind: 'change' | 'support'; region: string | null },
): Promise<string[]> => {
  const { rows } = await sql<{ value: RecipientSettings }>`select value from setting where name = 'settings'`.execute(db)
  const { changeRequestsTo, supportRequestsTo } = resolveRecipients(
    rows[0]?.value ?? { changeRequestsTo: [], supportRequestsTo: [] },
    configuration,
  )
  if (kind === 'support') return supportRequestsTo
  const emailsOf = (wanted: string | null): string[] => changeRequestsTo.find((one) => one.region === wanted)?.emails ?? []
  const own = region === null ? [] : emailsOf(region)
  return own.length > 0 ? own : emailsOf(null)
}
