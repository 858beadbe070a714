import type { Noun } from '../../../contract/format.ts'

/** What the rows of tables are called before they are erased; those of all other tables are texts of other records. */
const TABLE_NOUNS: Readonly<Record<string, Noun>> = {
  change: ['history entry', 'history entries'],
  former_slug: ['former web address', 'former web addresses'],
  request: ['request or suggestion', 'requests and suggestions'],
  proposal_field: ['suggested value', 'suggested values'],
  comment: ['comment', 'comments'],
  mail: ['email', 'emails'],
  audit_event: ['audit trail entry', 'audit trail entries'],
  error_log: ['error report', 'error reports'],
  account: ['account', 'accounts'],
  session: ['session', 'sessions'],
  api_token: ['API token', 'API tokens'],
  device: ['device password', 'device passwords'],
  assistant_grant: ['assistant', 'assistants'],
  calendar: ['calendar feed', 'calendar feeds'],
  permission: ['permission record', 'permission records'],
  directory_user: ['account in the directory', 'accounts in the directory'],
  hr_person: ['employee record of HR', 'employee records of HR'],
  favorite: ['favorite', 'favorites'],
  recently_viewed: ['recently opened record', 'recently opened records'],
  saved_view: ['saved view', 'saved views'],
  kept_insight: ['chosen insight', 'chosen insights'],
  planned_change: ['planned change', 'planned changes'],
  changeset: ['changeset', 'changesets'],
  sheet_preview: ['uploaded sheet', 'uploaded sheets'],
  webhook_delivery: ['delivery to a webhook', 'deliveries to webhooks'],
  search_miss: ['search without results', 'searches without results'],
  deadline: ['deadline', 'deadlines'],
  site_person: ['role', 'roles'],
  departure: ['departure', 'departures'],
}
const OTHER: Noun = ['text in a record', 'texts in records']

export interface RemovedRows {
  readonly table: string
  readonly rows: number
}

/** What will be removed, in words: '12 history entries', 'the others as one line'. */
export const describeRemoved = (removed: readonly RemovedRows[]): string[] => {
  const groups = Map.groupBy(removed, ({ table }) => (table in TABLE_NOUNS ? table : ''))
  return [...groups].map(([table, rows]) => {
    const count = rows.reduce((sum, one) => sum + one.rows, 0)
    const [one, many] = TABLE_NOUNS[table] ?? OTHER
    return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
  })
}
