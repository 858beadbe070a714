import { randomUUID } from 'node:crypto'

import { type Call, callName } from '../../../src/contract/call.ts'
import { saveTurnedOn } from '../../../src/features/exchange/assistants/mutations.server.ts'
import { addressOf } from '../../support/api-client.ts'
import { createFileForm, sendSuccessfully } from '../../support/http-requests.ts'
import { toLetters, toNewBrand, toNewCharter, toNewSite } from '../../support/new-records.ts'
import { createFile, createPlainImage } from '../../support/pictures.ts'
import { hasReadPaths, listReadPaths } from '../../support/read-paths.ts'
import { findCall } from '../../support/schema-fields.ts'
import { type SignedInUser, signInAt } from '../../support/sessions.ts'
import { askToBeLetIn } from './consent-request.ts'
import { createProgram } from './credentials.ts'
import { makeDossier } from './made-dossier.ts'
import type { TestNetwork } from './test-network.ts'

/** The inputs of a call that succeeds: existing ids and a valid body, so that a missing access check would be noticed. */
interface Inputs {
  readonly params?: Readonly<Record<string, string | number>> | undefined
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The sender, if it is not the owner of the test network. */
  readonly as?: SignedInUser
}
export interface ValidRequest extends Inputs {
  readonly path: string
}

let made = 0
const toUnique = (word: string): string => `${word} ${++made}`
const toUniqueEmail = (word: string): string => `${word}${++made}@network.test`
/** An unused word consisting only of letters. */
const createLetters = (): string => toLetters(++made)

type CreateInputs = (network: TestNetwork) => Promise<Inputs> | Inputs

/** What the creating calls return of the new record. */
interface Created {
  readonly _id: string
  readonly url: string
  readonly password: string
  readonly changeset?: { readonly _id: string }
  readonly made?: { readonly _id: string }
}

/** Sends the valid request of another call, which must succeed; returns it with its response. */
const sendValid = async (name: string, network: TestNetwork) => {
  const call = findCall(name)
  const request = await createValidRequest(call, network)
  const { headers } = request.as ?? network.owner
  const answer = await sendSuccessfully<Created>(network.send, call.method, request.path, { headers, body: request.body })
  return { ...request, answer }
}

/** The call that creates the records under a path, unless it is a POST to that path. */
const CREATED_BY: Readonly<Record<string, string>> = {
  '/api/comments': 'POST /api/comments/:kind/:id',
  '/api/changesets': 'POST /api/bulk/apply',
  '/api/history/deadline': 'POST /api/deadlines',
  '/api/people': 'POST /locations-api/people',
  '/api/permissions/remove': 'POST /api/permissions/new_app_permission',
  '/api/requests': 'POST /locations-api/is_support',
  '/api/sheets/preview': 'POST /api/sheets/:kind/preview',
  '/api/imports': 'POST /api/imports/:kind',
}

/** A new record for a path, by the contract: `/api/views/:id/sharing` is about what `POST /api/views` creates. */
const createRecord = async (path: string, network: TestNetwork): Promise<{ id: string }> => {
  const [list = ''] = path.split('/:id')
  const { answer } = await sendValid(CREATED_BY[list] ?? `POST ${list}`, network)
  return { id: (answer.changeset ?? answer.made ?? answer)._id }
}

/** A call about the record that another call has been about. */
const after =
  (earlier: string): CreateInputs =>
  async (network) => ({ params: (await sendValid(earlier, network)).params })

/** A call about a record of the network. */
const on =
  (kind: 'brand' | 'charter' | 'person' | 'site', toBody?: (network: TestNetwork) => unknown): CreateInputs =>
  async (network) => ({ params: { id: network[kind]._id }, body: await toBody?.(network) })
const onSiteByKind = ({ site }: TestNetwork): Inputs => ({ params: { kind: 'site', id: site._id } })

/** A new user, whose sessions may end and whose requests are not counted with those of others. */
const signInUser = ({ context }: TestNetwork): Promise<SignedInUser> => signInAt(context, 10)
const findSession = async ({ context }: TestNetwork, account: string): Promise<string> =>
  (await context.db.selectFrom('session').select('_id').where('account', '=', account).executeTakeFirstOrThrow())._id
