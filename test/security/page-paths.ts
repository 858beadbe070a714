/** The records that pages show, by the first part of the page's path. */
const SHOWN_RECORDS = {
  region: 'region',
  charter: 'charter',
  charterview: 'charter',
  charter_affair: 'charter',
  brand: 'brand',
  brandview: 'brand',
  location: 'site',
  staff: 'person',
  accounts: 'account',
  requests: 'proposal',
  sheets: 'sheet',
  changes: 'changeset',
  webhooks: 'webhook',
  help: 'guide',
} as const

/** What the address of a record's page has: a slug, or an id. */
export type PageRecords = Readonly<Partial<Record<(typeof SHOWN_RECORDS)[keyof typeof SHOWN_RECORDS] | 'sis', string>>>

/** The address of a page of the app, with its parameters filled in. */
export const fillPage = (page: string, records: PageRecords): string => {
  const first = page.split('/')[1] ?? ''
  const record = { guide: 'finding', ...records }[SHOWN_RECORDS[first as keyof typeof SHOWN_RECORDS]]
  if (record === undefined && page.includes('$')) throw new Error(`There is no record for ${page}`)
  return page.replace('sis/$id', `sis/${records.sis}`).replace(/\$\w+/, encodeURIComponent(record ?? ''))
}
