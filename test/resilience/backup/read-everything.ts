import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { callName } from '../../../src/contract/call.ts'
import { can } from '../../../src/contract/capabilities.ts'
import { PICTURE_WIDTHS } from '../../../src/contract/fields.ts'
import type { Db } from '../../../src/database/connection.server.ts'
import { calls } from '../../../src/routes.server.ts'

/** Calls that are steps of a sign-in: their responses are specific to it and contain no records. */
const SIGN_IN_PATHS = new Set(['/auth/azure', '/auth/azure/callback', '/auth/refresh', '/auth/logout'])
/** Calls that record who made them, which changes another call's response: they come last. */
const recordsItself = (path: string): boolean => /^\/api\/(exports\/excel\/|activity\/workbook|search)/.test(path)

/** Values for all parameters and queries of the calls. */
interface Known {
  readonly ids: Readonly<Record<'brand' | 'charter' | 'person' | 'region' | 'site', readonly string[]>>
  readonly slugs: Known['ids']
  readonly sis: readonly string[]
  readonly accounts: readonly string[]
  readonly applications: readonly string[]
  readonly permissions: readonly string[]
  readonly requests: readonly string[]
  readonly pictures: readonly string[]
  readonly errors: readonly string[]
  readonly deadlines: readonly string[]
  readonly changesets: readonly string[]
  readonly changes: readonly string[]
  readonly words: readonly string[]
}
const KINDS = ['brand', 'charter', 'person', 'region', 'site'] as const

const toPaths = (base: string, ends: readonly string[]): string[] => ends.map((end) => `${base}${encodeURIComponent(end)}`)
const idsAndSlugs = ({ ids, slugs }: Known, kind: (typeof KINDS)[number]): string[] => [...ids[kind], ...slugs[kind]]

/** The URLs of calls with parameters; by id and by slug if both are accepted. */
const ADDRESSES: Readonly<Record<string, (known: Known) => readonly string[]>> = {
  '/api/accounts': ({ words }) => ['/api/accounts', ...toPaths('/api/accounts?q=', words)],
  '/api/accounts/:id': ({ accounts }) => toPaths('/api/accounts/', accounts),
  '/api/accounts/:id/sessions': ({ accounts }) => accounts.map((id) => `/api/accounts/${id}/sessions`),
  '/api/accounts/:id/tokens': ({ accounts }) => accounts.map((id) => `/api/accounts/${id}/tokens`),
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
  '/api/checks': () => ['/api/checks', '/api/checks?due=true'],
  '/api/history/:kind/:id': (known) => KINDS.flatMap((kind) => toPaths(`/api/history/${kind}/`, known.ids[kind])),
  '/api/history/permission/:id': ({ permissions }) => toPaths('/api/history/permission/', permissions),
  '/api/history/charter_affair/:id': (known) => toPaths('/api/history/charter_affair/', known.ids.charter),
  '/api/history/deadline/:id': ({ deadlines }) => toPaths('/api/history/deadline/', deadlines),
  '/api/deadlines': (known) => ['/api/deadlines', ...toPaths('/api/deadlines?charter=', known.ids.charter)],
  '/api/deadlines/counts': () => ['/api/deadlines/counts'],
  '/api/deadlines/charters/:id/texts': (known) => known.ids.charter.map((id) => `/api/deadlines/charters/${id}/texts`),
  '/api/deadlines/:id': ({ deadlines }) => toPaths('/api/deadlines/', deadlines),
  '/api/calendars': () => ['/api/calendars', '/api/calendars?all=true'],
  // Only the hash of a secret is stored.
  '/calendar/:secret.ics': () => [],
  // A restore adds an event of its own to the audit trail.
  '/api/audit': () => [],
  '/api/audit/workbook': () => [],
  // A workbook to edit contains the time of its download, and only the user who uploaded a sheet can read its preview.
  '/api/sheets/:kind': () => [],
  '/api/sheets/preview/:id': () => [],
  '/api/sheets/preview/:id/progress': () => [],
  '/api/sheets/preview/:id/file': () => [],
  // A restore pauses webhooks: src/backup/backup.server.test.ts.
  '/api/webhooks/:id': () => [],
  '/api/webhooks/:id/deliveries': () => [],
  '/api/search': ({ words }) =>
    words.flatMap((word) => toPaths('/api/search?q=', [word]).flatMap((path) => [path, ...KINDS.map((kind) => `${path}&kind=${kind}`)])),
  '/api/coverage/:region': (known) => toPaths('/api/coverage/', idsAndSlugs(known, 'region')),
  '/api/usage': () => ['/api/usage', '/api/usage?days=396'],
  '/api/errors': () => ['/api/errors', '/api/errors?days=3650', '/api/errors?q=e'],
  '/api/errors/:fingerprint': ({ errors }) => toPaths('/api/errors/', errors),
}

