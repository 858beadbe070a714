import type { z } from 'zod'

import { type Call, callName } from '../../../src/contract/call.ts'
import type { FieldError, ProblemBody } from '../../../src/contract/problem.ts'
import { sanitizeLine } from '../../../src/contract/text-cleaning.ts'
import type { SendBody } from '../../support/api-client.ts'
import { toNewBrand, toNewCharter, toNewSite } from '../../support/new-records.ts'
import { findCall, type SchemaPath, listTextFields, setAtPath } from '../../support/schema-fields.ts'
import type { Group, Payload } from './payloads.ts'

/** One record of each kind, filled with the same payloads. */
export interface RecordSet {
  readonly payload: Group
  /** A unique name consisting only of letters. */
  readonly word: string
  /** Existing records: a region and a role. */
  readonly region: string
  readonly role: string
  readonly settings: { readonly programTypes: readonly object[] }
  /** The records created so far: their `_id` and slug. */
  readonly made: Map<string, { readonly _id: string; readonly slug: string }>
}

/** How a call is sent so that it succeeds except for the field with the payload. */
interface Step {
  readonly call: string
  /** The record whose id is in the path, and its kind if the path has that, too. */
  readonly on?: string
  readonly kind?: string
  readonly base?: (set: RecordSet) => object
  /** The kind of record in its response. */
  readonly creates?: string
  /** Fields that another step of the same call fills. */
  readonly without?: readonly string[]
}

export const idOf = ({ made }: RecordSet, kind = ''): string => made.get(kind)?._id ?? 'missing'
const toEmail = ({ word }: RecordSet, more = ''): string => `${word}${more}@school.example`.toLowerCase()
const toGrant = (set: RecordSet, more: string) => ({
  applicationID: 'homeroom',
  userInfo: { azureID: toEmail(set, more), name: set.word },
})
const SCHOOL_TYPES = { schoolTypeUrls: [{ name: 'Home study', url: 'https://school.example' }] }
const FAR_DAY = '2199-07-01'
/** The payload as a new text that every field takes: without the characters that are refused. */
const toNewText = ({ word, payload }: RecordSet): string => `${word} ${sanitizeLine(payload.text)}`
const toChange = (set: RecordSet) => ({ kind: 'site', changes: { 'address.closures': toNewText(set) } })

