import { sql } from 'kysely'

import { type Call, callName } from '../../../src/contract/call.ts'
import { insertApiToken } from '../../../src/features/access/session/mutations.server.ts'
import { downloads, previews } from '../../../src/features/exchange/exports/contract.ts'
import { fillPath } from '../../support/api-client.ts'
import { toLetters, toNewBrand, toNewCharter, toNewSite } from '../../support/new-records.ts'
import { type SignedInUser, signInAt } from '../../support/sessions.ts'
import type { TestTarget } from './credentials.ts'
import { createFileForm, createPictureForm, drawPicture } from './file-forms.ts'

/** The inputs of a call that succeeds: existing ids and a valid body, so that a missing access check would be noticed. */
export interface ValidRequest {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The sender, if it is not the owner of the test network. */
  readonly as?: SignedInUser
}

/** A network with a record of every kind. */
export type TestNetwork = Awaited<ReturnType<typeof createTestNetwork>>

export const createTestNetwork = async (target: TestTarget) => {
  const { context, make } = target
  const owner = await signInAt(context, 1)
  const brand = await make.brand({ websiteUrl: 'https://a.example', EnrollmentsUrl: 'https://b.example' })
  const charter = await make.charter({ brand: brand._id })
  const region = await make.region()
  const site = await make.site({ charter: charter._id, region: region._id })
  const person = await make.person()
  await make.sitePerson(site._id, 'Principal', person._id)
  const affair = await make.affair({ charter: charter._id })
  const session = async (account: string) =>
    (await context.db.selectFrom('session').select('_id').where('account', '=', account).executeTakeFirstOrThrow())._id
  const token = async (account: string) =>
    (await insertApiToken(context.db, { account, name: 'One of theirs', accessLevel: 10, days: 30 }))._id
  /** The newest change of a record. */
  const change = async (record: string) =>
    (await context.db.selectFrom('change').select('_id').where('record', '=', record).orderBy('_id', 'desc').executeTakeFirstOrThrow())._id
  /** Sends a call as the owner, which must succeed. */
  const done = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const answer = await target.send(method, path, { headers: owner.headers, body })
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`)
    return (answer.body === '' ? undefined : JSON.parse(answer.body)) as T
  }
  /** Creates a record as the owner; returns its id. */
  const create = async (path: string, body: unknown): Promise<string> => (await done<{ _id: string }>('POST', path, body))._id
  return { ...target, create, owner, brand, charter, region, site, person, affair, session, token, change, done }
}

let made = 0
const toUnique = (word: string): string => `${word} ${++made}`
/** An unused word consisting only of letters. */
const createLetters = (): string => toLetters(++made)

type CreateRequest = (network: TestNetwork) => Promise<ValidRequest> | ValidRequest

const forAffair =
  (body: (network: TestNetwork) => unknown): CreateRequest =>
  async (network) => ({ params: { id: network.charter._id }, body: await body(network) })
const signInUser = async ({ context }: TestNetwork): Promise<SignedInUser> => signInAt(context, 10)
const createAccount = async (network: TestNetwork): Promise<string> => (await signInUser(network)).account
const createPermission = async ({ make }: TestNetwork): Promise<string> => (await make.permission())._id
const createPerson = async ({ make }: TestNetwork): Promise<string> => (await make.person())._id
const createSisSite = async ({ make, site }: TestNetwork): Promise<string> => (await make.sisSite({ site: site._id }))._id
const forSite = ({ site }: TestNetwork) => ({ params: { kind: 'site', id: site._id } })

/** By a new user each time, since requests per person and minute are limited. */
const createSupportRequest = async (network: TestNetwork): Promise<string> => {
  const { headers } = await signInUser(network)
  const { body } = await network.send('POST', '/locations-api/is_support', { headers, body: { request: toUnique('Cannot sign in') } })
  return (JSON.parse(body) as { _id: string })._id
}
const createView = ({ create }: TestNetwork): Promise<string> =>
  create('/api/views', { name: toUnique('View'), page: '/locations', search: '' })
const toNewProposal = (site: string) => ({
  record: { kind: 'site', _id: site },
  changes: { 'address.description': toUnique('Behind the library') },
})
const createProposal = ({ create, site }: TestNetwork): Promise<string> => create('/api/proposals', toNewProposal(site._id))
/** A sheet with one row and one column, in which one cell differs. */
const createSheetForm = ({ site }: TestNetwork) =>
  createFileForm('text/csv', Buffer.from(`_id,Description\r\n${site._id},${toUnique('At the lake')}\r\n`))
const createSheetPreview = async (network: TestNetwork): Promise<string> => {
  const { headers, body } = createSheetForm(network)
  const answer = await network.send('POST', '/api/sheets/sites/preview', { headers: { ...network.owner.headers, ...headers }, body })
  return (JSON.parse(answer.body) as { _id: string })._id
}
const toBulkChange = (site: string) => ({ kind: 'site', ids: [site], changes: { 'address.description': toUnique('Beside the park') } })
const createChangeset = async ({ done, site }: TestNetwork): Promise<string> =>
  (await done<{ changeset: { _id: string } }>('POST', '/api/bulk/apply', toBulkChange(site._id))).changeset._id
const toPlan = (site: string) => ({
  kind: 'site',
  _id: site,
  day: '2099-07-01',
  changes: { 'address.description': toUnique('Above the bank') },
})
const createPlan = ({ create, site }: TestNetwork): Promise<string> => create('/api/planned', toPlan(site._id))
const toNewDeadline = (charter: string) => ({ title: toUnique('Annual report'), date: '2030-06-30', kind: 'oversight', charter })
const createDeadline = ({ create, charter }: TestNetwork): Promise<string> => create('/api/deadlines', toNewDeadline(charter._id))
/** By a user below the limit of fifty. */
const createFeed = async ({ done, context, owner }: TestNetwork): Promise<{ _id: string; secret: string }> => {
  await context.db.deleteFrom('calendar').where('account', '=', owner.account).execute()
  const { _id, url } = await done<{ _id: string; url: string }>('POST', '/api/calendars', { name: toUnique('Feed') })
  return { _id, secret: /([^/]+)\.ics$/.exec(url)?.[1] ?? '' }
}
const NEW_WEBHOOK = { url: 'https://intake.example.org/homeroom', events: ['site.changed'] }
/** Below the limit of fifty. */
const createWebhook = async ({ create, context }: TestNetwork): Promise<string> => {
  await context.db.deleteFrom('webhook').execute()
  return create('/api/webhooks', NEW_WEBHOOK)
}
const createError = async ({ context, done }: TestNetwork): Promise<string> => {
  await done('POST', '/log-error', { errorMessage: toUnique('Broken'), stackTrace: 'at a place' })
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from error_log order by _id desc limit 1`.execute(context.db)
  return rows[0]?.fingerprint ?? ''
}