const GET_CALLS = calls.filter(({ method, path }) => method === 'GET' && !SIGN_IN_PATHS.has(path))
/** Calls that read but are neither read here nor listed as steps of a sign-in. */
export const UNREAD_CALLS = GET_CALLS.filter(({ path, query, params }) => (query || params) && !ADDRESSES[path]).map(callName)
export const READ_CALLS = GET_CALLS.length
export const SKIPPED_CALLS = SIGN_IN_PATHS.size

/** Reads the possible parameters from the database, so that no list of the API can hide a record. */
export const readKnown = async (db: Db): Promise<Known> => {
  const named = async (kind: (typeof KINDS)[number]) => db.selectFrom(kind).select(['_id', 'slug']).orderBy('_id').execute()
  const rows = await Promise.all(KINDS.map(async (kind) => [kind, await named(kind)] as const))
  const of = (key: '_id' | 'slug') =>
    Object.fromEntries(rows.map(([kind, list]) => [kind, list.map((one) => one[key])])) as Record<(typeof KINDS)[number], string[]>
  // Rare values, since a search with too many matches may show any of them: some sites, some people, a ZIP code; the writers' sites are in Lodi.
  const sites = await db
    .selectFrom('site')
    .select(['displayName', 'zip'])
    .where('displayName', 'not like', 'Made by%')
    .where('city', '<>', 'Lodi')
    .orderBy('_id')
    .limit(4)
    .execute()
  const people = await db
    .selectFrom('person')
    .select(['name', 'email'])
    .where('name', 'not like', 'Made by%')
    .orderBy('_id')
    .limit(4)
    .execute()
  const words = [
    ...sites.map((site) => site.displayName),
    ...people.flatMap(({ name, email }) => [name, email ?? '']),
    sites.at(-1)?.zip ?? '',
    'zed',
    'nothing-of-that-name',
  ]
  const ids = async (table: 'sis_site' | 'account' | 'request' | 'picture' | 'permission'): Promise<string[]> =>
    (await db.selectFrom(table).select('_id').orderBy('_id').execute()).map(({ _id }) => _id)
  const applications = await db.selectFrom('permission').select('applicationID').distinct().orderBy('applicationID').execute()
  const dated = await db.selectFrom('deadline').select('_id').where('date', 'is not', null).orderBy('_id').limit(200).execute()
  const changesets = await db.selectFrom('changeset').select('_id').orderBy('_id').limit(100).execute()
  const changes = await db.selectFrom('change').select('_id').orderBy('_id', 'desc').limit(100).execute()
  const errors = await db.selectFrom('error_log').select('fingerprint').distinct().orderBy('fingerprint').execute()
  return {
    ids: of('_id'),
    slugs: of('slug'),
    sis: await ids('sis_site'),
    accounts: await ids('account'),
    applications: applications.map(({ applicationID }) => applicationID),
    permissions: await ids('permission'),
    requests: await ids('request'),
    pictures: await ids('picture'),
    deadlines: dated.map(({ _id }) => _id),
    changesets: changesets.map(({ _id }) => _id),
    changes: changes.map(({ _id }) => _id),
    errors: errors.flatMap(({ fingerprint }) => fingerprint ?? []),
    words: [...new Set(words)].filter((word) => word !== ''),
  }
}

/** A response in one line; responses that contain the time of the request are marked. */
interface RecordedResponse {
  readonly line: string
  readonly text: string
  readonly hasOwnMoments: boolean
  /** A search with more matches than it ranks, any of which may be shown. */
  readonly isOpen: boolean
}
export type RecordedResponses = ReadonlyMap<string, RecordedResponse>