const findNewestChange = async ({ context }: TestNetwork, record: string): Promise<string> =>
  (await context.db.selectFrom('change').select('_id').where('record', '=', record).orderBy('_id', 'desc').executeTakeFirstOrThrow())._id

/** A form with a picture that was not uploaded before. */
export const createPictureForm = async (): Promise<FormData> => {
  const picture = createPlainImage(8 + ++made, 8).png()
  return createFileForm(createFile(await picture.toBuffer(), 'a.png', 'image/png'))
}
const toBulkChange = ({ site }: TestNetwork) => ({
  kind: 'site',
  ids: [site._id],
  changes: { 'address.description': toUnique('By the park') },
})
const onNewError: CreateInputs = async (network) => {
  await sendValid('POST /log-error', network)
  const newest = network.context.db.selectFrom('error_log').select('fingerprint').orderBy('_id', 'desc')
  return { params: { fingerprint: (await newest.executeTakeFirstOrThrow()).fingerprint ?? '' } }
}

/** Someone whose browser keeps the directory on its device. */
const signInWithCopy = async (network: TestNetwork) => {
  const as = await signInUser(network)
  const copied = { copiedAt: new Date(), copiedLevel: 10 }
  await network.context.db.updateTable('session').set(copied).where('account', '=', as.account).execute()
  return as
}

/**
 * The inputs of every call that needs more than a new record and an empty body, except reads whose paths are known (`test/support/read-paths.ts`).
 */
