import { sql } from 'kysely'

import type { Call } from '../../src/contract/call.ts'
import { PICTURE_WIDTHS } from '../../src/contract/fields.ts'
import type { Db } from '../../src/database/connection.server.ts'

/** Values for the parameters and queries of the calls that read. */
export type KnownValues = Awaited<ReturnType<typeof readKnownValues>>
const KINDS = ['brand', 'charter', 'person', 'region', 'site'] as const

const toPaths = (base: string, ends: readonly string[]): string[] => ends.map((end) => `${base}${encodeURIComponent(end)}`)
const idsAndSlugs = ({ ids, slugs }: KnownValues, kind: (typeof KINDS)[number]): string[] => [...ids[kind], ...slugs[kind]]

/** The paths of calls with parameters or queries; by id and by slug if both are accepted. */
const PATHS: Readonly<Record<string, (known: KnownValues) => readonly string[]>> = {
  '/api/accounts': ({ words }) => ['/api/accounts', ...toPaths('/api/accounts?q=', words)],
  '/api/accounts/:id': ({ accounts }) => toPaths('/api/accounts/', accounts),
  '/api/accounts/:id/sessions': ({ accounts }) => accounts.map((id) => `/api/accounts/${id}/sessions`),
  '/api/accounts/:id/tokens': ({ accounts }) => accounts.map((id) => `/api/accounts/${id}/tokens`),
  '/api/accounts/:id/comments': ({ accounts }) => accounts.map((id) => `/api/accounts/${id}/comments`),
  '/api/comments/:kind/:id': (known) => KINDS.flatMap((kind) => toPaths(`/api/comments/${kind}/`, known.ids[kind])),
  '/api/permissions/app_permissions/:appId': ({ applications }) => toPaths('/api/permissions/app_permissions/', applications),
  '/api/permissions/candidates': ({ words }) => toPaths('/api/permissions/candidates?q=', words),
  '/locations-api/regionbyslug/:slug': (known) => toPaths('/locations-api/regionbyslug/', known.slugs.region),
  '/locations-api/brand/:id': (known) => toPaths('/locations-api/brand/', idsAndSlugs(known, 'brand')),
  '/locations-api/brandview/:id': (known) => toPaths('/locations-api/brandview/', idsAndSlugs(known, 'brand')),
  '/locations-api/charterbyslug/:slug': (known) => toPaths('/locations-api/charterbyslug/', known.slugs.charter),
  '/locations-api/charterview/:id': (known) => toPaths('/locations-api/charterview/', idsAndSlugs(known, 'charter')),
  '/locations-api/charter_affair/:id': (known) => toPaths('/locations-api/charter_affair/', idsAndSlugs(known, 'charter')),
  '/locations-api/siteslugprograms/:slug': (known) => toPaths('/locations-api/siteslugprograms/', known.slugs.site),
  '/locations-api/sis': (known) => ['/locations-api/sis', ...toPaths('/locations-api/sis?site=', known.ids.site)],
  '/locations-api/sis/:id': ({ sis }) => toPaths('/locations-api/sis/', sis),
  '/locations-api/people_sites_divide/:group': () => toPaths('/locations-api/people_sites_divide/', ['LEADERSHIP', 'STUDENT_SUPPORT']),
  '/locations-api/people_sites_slug/:slug': (known) => toPaths('/locations-api/people_sites_slug/', known.slugs.person),
  '/api/people/:id/access': (known) => known.ids.person.map((id) => `/api/people/${id}/access`),
  '/api/people/:id/leaving': (known) => known.ids.person.map((id) => `/api/people/${id}/leaving`),
  '/api/people/:slug/vcard': (known) => known.slugs.person.map((slug) => `/api/people/${encodeURIComponent(slug)}/vcard`),
  '/api/sql/:query': ({ words }) =>
    words.flatMap((word) => toPaths('/api/sql/', [word]).flatMap((path) => [path, `${path}?withEmails=true`])),
  '/api/pictures/:id': ({ pictures }) =>
    toPaths('/api/pictures/', pictures).flatMap((path) => [path, ...PICTURE_WIDTHS.map((width) => `${path}?width=${width}`)]),
  '/api/help': () => ['/api/help'],
  '/api/help/:guide': () => ['/api/help/finding', '/api/help/editing'],
  '/api/help/pictures/:name': () => ['/api/help/pictures/site'],
  '/api/profile-photo/:person': (known) => toPaths('/api/profile-photo/', ['me', ...known.ids.person]),
  '/api/requests': ({ words }) => [
    ...['', '?state=open', '?state=done', '?state=declined', '?kind=change', '?kind=support'].map((end) => `/api/requests${end}`),
    ...toPaths('/api/requests?q=', words),
  ],
  '/api/requests/:id': ({ requests }) => toPaths('/api/requests/', requests),
  '/api/proposals': () => ['/api/proposals'],
  '/api/proposals/:id': ({ requests }) => toPaths('/api/proposals/', requests),
  '/api/proposals/fields': (known) =>
    (['site', 'person', 'charter'] as const).flatMap((kind) => toPaths(`/api/proposals/fields?kind=${kind}&record=`, known.ids[kind])),
  '/api/activity': () => ['/api/activity'],
  '/api/activity/new': () => ['/api/activity/new?since=0'],
  '/api/activity/counts': () => ['/api/activity/counts'],
  '/api/activity/workbook': () => ['/api/activity/workbook'],
  '/api/activity/:id': ({ changes }) => toPaths('/api/activity/', changes),
  '/api/changesets/:id': ({ changesets }) => toPaths('/api/changesets/', changesets),
  '/api/planned': () => ['/api/planned'],
  '/api/duplicates': () => ['/api/duplicates', '/api/duplicates?kind=person'],
  '/api/checks': () => ['/api/checks', '/api/checks?due=true'],
  '/api/history/:kind/:id': (known) => KINDS.flatMap((kind) => toPaths(`/api/history/${kind}/`, known.ids[kind])),
  '/api/history/permission/:id': ({ permissions }) => toPaths('/api/history/permission/', permissions),
  '/api/history/charter_affair/:id': (known) => toPaths('/api/history/charter_affair/', known.ids.charter),
  '/api/history/deadline/:id': ({ deadlines }) => toPaths('/api/history/deadline/', deadlines),
  '/api/insights/:name': () => toPaths('/api/insights/', ['site-status', 'vacancies', 'lease-map']),
  '/api/past-days/:kind/:id': (known) => KINDS.flatMap((kind) => toPaths(`/api/past-days/${kind}/`, idsAndSlugs(known, kind))),
  '/api/past-days/charter_affair/:id': (known) => toPaths('/api/past-days/charter_affair/', known.ids.charter),
  '/api/deadlines': (known) => ['/api/deadlines', ...toPaths('/api/deadlines?charter=', known.ids.charter)],
  '/api/deadlines/counts': () => ['/api/deadlines/counts'],
  '/api/deadlines/charters/:id/texts': (known) => known.ids.charter.map((id) => `/api/deadlines/charters/${id}/texts`),
  '/api/deadlines/:id': ({ deadlines }) => toPaths('/api/deadlines/', deadlines),
  '/api/calendars': () => ['/api/calendars', '/api/calendars?all=true'],
  // Only the hash of a secret is stored.
  '/calendar/:secret.ics': () => [],
  // A response without an end.
  '/api/live': () => [],
  '/api/devices': () => ['/api/devices'],
  '/api/assistants': () => ['/api/assistants'],
  '/api/settings/assistants': () => ['/api/settings/assistants'],
  '/dav-profile/:ticket.mobileconfig': () => [],
  // Counts rows of sessions and of the audit trail, which differ after a restore.
  '/api/erase/:kind/:id': () => [],
  '/api/audit': () => ['/api/audit'],
  '/api/audit/entries': () => ['/api/audit/entries'],
  '/api/audit/workbook': () => ['/api/audit/workbook'],
  '/api/sheets/:kind': () => ['/api/sheets/sites'],
  // Only the user who uploaded a sheet can read its preview.
  '/api/sheets/preview/:id': () => [],
  '/api/sheets/preview/:id/progress': () => [],
  '/api/sheets/preview/:id/file': () => [],
  '/api/imports': () => ['/api/imports'],
  '/api/imports/:id': () => [],
  // Its token has the number of the last change, which continues differently after a restore.
  '/api/offline': () => [],
  // A restore pauses webhooks: src/backup/backup.server.test.ts.
  '/api/webhooks/:id': () => [],
  '/api/webhooks/:id/deliveries': () => [],
  '/api/dossiers': (known) => toPaths('/api/dossiers?charter=', idsAndSlugs(known, 'charter')),
  '/api/dossiers/:id': ({ dossiers }) => toPaths('/api/dossiers/', dossiers),
  // Only sums are compared: the bytes are those of the table.
  '/api/dossiers/:id/pdf': () => [],
  '/api/dossiers/:id/zip': () => [],
  '/api/search': ({ words }) =>
    words.flatMap((word) => toPaths('/api/search?q=', [word]).flatMap((path) => [path, ...KINDS.map((kind) => `${path}&kind=${kind}`)])),
  '/api/coverage/:region': (known) => toPaths('/api/coverage/', idsAndSlugs(known, 'region')),
  '/api/usage': () => ['/api/usage', '/api/usage?days=396'],
  '/api/errors': () => ['/api/errors', '/api/errors?days=3650', '/api/errors?q=e'],
  '/api/errors/:fingerprint': ({ errors }) => toPaths('/api/errors/', errors),
}