/** Every call that stores text, ordered so that each finds the records it needs. */
const STEPS: readonly Step[] = [
  { call: 'POST /locations-api/addbrand', base: ({ word }) => toNewBrand(word), creates: 'brand' },
  { call: 'PUT /locations-api/brandview/:id', on: 'brand' },
  {
    call: 'POST /locations-api/addcharter',
    base: (set) => ({ ...toNewCharter(set.word, idOf(set, 'brand')), ...SCHOOL_TYPES }),
    creates: 'charter',
  },
  { call: 'PUT /locations-api/charterview/:id', on: 'charter', base: () => SCHOOL_TYPES },
  { call: 'PUT /locations-api/charter_affair/:id', on: 'charter' },
  { call: 'POST /locations-api/charter_affair/:id/member', on: 'charter', creates: 'member' },
  { call: 'PUT /locations-api/charter_affair/:id/member', on: 'charter', base: (set) => ({ _id: idOf(set, 'member') }), without: ['_id'] },
  { call: 'POST /locations-api/charter_affair/:id/district', on: 'charter', creates: 'district' },
  {
    call: 'PUT /locations-api/charter_affair/:id/district',
    on: 'charter',
    base: (set) => ({ _id: idOf(set, 'district') }),
    without: ['_id'],
  },
  { call: 'POST /locations-api/site', base: (set) => toNewSite(set.word, idOf(set, 'charter'), set.region, toEmail(set)), creates: 'site' },
  { call: 'PATCH /locations-api/sites/:id', on: 'site' },
  { call: 'PATCH /locations-api/site_fac_updates/:id', on: 'site' },
  { call: 'PATCH /locations-api/site_enroll_updates/:id', on: 'site' },
  { call: 'POST /locations-api/site_enroll/:id/service', on: 'site' },
  { call: 'PUT /locations-api/site_enroll/:id/service', on: 'site' },
  { call: 'POST /locations-api/sis', base: (set) => ({ name: set.word, site: idOf(set, 'site') }), creates: 'sis' },
  { call: 'PUT /locations-api/sis/:id', on: 'sis' },
  { call: 'POST /locations-api/people', base: (set) => ({ name: set.word, email: toEmail(set) }), creates: 'person' },
  { call: 'PUT /locations-api/people/:id', on: 'person' },
  // Two people that may be one, for the page that compares them.
  { call: 'POST /locations-api/people', base: (set) => ({ name: set.word, email: toEmail(set, '.2') }), creates: 'duplicate' },
  { call: 'POST /locations-api/people', base: (set) => ({ name: set.word, email: toEmail(set, '.3') }), creates: 'erased' },
  { call: 'POST /api/erase', base: (set) => ({ kind: 'person', _id: idOf(set, 'erased'), reason: 'A word' }), without: ['_id'] },
  { call: 'POST /locations-api/site_people/:id', on: 'site', base: (set) => ({ person: idOf(set, 'person'), role_match: set.role }) },
  { call: 'POST /locations-api/site_send_change', base: (set) => ({ site: idOf(set, 'site'), correctText: 'A word' }), creates: 'request' },
  { call: 'PATCH /api/requests/:id', on: 'request', base: () => ({ state: 'done' }) },
  { call: 'POST /locations-api/is_support', base: () => ({ request: 'A word' }), creates: 'support' },
  { call: 'POST /api/permissions/new_app_permission', base: (set) => toGrant(set, '.a') },
  { call: 'POST /api/permissions/new_app_permission', base: (set) => toGrant(set, '.b'), without: ['applicationID'] },
  { call: 'POST /api/account/tokens', base: () => ({ name: 'A program', days: 1 }) },
  { call: 'POST /api/views', base: ({ word }) => ({ name: word, page: '/locations', search: '' }), creates: 'view' },
  { call: 'PATCH /api/views/:id', on: 'view' },
  {
    call: 'PUT /api/settings',
    base: ({ word, settings }) => ({ programTypes: [{ name: word }, ...settings.programTypes] }),
    without: ['defaultRegion', 'defaultCharter'],
  },
  {
    call: 'POST /api/proposals',
    base: (set) => ({
      record: { kind: 'site', _id: idOf(set, 'site') },
      changes: { 'address.description': toNewText(set) },
    }),
    without: ['record._id'],
    creates: 'proposal',
  },
  { call: 'POST /api/proposals/:id/changes', on: 'proposal' },
  { call: 'POST /api/proposals/:id/decision', on: 'proposal', base: () => ({ accept: { 'address.description': true } }) },
  { call: 'POST /api/planned', base: (set) => ({ ...toChange(set), _id: idOf(set, 'site'), day: FAR_DAY }), without: ['_id', 'day'] },
  {
    call: 'POST /api/bulk/apply',
    base: (set) => ({ ...toChange(set), ids: [idOf(set, 'site')] }),
    without: ['ids.*', 'day'],
    creates: 'changeset',
  },
  {
    call: 'POST /api/deadlines',
    base: (set) => ({ title: set.word, date: FAR_DAY, kind: 'oversight', charter: idOf(set, 'charter') }),
    without: ['site', 'charter'],
    creates: 'deadline',
  },
  { call: 'PATCH /api/deadlines/:id', on: 'deadline' },
  { call: 'POST /api/calendars', base: () => ({ name: 'Deadlines' }) },
  { call: 'POST /api/devices', base: () => ({ name: 'Phone' }) },
  { call: 'POST /api/scim-tokens', base: () => ({ name: 'Directory' }) },
  { call: 'PUT /api/level-mappings', base: () => [{ group: 'Staff', level: 9 }] },
  // An event that does not happen here, so that nothing is sent.
  { call: 'POST /api/webhooks', base: () => ({ url: 'https://school.example/hook', events: ['person.left'] }), creates: 'webhook' },
  { call: 'PATCH /api/webhooks/:id', on: 'webhook' },
  { call: 'POST /api/archive', base: (set) => ({ kind: 'sis_site', _id: idOf(set, 'sis'), reason: 'A word' }), without: ['_id'] },
  { call: 'POST /api/comments/:kind/:id', kind: 'site', on: 'site' },
  { call: 'POST /log-error', base: () => ({}) },
]

/** Calls whose texts are not stored, or are covered by a step above. */
const CALLS_WITHOUT_STORED_TEXT: ReadonlySet<string> = new Set([
  'PUT /locations-api/sis', // the fields of PUT /locations-api/sis/:id
  'PATCH /locations-api/site_remove_staff/:id', // ids of existing records
  'POST /api/people/:id/leaving', // ids of existing records
  'POST /api/exports/list', // names of lists and columns, and a search
  'POST /api/history/:kind/:id/:change', // names of fields
  'POST /api/history/charter_affair/:id/:change', // names of fields
  'POST /api/hr/known', // looks up
  'POST /api/page-views', // patterns of pages only
  'POST /api/checks', // ids of existing records
  'POST /api/duplicates/dismiss', // ids of existing records
  'POST /api/duplicates/find', // stores nothing
  'POST /api/merges/preview', // stores nothing
  'POST /api/webhooks/preview',
  'POST /api/merges', // ids of existing records, and fields of forms
  'POST /api/account/insights', // names of insights, and addresses of existing records
  'POST /api/setup/test-mail', // sends a mail, stores nothing
  'POST /api/checks/many', // ids of existing records
  'PUT /api/settings/deadlines', // ids of existing records
  'POST /api/bulk/preview', // stores nothing
  'POST /api/dossiers', // ids of existing records, and days
  'POST /api/saves/undo', // ids of requests
  'PUT /api/live/forms/:form', // ids of existing records
  'POST /api/devices/:id/profile', // encrypts a password
  'POST /api/sheets/:kind/file', // ids of existing records, and names of columns
  'PATCH /api/imports/:id', // words of a file, which are compared with it
  'POST /api/imports/:id/apply', // values of cells, which are parsed as those of the file
])