const VALID_INPUTS: Readonly<Record<string, CreateInputs>> = {
  'PUT /api/live/forms/:form': ({ site }) => ({ params: { form: randomUUID() }, body: { kind: 'site', _id: site._id } }),
  'DELETE /api/live/forms/:form': after('PUT /api/live/forms/:form'),
  'DELETE /api/account/sessions/:id': async (network) => {
    const as = await signInUser(network)
    return { as, params: { id: await findSession(network, as.account) } }
  },
  'DELETE /api/account/offline': async (network) => ({ as: await signInWithCopy(network) }),
  'POST /api/account/sign-out-everywhere': async (network) => ({ as: await signInUser(network), body: { tokens: true } }),
  'GET /auth/logout': async (network) => ({ as: await signInUser(network) }),
  'POST /api/account/tokens': () => ({ body: { name: toUnique('A program'), days: 30 } }),
  'DELETE /api/accounts/:id/sessions/:session': async (network) => {
    const { account } = await signInUser(network)
    return { params: { id: account, session: await findSession(network, account) } }
  },
  'DELETE /api/accounts/:id/tokens/:token': async (network) => {
    const { account } = await signInUser(network)
    return { params: { id: account, token: (await createProgram(network, account, 10))._id } }
  },
  'POST /api/accounts/:id/sign-out-everywhere': async (network) => ({
    params: { id: (await signInUser(network)).account },
    body: { tokens: true },
  }),
  'GET /api/erase/:kind/:id': ({ person }) => ({ params: { kind: 'person', id: person._id } }),
  'POST /api/erase': async ({ make }) => ({ body: { kind: 'person', _id: (await make.person())._id, reason: 'Asked to be erased' } }),
  'POST /api/scim-tokens': async ({ context }) => {
    await context.db.deleteFrom('scim_token').execute()
    return { body: { name: toUnique('Directory') } }
  },
  'PUT /api/level-mappings': () => ({ body: [{ group: toUnique('Group'), level: 6 }] }),
  'POST /api/permissions/new_app_permission': ({ context }) => ({
    body: { applicationID: context.configuration.appId, userInfo: { azureID: toUniqueEmail('granted'), name: 'Ana Ruiz' } },
  }),
  'POST /locations-api/addbrand': () => ({ body: toNewBrand(toUnique('Cedar')) }),
  'PUT /locations-api/brandview/:id': on('brand', () => ({ brandName: toUnique('Oak') })),
  'POST /locations-api/addcharter': ({ brand }) => ({ body: toNewCharter(`Cedar ${createLetters()}`, brand._id) }),
  'PUT /locations-api/charterview/:id': on('charter', () => ({ abbreviation: createLetters() })),
  'PUT /locations-api/charter_affair/:id': on('charter', () => ({ charter_no_cds: { cds_code: toUnique('CDS') } })),
  'POST /locations-api/charter_affair/:id/member': on('charter', () => ({ board_member_name: toUnique('Member') })),
  'PUT /locations-api/charter_affair/:id/member': on('charter', async ({ make, affair }) => ({
    _id: (await make.member({ charter_affair: affair._id }))._id,
    board_member_name: toUnique('Member'),
  })),
  'DELETE /locations-api/charter_affair/:id/member/:memberId': async ({ make, charter, affair }) => ({
    params: { id: charter._id, memberId: (await make.member({ charter_affair: affair._id }))._id },
  }),
  'POST /locations-api/charter_affair/:id/district': on('charter', () => ({ center_name: toUnique('Center') })),
  'PUT /locations-api/charter_affair/:id/district': on('charter', async ({ make, affair }) => ({
    _id: (await make.district({ charter_affair: affair._id }))._id,
    center_name: toUnique('Center'),
  })),
  'DELETE /locations-api/charter_affair/:id/district/:districtId': async ({ make, charter, affair }) => ({
    params: { id: charter._id, districtId: (await make.district({ charter_affair: affair._id }))._id },
  }),
  'POST /locations-api/site': ({ charter, region }) => ({ body: toNewSite(toUnique('New Site'), charter._id, region._id) }),
  'PATCH /locations-api/sites/:id': on('site', () => ({ address: { description: toUnique('Moved') } })),
  'PATCH /locations-api/site_fac_updates/:id': on('site', () => ({ county: toUnique('County') })),
  'PATCH /locations-api/site_enroll_updates/:id': on('site', () => ({ about: toUnique('About') })),
  'POST /locations-api/site_enroll/:id/service': on('site', async ({ make }) => ({ _id: (await make.programType())._id })),
  'PUT /locations-api/site_enroll/:id/service': on('site', async ({ site, make }) => {
    const { program_type } = await make.siteProgram(site._id, (await make.programType())._id)
    return { _id: program_type, to: (await make.programType())._id }
  }),
  'DELETE /locations-api/site_enroll/:id/service/:serviceId': async ({ site, make }) => {
    const { program_type } = await make.siteProgram(site._id, (await make.programType())._id)
    return { params: { id: site._id, serviceId: program_type } }
  },
  'POST /locations-api/sis': ({ site }) => ({ body: { name: toUnique('Information system'), site: site._id } }),
  'PUT /locations-api/sis/:id': () => ({ body: { name: toUnique('Information system') } }),
  'PUT /locations-api/sis': async (network) => {
    const { answer } = await sendValid('POST /locations-api/sis', network)
    return { body: { _id: answer._id, name: toUnique('Information system') } }
  },
  'POST /locations-api/site_people/:id': on('site', async ({ make }) => ({
    person: (await make.person())._id,
    role_match: (await make.role('Registrar'))._id,
  })),
  'PATCH /locations-api/site_remove_staff/:id': on('site', async ({ site, make }) => {
    const { person, role } = await make.sitePerson(site._id, 'Registrar')
    return { person_id: person, role_id: role }
  }),
  'PUT /locations-api/people/:id': on('person', () => ({ name: `Dana ${createLetters()}` })),
  'DELETE /api/people/:id/leaving': after('POST /api/people/:id/leaving'),
  'POST /locations-api/people': () => ({ body: { name: 'Ana Ruiz', email: toUniqueEmail('ana') } }),
  'GET /api/sql/:query': async ({ make }) => {
    await make.hrPerson({ LastName: 'Ruiz' })
    return { params: { query: 'Ruiz' } }
  },
  'POST /api/hr/known': () => ({ body: { employees: [] } }),
  'POST /api/pictures': async () => ({ body: await createPictureForm() }),
  'POST /api/proposals/pictures': async () => ({ body: await createPictureForm() }),
  'GET /api/help/:guide': () => ({ params: { guide: 'finding' } }),
  'GET /api/help/pictures/:name': () => ({ params: { name: 'site' } }),
  'GET /api/profile-photo/:person': ({ person }) => ({ params: { person: person._id } }),
  'POST /locations-api/site_send_change': ({ site }) => ({ body: { site: site._id, correctText: toUnique('Another phone') } }),
  'POST /locations-api/is_support': async (network) => ({
    as: await signInUser(network),
    body: { request: toUnique('Cannot sign in'), name: 'Ada', email: 'ada@network.test' },
  }),
  'PATCH /api/requests/:id': () => ({ body: { state: 'done', word: 'Mended' } }),
  'PUT /api/settings': () => ({ body: { organisation: toUnique('Network') } }),
  'POST /api/history/:kind/:id/:change': async (network) => {
    await sendValid('PATCH /locations-api/sites/:id', network)
    const { _id } = network.site
    return { params: { kind: 'site', id: _id, change: await findNewestChange(network, _id) }, body: {} }
  },
  'POST /api/history/charter_affair/:id/:change': async (network) => {
    const { params } = await sendValid('PUT /locations-api/charter_affair/:id', network)
    return { params: { ...params, change: await findNewestChange(network, network.affair._id) }, body: {} }
  },
  'POST /api/saves/undo': async (network) => {
    await sendValid('PATCH /locations-api/sites/:id', network)
    const newest = network.context.db.selectFrom('change').select('request').where('record', '=', network.site._id).orderBy('_id', 'desc')
    return { body: { saves: [(await newest.executeTakeFirstOrThrow()).request] } }
  },
  'POST /api/comments/:kind/:id': (network) => ({ ...onSiteByKind(network), body: { text: toUnique('Called') } }),
  'PUT /api/comments/:kind/:id/seen': async (network) => {
    const { answer } = await sendValid('POST /api/comments/:kind/:id', network)
    await network.context.db
      .insertInto('comment_recipient')
      .values({ comment: answer._id, person: null, account: network.owner.account })
      .execute()
    return onSiteByKind(network)
  },
  'DELETE /api/accounts/:id/comments': async (network) => {
    await sendValid('POST /api/comments/:kind/:id', network)
    return { params: { id: network.owner.account } }
  },
  'PUT /api/favourites/:kind/:id': onSiteByKind,
  'DELETE /api/favourites/:kind/:id': after('PUT /api/favourites/:kind/:id'),
  'PUT /api/recent/:kind/:id': onSiteByKind,
  'POST /api/bulk/preview': (network) => ({ body: toBulkChange(network) }),
  'POST /api/bulk/apply': (network) => ({ body: toBulkChange(network) }),
  'POST /api/sheets/:kind/file': ({ site }) => ({ params: { kind: 'sites' }, body: { ids: [site._id] } }),
  'POST /api/sheets/:kind/preview': ({ site }) => ({
    params: { kind: 'sites' },
    body: createFileForm(createFile(`_id,Description\r\n${site._id},${toUnique('At the lake')}\r\n`, 'a.csv', 'text/csv')),
  }),
  'POST /api/imports/:kind': () => ({
    params: { kind: 'charters' },
    body: createFileForm(createFile(`School,City,State\r\n${toUnique('Acorn')},Lodi,CA\r\n`, 'a.csv', 'text/csv')),
  }),
  'PATCH /api/imports/:id': async (network) => ({
    params: await createRecord('/api/imports/:id', network),
    body: { mapping: { columns: { City: null } } },
  }),
  'POST /api/duplicates/dismiss': async ({ make, person }) => ({ body: { kind: 'person', a: person._id, b: (await make.person())._id } }),
  'POST /api/merges/preview': async ({ make }) => ({
    body: { kind: 'person', keep: (await make.person())._id, merge: (await make.person())._id },
  }),
  'POST /api/merges': async ({ make }) => {
    const [keep, merge] = [await make.person(), await make.person()]
    return { body: { kind: 'person', keep: keep._id, merge: merge._id, version: keep.version, mergedVersion: merge.version } }
  },
  'POST /api/duplicates/find': ({ person }) => ({ body: { kind: 'person', values: { name: person.name } } }),
  'POST /api/planned': ({ site }) => ({
    body: { kind: 'site', _id: site._id, day: '2099-07-01', changes: { 'address.description': toUnique('Above the bank') } },
  }),
  'POST /api/planned/:id/keep': async (network) => {
    const params = await createRecord('/api/planned/:id', network)
    await sendValid('PATCH /locations-api/sites/:id', network)
    return { params }
  },
  'POST /api/proposals': ({ site }) => ({
    body: { record: { kind: 'site', _id: site._id }, changes: { 'address.description': toUnique('Behind the library') } },
  }),
  'POST /api/proposals/:id/changes': () => ({ body: { note: toUnique('Moved') } }),
  'POST /api/proposals/:id/decision': () => ({ body: { decline: { 'address.description': 'Known already' } } }),
  'POST /api/views': () => ({ body: { name: toUnique('View'), page: '/locations', search: '?q=lodi' } }),
  'PATCH /api/views/:id': () => ({ body: { name: toUnique('View') } }),
  'PUT /api/views/:id/sharing': () => ({ body: { shared: true } }),
  'POST /api/deadlines': ({ charter }) => ({
    body: { title: toUnique('Annual report'), date: '2030-06-30', kind: 'oversight', charter: charter._id },
  }),
  'PATCH /api/deadlines/:id': () => ({ body: { note: toUnique('Called') } }),
  'PUT /api/account/reminders': () => ({ body: { reminders: true, digest: made++ % 2 === 0 } }),
  'PUT /api/settings/deadlines': ({ person, region }) => ({
    body: {
      kinds: [
        { kind: 'lease', leadDays: [90, made++ % 80], responsible: person._id, regions: [{ region: region._id, responsible: person._id }] },
      ],
    },
  }),
  'POST /api/archive': async ({ make }) => ({ body: { kind: 'site', _id: (await make.site())._id, reason: toUnique('Mistake') } }),
  'GET /api/archive/:kind/:id': onSiteByKind,
  'DELETE /api/archive/:kind/:id': async (network) => {
    const { answer } = await sendValid('POST /api/archive', network)
    return { params: { kind: 'site', id: answer._id } }
  },
  'POST /api/checks': ({ site }) => ({ body: { kind: 'site', _id: site._id } }),
  'POST /api/checks/many': ({ site }) => ({ body: { kind: 'site', ids: [site._id] } }),
  'DELETE /api/checks/:kind/:id': async (network) => {
    await sendValid('POST /api/checks', network)
    return onSiteByKind(network)
  },
  'PUT /api/settings/checks': () => ({ body: { intervals: { site: 100 + (made++ % 80) } } }),
  'PUT /api/settings/facility-types': async ({ make }) => ({
    body: { type: 'Online', roles: { [(await make.role('Registrar'))._id]: made++ % 2 === 0 } },
  }),
  'POST /api/calendars': () => ({ body: { name: toUnique('Feed'), filter: { responsible: 'me' }, reminderDays: 7 } }),
  'GET /calendar/:secret.ics': async (network) => {
    const { answer } = await sendValid('POST /api/calendars', network)
    return { params: { secret: /([^/]+)\.ics$/.exec(answer.url)?.[1] ?? '' } }
  },
  'POST /api/devices': async ({ context }) => {
    // Below the limit of fifty.
    await context.db.deleteFrom('device').execute()
    return { body: { name: toUnique('Device') } }
  },
  'POST /api/devices/:id/profile': async (network) => {
    const { answer } = await sendValid('POST /api/devices', network)
    return { params: { id: answer._id }, body: { password: answer.password } }
  },
  'GET /dav-profile/:ticket.mobileconfig': async (network) => {
    const { answer } = await sendValid('POST /api/devices/:id/profile', network)
    return { params: { ticket: /([^/]+)\.mobileconfig$/.exec(answer.url)?.[1] ?? '' } }
  },
  'POST /api/webhooks': async ({ context }) => {
    // Below the limit of fifty.
    await context.db.deleteFrom('webhook').execute()
    return { body: { url: 'https://intake.example.org/homeroom', events: ['site.changed'] } }
  },
  'POST /api/webhooks/preview': () => ({ body: { format: 'teams', events: ['site.changed'] } }),
  'PATCH /api/webhooks/:id': () => ({ body: { state: 'paused' } }),
  'GET /api/webhooks/:id/deliveries': () => ({ query: { state: 'waiting' } }),
  'POST /api/webhooks/:id/deliveries/:delivery/replay': async (network) => {
    const { params, answer } = await sendValid('POST /api/webhooks/:id/test', network)
    return { params: { ...params, delivery: answer._id } }
  },
  'GET /api/assistants/consent/:id': askToBeLetIn,
  'POST /api/assistants/consent/:id': async (network) => ({ ...(await askToBeLetIn(network)), body: { allow: true } }),
  'DELETE /api/assistants/:id': async (network) => {
    await sendValid('POST /api/assistants/consent/:id', network)
    const granted = network.context.db.selectFrom('assistant_grant').select('_id').where('account', '=', network.owner.account)
    return { params: { id: (await granted.orderBy('createdAt', 'desc').executeTakeFirstOrThrow())._id } }
  },
  'PUT /api/settings/assistants': async ({ context }) => {
    await context.db.transaction().execute((tx) => saveTurnedOn(tx, false))
    return { body: { isOn: true } }
  },
  'POST /api/dossiers': async ({ context, charter }) => {
    // Below the limit of three that are being made.
    await context.db.updateTable('dossier').set({ state: 'failed' }).where('state', 'in', ['waiting', 'making']).execute()
    return { body: { charter: charter._id, parts: ['terms'] } }
  },
  'GET /api/dossiers': ({ charter }) => ({ query: { charter: charter._id } }),
  'GET /api/dossiers/:id': async (network) => ({ params: { id: await makeDossier(network) } }),
  'GET /api/dossiers/:id/pdf': async (network) => ({ params: { id: await makeDossier(network) } }),
  'GET /api/dossiers/:id/zip': async (network) => ({ params: { id: await makeDossier(network) } }),
  'PATCH /api/setup/steps/:step': () => ({ params: { step: 'mail' }, body: { state: 'skipped' } }),
  'POST /api/setup/test-mail': () => ({ body: { to: toUniqueEmail('test') } }),
  'POST /api/setup/remove-sample': async ({ context }) => {
    const value = JSON.stringify({ sites: 1, lastChange: 0 })
    await context.db
      .insertInto('setup_state')
      .values({ name: 'sample', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    return { body: { confirm: 'remove the sample' } }
  },
  'GET /api/insights/:name': () => ({ params: { name: 'site-status' } }),
  'GET /api/insights/:name/workbook': () => ({ params: { name: 'site-status' } }),
  'POST /api/account/insights': () => ({ body: { place: 'home', name: 'site-status', filter: { type: toUnique('Type') } } }),
  'POST /api/verify': () => ({ body: createFileForm(new Blob([toUnique('Not a dossier')])) }),
  'POST /api/exports/list': () => ({ body: { list: 'sites', format: 'csv' } }),
  'POST /api/page-views': () => ({ body: { page: '/location/{id}' } }),
  'POST /log-error': () => ({ body: { errorMessage: toUnique('Broken'), stackTrace: 'at a place' } }),
  'GET /api/errors/:fingerprint': onNewError,
  'POST /api/errors/:fingerprint/seen': onNewError,
}

/** A valid request for a call; the proofs report one that is refused, since it lacks its inputs above. */
export const createValidRequest = async (call: Call, network: TestNetwork): Promise<ValidRequest> => {
  const createInputs = VALID_INPUTS[callName(call)]
  const isKnown = !createInputs && call.method === 'GET' && hasReadPaths(call)
  const [path] = isKnown ? listReadPaths(call, network.known) : []
  if (path !== undefined) return { path }
  const inputs = (await createInputs?.(network)) ?? {}
  const { params = call.params && (await createRecord(call.path, network)), body = call.body && {} } = inputs
  return { ...inputs, params, body, path: addressOf(call, params, inputs.query) }
}