/** A call about a new record. */
const onNew =
  (create: (network: TestNetwork) => Promise<string>, body?: () => unknown): CreateRequest =>
  async (network) => ({ params: { id: await create(network) }, body: body?.() })

/** A request for every call that has parameters, a query or a body; other calls need none. */
const VALID_REQUESTS: Readonly<Record<string, CreateRequest>> = {
  'DELETE /api/account/sessions/:id': async (network) => {
    const as = await signInUser(network)
    return { as, params: { id: await network.session(as.account) } }
  },
  'POST /api/account/sign-out-everywhere': async (network) => ({ as: await signInUser(network), body: { tokens: true } }),
  'GET /auth/logout': async (network) => ({ as: await signInUser(network) }),
  'POST /api/account/tokens': () => ({ body: { name: toUnique('A program'), days: 30 } }),
  'DELETE /api/account/tokens/:id': async ({ owner, token }) => ({ params: { id: await token(owner.account) } }),
  'GET /api/accounts/:id': onNew(createAccount),
  'GET /api/accounts/:id/sessions': onNew(createAccount),
  'DELETE /api/accounts/:id/sessions/:session': async (network) => {
    const { account } = await signInUser(network)
    return { params: { id: account, session: await network.session(account) } }
  },
  'GET /api/accounts/:id/tokens': onNew(createAccount),
  'DELETE /api/accounts/:id/tokens/:token': async (network) => {
    const { account } = await signInUser(network)
    return { params: { id: account, token: await network.token(account) } }
  },
  'POST /api/accounts/:id/sign-out-everywhere': onNew(createAccount, () => ({ tokens: true })),
  'POST /api/scim-tokens': async ({ context }) => {
    await context.db.deleteFrom('scim_token').execute()
    return { body: { name: toUnique('Directory') } }
  },
  'DELETE /api/scim-tokens/:id': async ({ context, create }) => {
    await context.db.deleteFrom('scim_token').execute()
    return { params: { id: await create('/api/scim-tokens', { name: 'Directory' }) } }
  },
  'PUT /api/level-mappings': () => ({ body: [{ group: toUnique('Group'), level: 6 }] }),
  'GET /api/permissions/app_permissions/:appId': ({ context }) => ({ params: { appId: context.configuration.appId } }),
  'GET /api/permissions/candidates': () => ({ query: { q: 'person' } }),
  'POST /api/permissions/new_app_permission': ({ context }) => ({
    body: {
      applicationID: context.configuration.appId,
      userInfo: { azureID: `${toUnique('granted').replace(' ', '')}@network.test`, name: 'Ana Ruiz' },
    },
  }),
  'DELETE /api/permissions/remove/:id': onNew(createPermission),
  'GET /locations-api/regionbyslug/:slug': ({ region }) => ({ params: { slug: region.slug } }),
  'GET /locations-api/brand/:id': ({ brand }) => ({ params: { id: brand._id } }),
  'GET /locations-api/brandview/:id': ({ brand }) => ({ params: { id: brand._id } }),
  'POST /locations-api/addbrand': () => ({ body: toNewBrand(toUnique('Cedar')) }),
  'PUT /locations-api/brandview/:id': ({ brand }) => ({ params: { id: brand._id }, body: { brandName: toUnique('Oak') } }),
  'GET /locations-api/charterbyslug/:slug': ({ charter }) => ({ params: { slug: charter.slug } }),
  'GET /locations-api/charterview/:id': ({ charter }) => ({ params: { id: charter._id } }),
  'POST /locations-api/addcharter': ({ brand }) => ({ body: toNewCharter(`Cedar ${createLetters()}`, brand._id) }),
  'PUT /locations-api/charterview/:id': ({ charter }) => ({ params: { id: charter._id }, body: { abbreviation: createLetters() } }),
  'GET /locations-api/charter_affair/:id': ({ charter }) => ({ params: { id: charter._id } }),
  'PUT /locations-api/charter_affair/:id': forAffair(() => ({ charter_no_cds: { cds_code: toUnique('CDS') } })),
  'POST /locations-api/charter_affair/:id/member': forAffair(() => ({ board_member_name: toUnique('Member') })),
  'PUT /locations-api/charter_affair/:id/member': forAffair(async ({ make, affair }) => ({
    _id: (await make.member({ charter_affair: affair._id }))._id,
    board_member_name: toUnique('Member'),
  })),
  'DELETE /locations-api/charter_affair/:id/member/:memberId': async ({ make, charter, affair }) => ({
    params: { id: charter._id, memberId: (await make.member({ charter_affair: affair._id }))._id },
  }),
  'POST /locations-api/charter_affair/:id/district': forAffair(() => ({ center_name: toUnique('Center') })),
  'PUT /locations-api/charter_affair/:id/district': forAffair(async ({ make, affair }) => ({
    _id: (await make.district({ charter_affair: affair._id }))._id,
    center_name: toUnique('Center'),
  })),
  'DELETE /locations-api/charter_affair/:id/district/:districtId': async ({ make, charter, affair }) => ({
    params: { id: charter._id, districtId: (await make.district({ charter_affair: affair._id }))._id },
  }),
  'GET /locations-api/siteslugprograms/:slug': ({ site }) => ({ params: { slug: site.slug } }),
  'POST /locations-api/site': ({ charter, region }) => ({ body: toNewSite(toUnique('New Site'), charter._id, region._id) }),
  'PATCH /locations-api/sites/:id': ({ site }) => ({ params: { id: site._id }, body: { finance_id: String(++made) } }),
  'PATCH /locations-api/site_fac_updates/:id': ({ site }) => ({ params: { id: site._id }, body: { county: toUnique('County') } }),
  'PATCH /locations-api/site_enroll_updates/:id': ({ site }) => ({ params: { id: site._id }, body: { about: toUnique('About') } }),
  'POST /locations-api/site_enroll/:id/service': async ({ site, make }) => ({
    params: { id: site._id },
    body: { _id: (await make.programType())._id },
  }),
  'PUT /locations-api/site_enroll/:id/service': async ({ site, make }) => {
    const [from, to] = [await make.programType(), await make.programType()]
    await make.siteProgram(site._id, from._id)
    return { params: { id: site._id }, body: { _id: from._id, to: to._id } }
  },
  'DELETE /locations-api/site_enroll/:id/service/:serviceId': async ({ site, make }) => {
    const program = await make.programType()
    await make.siteProgram(site._id, program._id)
    return { params: { id: site._id, serviceId: program._id } }
  },
  'GET /locations-api/sis': ({ site }) => ({ query: { site: site._id } }),
  'GET /locations-api/sis/:id': onNew(createSisSite),
  'POST /locations-api/sis': ({ site }) => ({ body: { name: toUnique('Information system'), site: site._id } }),
  'PUT /locations-api/sis/:id': onNew(createSisSite, () => ({ name: toUnique('Information system') })),
  'PUT /locations-api/sis': async (network) => ({ body: { _id: await createSisSite(network), name: toUnique('Information system') } }),
  'DELETE /locations-api/sis/:id': onNew(createSisSite),
  'POST /locations-api/site_people/:id': async ({ site, make }) => ({
    params: { id: site._id },
    body: { person: (await make.person())._id, role_match: (await make.role('Registrar'))._id },
  }),
  'PATCH /locations-api/site_remove_staff/:id': async ({ site, make }) => {
    const held = await make.sitePerson(site._id, 'Registrar')
    return { params: { id: site._id }, body: { person_id: held.person, role_id: held.role } }
  },
  'GET /locations-api/people_sites_divide/:group': () => ({ params: { group: 'LEADERSHIP' } }),
  'GET /locations-api/people_sites_slug/:slug': ({ person }) => ({ params: { slug: person.slug } }),
  'PUT /locations-api/people/:id': ({ person }) => ({ params: { id: person._id }, body: { name: `Dana ${createLetters()}` } }),
  'GET /api/people/:id/leaving': ({ person }) => ({ params: { id: person._id } }),
  'POST /api/people/:id/leaving': onNew(createPerson, () => ({})),
  'DELETE /api/people/:id/leaving': async ({ make, done }) => {
    const person = await make.person()
    await done('POST', `/api/people/${person._id}/leaving`, {})
    return { params: { id: person._id } }
  },
  'POST /locations-api/people': () => ({ body: { name: 'Ana Ruiz', email: `${toUnique('ana').replace(' ', '')}@network.test` } }),
  'GET /api/people/:id/access': ({ person }) => ({ params: { id: person._id } }),
  'GET /api/people/:slug/vcard': ({ person }) => ({ params: { slug: person.slug } }),
  'GET /api/sql/:query': async ({ make }) => {
    await make.hrPerson({ LastName: 'Ruiz' })
    return { params: { query: 'Ruiz' } }
  },
  'POST /api/hr/known': () => ({ body: { employees: [] } }),
  'POST /api/pictures': () => createPictureForm(),
  'POST /api/proposals/pictures': async () => createPictureForm(await drawPicture()),
  'GET /api/pictures/:id': async ({ owner, send }) => {
    const form = createPictureForm()
    const { body } = await send('POST', '/api/pictures', { headers: { ...owner.headers, ...form.headers }, body: form.body })
    return { params: { id: (JSON.parse(body) as { _id: string })._id } }
  },
  'GET /api/profile-photo/:person': ({ person }) => ({ params: { person: person._id } }),
  'POST /locations-api/site_send_change': ({ site }) => ({ body: { site: site._id, correctText: toUnique('Another phone') } }),
  'POST /locations-api/is_support': () => ({ body: { request: toUnique('Cannot sign in'), name: 'Ada', email: 'ada@network.test' } }),
  'GET /api/requests/:id': onNew(createSupportRequest),
  'PATCH /api/requests/:id': onNew(createSupportRequest, () => ({ state: 'done', word: 'Mended' })),
  'POST /api/requests/:id/mail': onNew(createSupportRequest),
  'PUT /api/settings': () => ({ body: { organisation: toUnique('Network') } }),
  'GET /api/history/:kind/:id': forSite,
  'POST /api/history/:kind/:id/:change': async (network) => {
    const { site, done, change } = network
    await done('PATCH', `/locations-api/sites/${site._id}`, { finance_id: String(++made) })
    return { params: { kind: 'site', id: site._id, change: await change(site._id) }, body: {} }
  },
  'GET /api/history/permission/:id': onNew(createPermission),
  'GET /api/history/charter_affair/:id': ({ charter }) => ({ params: { id: charter._id } }),
  'POST /api/history/charter_affair/:id/:change': async ({ charter, affair, done, change }) => {
    await done('PUT', `/locations-api/charter_affair/${charter._id}`, { charter_no_cds: { cds_code: toUnique('CDS') } })
    return { params: { id: charter._id, change: await change(affair._id) }, body: {} }
  },
  'GET /api/activity/new': () => ({ query: { since: '0' } }),
  'GET /api/activity/:id': async ({ person, change }) => ({ params: { id: await change(person._id) } }),
  'GET /api/search': () => ({ query: { q: 'person' } }),
  'PUT /api/favourites/:kind/:id': forSite,
  'DELETE /api/favourites/:kind/:id': async (network) => {
    await network.done('PUT', `/api/favourites/site/${network.site._id}`, undefined)
    return forSite(network)
  },
  'PUT /api/recent/:kind/:id': forSite,
  'POST /api/bulk/preview': ({ site }) => ({ body: toBulkChange(site._id) }),
  'POST /api/bulk/apply': ({ site }) => ({ body: toBulkChange(site._id) }),
  'GET /api/changesets/:id': onNew(createChangeset),
  'POST /api/changesets/:id/undo': onNew(createChangeset, () => ({})),
  'GET /api/sheets/:kind': () => ({ params: { kind: 'sites' } }),
  'POST /api/sheets/:kind/file': ({ site }) => ({ params: { kind: 'sites' }, body: { ids: [site._id] } }),
  'POST /api/sheets/:kind/preview': async (network) => ({ params: { kind: 'sites' }, ...createSheetForm(network) }),
  'GET /api/sheets/preview/:id': onNew(createSheetPreview),
  'POST /api/sheets/preview/:id/apply': onNew(createSheetPreview, () => ({})),
  'GET /api/sheets/preview/:id/progress': onNew(createSheetPreview),
  'POST /api/sheets/preview/:id/stop': onNew(createSheetPreview),
  'GET /api/sheets/preview/:id/file': onNew(createSheetPreview),
  'GET /api/planned': () => ({ query: { kind: 'site' } }),
  'POST /api/planned': ({ site }) => ({ body: toPlan(site._id) }),
  'DELETE /api/planned/:id': onNew(createPlan),
  'POST /api/planned/:id/keep': async (network) => {
    const id = await createPlan(network)
    await network.done('PATCH', `/locations-api/sites/${network.site._id}`, { address: { description: toUnique('Moved since') } })
    return { params: { id } }
  },
  'POST /api/proposals': ({ site }) => ({ body: toNewProposal(site._id) }),
  'GET /api/proposals': () => ({ query: { state: 'open' } }),
  'GET /api/proposals/fields': ({ site }) => ({ query: { kind: 'site', record: site._id } }),
  'GET /api/proposals/:id': onNew(createProposal),
  'POST /api/proposals/:id/changes': onNew(createProposal, () => ({ note: toUnique('Moved') })),
  'DELETE /api/proposals/:id': onNew(createProposal),
  'POST /api/proposals/:id/decision': onNew(createProposal, () => ({ decline: { 'address.description': 'Known already' } })),
  'POST /api/views': () => ({ body: { name: toUnique('View'), page: '/locations', search: '?q=lodi' } }),
  'PATCH /api/views/:id': onNew(createView, () => ({ name: toUnique('View') })),
  'PUT /api/views/:id/sharing': onNew(createView, () => ({ shared: true })),
  'DELETE /api/views/:id': onNew(createView),
  'GET /api/deadlines/charters/:id/texts': ({ charter }) => ({ params: { id: charter._id } }),
  'GET /api/history/deadline/:id': onNew(createDeadline),
  'GET /api/deadlines/:id': onNew(createDeadline),
  'POST /api/deadlines': ({ charter }) => ({ body: toNewDeadline(charter._id) }),
  'PATCH /api/deadlines/:id': onNew(createDeadline, () => ({ note: toUnique('Called') })),
  'PUT /api/account/reminders': () => ({ body: { reminders: true, digest: made++ % 2 === 0 } }),
  'PUT /api/settings/deadlines': ({ person, region }) => ({
    body: {
      kinds: [
        { kind: 'lease', leadDays: [90, made++ % 80], responsible: person._id, regions: [{ region: region._id, responsible: person._id }] },
      ],
    },
  }),
  'POST /api/checks': ({ site }) => ({ body: { kind: 'site', _id: site._id } }),
  'POST /api/checks/many': ({ site }) => ({ body: { kind: 'site', ids: [site._id] } }),
  'DELETE /api/checks/:kind/:id': async (network) => {
    await network.done('POST', '/api/checks', { kind: 'site', _id: network.site._id })
    return forSite(network)
  },
  'PUT /api/settings/checks': () => ({ body: { intervals: { site: 100 + (made++ % 80) } } }),
  'DELETE /api/deadlines/:id': onNew(createDeadline),
  'GET /api/audit': () => ({ query: { kind: 'session', order: 'newest', limit: '50' } }),
  'GET /api/calendars': () => ({ query: { all: 'true' } }),
  'POST /api/calendars': () => ({ body: { name: toUnique('Feed'), filter: { responsible: 'me' }, reminderDays: 7 } }),
  'POST /api/calendars/:id/address': async (network) => ({ params: { id: (await createFeed(network))._id } }),
  'DELETE /api/calendars/:id': async (network) => ({ params: { id: (await createFeed(network))._id } }),
  'GET /calendar/:secret.ics': async (network) => ({ params: { secret: (await createFeed(network)).secret } }),
  'POST /api/webhooks': () => ({ body: NEW_WEBHOOK }),
  'GET /api/webhooks/:id': onNew(createWebhook),
  'PATCH /api/webhooks/:id': onNew(createWebhook, () => ({ state: 'paused' })),
  'POST /api/webhooks/:id/secret': onNew(createWebhook, () => ({})),
  'DELETE /api/webhooks/:id': onNew(createWebhook),
  'POST /api/webhooks/:id/test': onNew(createWebhook),
  'GET /api/webhooks/:id/deliveries': async (network) => ({ params: { id: await createWebhook(network) }, query: { state: 'waiting' } }),
  'POST /api/webhooks/:id/deliveries/:delivery/replay': async (network) => {
    const id = await createWebhook(network)
    const { _id: delivery } = await network.done<{ _id: number }>('POST', `/api/webhooks/${id}/test`, undefined)
    return { params: { id, delivery } }
  },
  'GET /api/coverage/:region': ({ region }) => ({ params: { region: region._id } }),
  'POST /api/exports/list': () => ({ body: { list: 'sites', format: 'csv' } }),
  'POST /api/page-views': () => ({ body: { page: '/location/{id}' } }),
  'POST /log-error': () => ({ body: { errorMessage: toUnique('Broken'), stackTrace: 'at a place' } }),
  'GET /api/errors/:fingerprint': async (network) => ({ params: { fingerprint: await createError(network) } }),
  'POST /api/errors/:fingerprint/seen': async (network) => ({ params: { fingerprint: await createError(network) } }),
}

const WORKBOOKS = new Set<Call>([...Object.values(downloads), ...Object.values(previews)])

/** A valid request for a call. A call with inputs but without an entry here is an error in this file. */
export const createValidRequest = async (call: Call, network: TestNetwork): Promise<ValidRequest> => {
  const makeAttempt = VALID_REQUESTS[callName(call)]
  if (makeAttempt) return makeAttempt(network)
  if ((call.params || call.body || call.upload) && !WORKBOOKS.has(call)) throw new Error(`There is no attempt at ${callName(call)}`)
  return {}
}

/** The path of a request. */
export const toPath = (call: Call, { params = {}, query = {} }: ValidRequest): string => {
  const filled = fillPath(call, params)
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}