/** Calls that accept text but are not sent here: a new one needs a step. */
export const findUntestedCalls = (calls: readonly Call[]): string[] => {
  const sent = new Set([...STEPS.map(({ call }) => call), ...CALLS_WITHOUT_STORED_TEXT])
  return calls.flatMap((call) => (call.body && listTextFields(call.body).length > 0 && !sent.has(callName(call)) ? [callName(call)] : []))
}

/** Fields, each counted once however many steps send it; and combinations of a field and a payload. */
export class StoredTexts {
  readonly fields = new Set<string>()
  readonly stored = new Set<string>()
  readonly refused = new Set<string>()
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const covers = (error: string, path: SchemaPath): boolean => {
  const field = path.join('.').replaceAll('*', '0')
  return error === '' || field === error || field.startsWith(`${error}.`) || error.startsWith(`${field}.`)
}

/** Sends a step with a text in all of these fields, removes what is refused, and sends it again; `tooLong` was refused only because of its length. */
const fillFields = async (
  { call: name, on, kind, base, creates }: Step,
  set: RecordSet,
  send: SendBody,
  paths: readonly SchemaPath[],
  text: string,
) => {
  const sendIn = (fields: readonly SchemaPath[]) => {
    const body = fields.reduce<unknown>((filled, path) => setAtPath(path, text, filled), base?.(set) ?? {})
    return send(findCall(name), { id: idOf(set, on), ...(kind === undefined ? {} : { kind }) }, body)
  }
  let left = paths
  const tooLong: SchemaPath[] = []
  let sent = await sendIn(left)
  while (!isSuccess(sent.status) && left.length > 0) {
    if (sent.status >= 500) throw new Error(`${name} answered ${sent.status}: ${JSON.stringify(sent.body)}`)
    const { errors = [] } = (sent.body ?? {}) as Partial<ProblemBody>
    const errorsOf = (path: SchemaPath): FieldError[] => errors.filter((error) => covers(error.path, path))
    tooLong.push(...left.filter((path) => errorsOf(path).some(({ message }) => message.startsWith('Use at most'))))
    let good = left.filter((path) => errorsOf(path).length === 0)
    if (good.length === left.length) {
      // The error does not say which field: tries each separately.
      good = []
      for (const path of left) if (isSuccess((await sendIn([path])).status)) good.push(path)
      left = good.length < left.length ? good : []
      if (!creates) break
    } else left = good
    sent = await sendIn(left)
  }
  if (creates && !isSuccess(sent.status)) throw new Error(`${name} is refused without any payload: ${JSON.stringify(sent.body)}`)
  return { taken: left, tooLong, answer: sent.body }
}

/** Runs one step with all payloads of the set, and with single ones if all together are too long. */
const runStep = async (step: Step, set: RecordSet, send: SendBody, counted: StoredTexts): Promise<void> => {
  const { call, creates, without = [] } = step
  const { text, parts } = set.payload
  const all = listTextFields(findCall(call).body as z.ZodType).filter((path) => !without.includes(path.join('.')))
  const count = (paths: readonly SchemaPath[], payloads: readonly Payload[], as: Set<string>): void => {
    for (const path of paths) for (const { kind } of payloads) as.add(`${kind} in ${call} ${path.join('.')}`)
  }
  for (const path of all) counted.fields.add(`${call} ${path.join('.')}`)
  count(all, parts, counted.refused)
  const { taken, tooLong, answer } = await fillFields(step, set, send, all, text)
  count(taken, parts, counted.stored)
  if (creates) return saveRecord(set, creates, answer)
  let left = tooLong
  for (const part of parts) {
    if (left.length === 0) break
    const alone = await fillFields(step, set, send, left, part.text)
    count(alone.taken, [part], counted.stored)
    left = left.filter((path) => !alone.taken.includes(path))
  }
}

/** The lists of a charter affair that contain a new record. */
const AFFAIR_LISTS: Readonly<Record<string, string>> = { member: 'authorizer_board_member', district: 'center_district' }

/** Stores the record of a response. */
const saveRecord = (set: RecordSet, kind: string, answer: unknown): void => {
  const { changeset, charter_affair_info } = answer as { changeset?: unknown; charter_affair_info?: Record<string, unknown[]>[] }
  const record = charter_affair_info?.[0]?.[AFFAIR_LISTS[kind] ?? '']?.at(-1) ?? changeset ?? answer
  const { _id, slug = _id } = record as { _id: string; slug?: string }
  set.made.set(kind, { _id, slug })
}

/** Puts a payload into every field of one record of every kind. */
export const storeEverywhere = async (set: RecordSet, send: SendBody, counted: StoredTexts): Promise<void> => {
  for (const step of STEPS) await runStep(step, set, send, counted)
  for (const pair of counted.stored) counted.refused.delete(pair)
}