/** Whether the paths of a call are known. */
export const hasReadPaths = ({ path, query, params }: Call): boolean => (!query && !params) || PATHS[path] !== undefined

/** All paths of a call that reads: with each of its parameters and queries. */
export const listReadPaths = ({ path }: Call, known: KnownValues): readonly string[] => PATHS[path]?.(known) ?? [path]

/** Reads the values from the database, so that no list of the API can hide a record. */
export const readKnownValues = async (db: Db) => {
  const read = async (query: string): Promise<string[]> =>
    (await sql<{ value: string | null }>`${sql.raw(query)}`.execute(db)).rows.flatMap(({ value }) => value ?? [])
  const readIds = (table: string): Promise<string[]> => read(`select _id as value from ${table} order by _id`)
  const readOfKinds = async (column: '_id' | 'slug') => {
    const lists = KINDS.map(async (kind) => [kind, await read(`select ${column} as value from ${kind} order by _id`)] as const)
    return Object.fromEntries(await Promise.all(lists)) as Record<(typeof KINDS)[number], string[]>
  }
  // Rare values, since a search with too many matches may show any of them: some sites, some people, a ZIP code; the writers' sites are in Lodi.
  const sites = `from site where "displayName" not like 'Made by%' and city <> 'Lodi' order by _id limit 4`
  const people = `from person where name not like 'Made by%' order by _id limit 4`
  const words = [
    ...(await read(`select "displayName" as value ${sites}`)),
    ...(await read(`select name as value ${people}`)),
    ...(await read(`select email as value ${people}`)),
    ...(await read(`select zip as value ${sites}`)).slice(-1),
    'zed',
    'nothing-of-that-name',
  ]
  return {
    ids: await readOfKinds('_id'),
    slugs: await readOfKinds('slug'),
    sis: await readIds('sis_site'),
    dossiers: await readIds('dossier'),
    // Those of the sample belong to another tenant, unless the server has none.
    accounts: await read(
      'select _id as value from account where tenant = (select tenant from account order by "signedInAt" desc nulls last limit 1) order by _id',
    ),
    applications: await read('select distinct "applicationID" as value from permission order by 1'),
    permissions: await readIds('permission'),
    requests: await readIds('request'),
    pictures: await readIds('picture'),
    deadlines: await read('select _id as value from deadline where date is not null order by _id limit 200'),
    changesets: await read('select _id as value from changeset order by _id limit 100'),
    changes: await read('select _id as value from change order by _id desc limit 100'),
    errors: await read('select distinct fingerprint as value from error_log order by 1'),
    words: [...new Set(words)].filter((word) => word !== ''),
  }
}