/** A user who reads, and their level. */
export interface Reader {
  readonly level: number
  readonly headers: Readonly<Record<string, string>>
}

const MOMENT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"/g
/** Longer bodies are only kept as a hash. */
const MAX_STORED = 200_000
const AT_ONCE = 4
const MAX_ATTEMPTS = 20

/**
 * Requests everything that a GET returns, as each reader: every list, every record by each of its names, every history to its end, every picture in
 * every width. Times after `since` are those of the requests themselves (when a session was last used), and are replaced by "(now)".
 */
export const readEverything = async (url: string, known: Known, walkers: readonly Reader[], since: number): Promise<RecordedResponses> => {
  const answers = new Map<string, RecordedResponse>()
  const one = async ({ level, headers }: Reader, path: string): Promise<string | undefined> => {
    const response = await fetchWithRetry(`${url}${path}`, headers)
    const bytes = Buffer.from(await response.arrayBuffer())
    const type = response.headers.get('content-type') ?? ''
    let hasOwnMoments = false
    const settle = (moment: string): string => {
      if (Date.parse(moment.slice(1, -1)) < since) return moment
      hasOwnMoments = true
      return '"(now)"'
    }
    const settled = type.includes('json') ? Buffer.from(bytes.toString().replace(MOMENT, settle)) : bytes
    const isOpen = path.startsWith('/api/search') && settled.includes('"more":true')
    const tag = hasOwnMoments || isOpen ? '' : (response.headers.get('etag') ?? '')
    const sum = isOpen ? '' : createHash('sha256').update(settled).digest('hex')
    const text = settled.length > MAX_STORED ? '' : settled.toString(type.includes('json') ? 'utf8' : 'base64')
    answers.set(`level ${level}: ${path}`, { line: `${response.status} ${type} ${tag} ${sum}`, text, hasOwnMoments, isOpen })
    return response.status === 200 && path.startsWith('/api/history/') ? olderThan(path, bytes) : undefined
  }
  for (const isLast of [false, true])
    for (const walker of walkers) {
      const paths = GET_CALLS.filter(
        ({ path, capability }) => recordsItself(path) === isLast && (capability === 'no session' || can(walker.level, capability)),
      ).flatMap(({ path }) => ADDRESSES[path]?.(known) ?? [path])
      const left = paths.toReversed()
      const work = async (): Promise<void> => {
        for (let path = left.pop(); path !== undefined; path = left.pop()) {
          let next: string | undefined = path
          while (next !== undefined) next = await one(walker, next)
        }
      }
      await Promise.all(Array.from({ length: isLast ? 1 : AT_ONCE }, work))
    }
  return answers
}

/** The URL of a history's next page. */
const olderThan = (path: string, bytes: Buffer): string | undefined => {
  const { changes, more } = JSON.parse(bytes.toString()) as { changes: { _id: string }[]; more: boolean }
  return more ? `${path.split('?')[0]}?before=${changes.at(-1)?._id}` : undefined
}

const fetchWithRetry = async (address: string, headers: Reader['headers']): Promise<Response> => {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(60_000) })
    // A picture requested in a width but returned in full size replaces a copy that could not be made right now.
    const isStandIn = address.includes('?width=') && response.status === 200 && !/-\d+"$/.test(response.headers.get('etag') ?? '')
    if (response.status !== 429 && (!isStandIn || attempt > MAX_ATTEMPTS)) return response
    await response.arrayBuffer()
    await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

/** Descriptions of the responses that differ. */
export const listChangedResponses = (before: RecordedResponses, after: RecordedResponses): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was?.line === is?.line) return []
    return [`${name}: ${was?.line} became ${is?.line}${formatFirstDifference(was?.text ?? '', is?.text ?? '')}`]
  })

const formatFirstDifference = (was: string, is: string): string => {
  const at = [...was].findIndex((letter, nth) => letter !== is[nth])
  return at < 0 ? '' : `, from …${was.slice(Math.max(0, at - 60), at + 60)}… to …${is.slice(Math.max(0, at - 60), at + 60)}…`
}
