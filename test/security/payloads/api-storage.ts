import type { z } from 'zod'

import { type Call, callName } from '../../../src/contract/call.ts'
import { sanitizeLine } from '../../../src/contract/text-cleaning.ts'
import { createScimToken, saveLevelMappings } from '../../../src/features/access/provisioning/contract.ts'
import { createToken } from '../../../src/features/administration/accounts/contract.ts'
import { grantPermission } from '../../../src/features/administration/permissions/contract.ts'
import { findKnownStaff } from '../../../src/features/exchange/hr/contract.ts'
import { downloadSheetOfRecords } from '../../../src/features/exchange/sheets/contract.ts'
import { logError } from '../../../src/features/operations/error-log/contract.ts'
import { recordPageView } from '../../../src/features/operations/page-views/contract.ts'
import { createWebhook, updateWebhook } from '../../../src/features/operations/webhooks/contract.ts'
import { createCalendar } from '../../../src/features/record-tools/calendars/contract.ts'
import { applyBulkChange, planChange, previewBulkChange } from '../../../src/features/record-tools/changesets/contract.ts'
import { createCheck, createChecks } from '../../../src/features/record-tools/checks/contract.ts'
import { createDeadline, saveDeadlineSettings, updateDeadline } from '../../../src/features/record-tools/deadlines/contract.ts'
import { restoreFromHistory, restoreAffairFromHistory } from '../../../src/features/record-tools/history/contract.ts'
import {
  answerRequest,
  createProposal,
  decideProposal,
  sendChangeRequest,
  sendSupportRequest,
  updateProposal,
} from '../../../src/features/record-tools/requests/contract.ts'
import { renameView, saveView } from '../../../src/features/record-tools/saved-views/contract.ts'
import { createBrand, updateBrand } from '../../../src/features/records/brands/contract.ts'
import {
  addDistrict,
  addMember,
  saveCharterAffair,
  updateDistrict,
  updateMember,
} from '../../../src/features/records/charter-affairs/contract.ts'
import { createCharter, updateCharter } from '../../../src/features/records/charters/contract.ts'
import { createDeparture } from '../../../src/features/records/departures/contract.ts'
import { addService, replaceService, updateEnrollment } from '../../../src/features/records/enrollment/contract.ts'
import { updateFacility } from '../../../src/features/records/facility/contract.ts'
import { downloadList } from '../../../src/features/records/list-download/contract.ts'
import { createPerson, updatePerson } from '../../../src/features/records/people/contract.ts'
import { saveSettings } from '../../../src/features/records/settings/contract.ts'
import { createSisSite, updateSisSite, updateSisSiteInBody } from '../../../src/features/records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../src/features/records/site-staff/contract.ts'
import { createSite, updateSite } from '../../../src/features/records/sites/contract.ts'
import type { SendBody } from '../../support/api-client.ts'
import { toNewBrand, toNewCharter, toNewSite } from '../../support/new-records.ts'
import { type SchemaPath, listTextFields, setAtPath } from '../../support/schema-fields.ts'
import type { Group } from './payloads.ts'

type Body = object

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

/** How a call is sent so that it succeeds except for the field with the payload; and the kind of record in its response. */
interface Step {
  readonly call: Call
  readonly params?: (set: RecordSet) => Readonly<Record<string, string>>
  readonly base?: (set: RecordSet) => Body
  readonly creates?: string
  /** Fields that another step of the same call fills. */
  readonly without?: readonly string[]
}

const _id = (set: RecordSet, kind: string): string => set.made.get(kind)?._id ?? 'missing'
const of = (kind: string) => (set: RecordSet) => ({ id: _id(set, kind) })
const WEB = 'https://school.example'
const MAIL = (set: RecordSet, more = ''): string => `${set.word}${more}@school.example`.toLowerCase()

const SCHOOL_TYPES = { schoolTypeUrls: [{ name: 'Home study', url: WEB }] }

const toGrant = (set: RecordSet, more: string): Body => ({
  applicationID: 'homeroom',
  userInfo: { azureID: MAIL(set, more), name: set.word },
})
const FAR_DAY = '2199-07-01'
/** The payload as a new text that every field takes: without the characters that are refused. */
const toNewText = ({ word, payload }: RecordSet): string => `${word} ${sanitizeLine(payload.text)}`
const changeOf = (set: RecordSet): Body => ({ kind: 'site', changes: { 'address.closures': toNewText(set) } })

/** Every call that stores text, ordered so that each finds the records it needs. */
const STEPS: readonly Step[] = [
  { call: createBrand, base: ({ word }) => toNewBrand(word), creates: 'brand' },
  { call: updateBrand, params: of('brand') },
  { call: createCharter, base: (set) => ({ ...toNewCharter(set.word, _id(set, 'brand')), ...SCHOOL_TYPES }), creates: 'charter' },
  { call: updateCharter, params: of('charter'), base: () => SCHOOL_TYPES },
  { call: saveCharterAffair, params: of('charter') },
  { call: addMember, params: of('charter'), creates: 'member' },
  { call: updateMember, params: of('charter'), base: (set) => ({ _id: _id(set, 'member') }), without: ['_id'] },
  { call: addDistrict, params: of('charter'), creates: 'district' },
  { call: updateDistrict, params: of('charter'), base: (set) => ({ _id: _id(set, 'district') }), without: ['_id'] },
  { call: createSite, base: (set) => toNewSite(set.word, _id(set, 'charter'), set.region, MAIL(set)), creates: 'site' },
  { call: updateSite, params: of('site') },
  { call: updateFacility, params: of('site') },
  { call: updateEnrollment, params: of('site') },
  { call: addService, params: of('site') },
  { call: replaceService, params: of('site') },
  { call: createSisSite, base: (set) => ({ name: set.word, site: _id(set, 'site') }), creates: 'sis' },
  { call: updateSisSite, params: of('sis') },
  { call: createPerson, base: (set) => ({ name: set.word, email: MAIL(set) }), creates: 'person' },
  { call: updatePerson, params: of('person') },
  { call: addSiteStaff, params: of('site'), base: (set) => ({ person: _id(set, 'person'), role_match: set.role }) },
  { call: sendChangeRequest, base: (set) => ({ site: _id(set, 'site'), correctText: 'A word' }), creates: 'request' },
  { call: answerRequest, params: of('request'), base: () => ({ state: 'done' }) },
  { call: sendSupportRequest, base: () => ({ request: 'A word' }), creates: 'support' },
  { call: grantPermission, base: (set) => toGrant(set, '.a') },
  { call: grantPermission, base: (set) => toGrant(set, '.b'), without: ['applicationID'] },
  { call: createToken, base: () => ({ name: 'A program', days: 1 }) },
  { call: saveView, base: ({ word }) => ({ name: word, page: '/locations', search: '' }), creates: 'view' },
  { call: renameView, params: of('view') },
  {
    call: saveSettings,
    base: ({ word, settings }) => ({ programTypes: [{ name: word }, ...settings.programTypes] }),
    without: ['defaultRegion', 'defaultCharter'],
  },
  {
    call: createProposal,
    base: (set) => ({
      record: { kind: 'site', _id: _id(set, 'site') },
      changes: { 'address.description': toNewText(set) },
    }),
    without: ['record._id'],
    creates: 'proposal',
  },
  { call: updateProposal, params: of('proposal') },
  { call: decideProposal, params: of('proposal'), base: () => ({ accept: { 'address.description': true } }) },
  { call: planChange, base: (set) => ({ ...changeOf(set), _id: _id(set, 'site'), day: FAR_DAY }), without: ['_id', 'day'] },
  {
    call: applyBulkChange,
    base: (set) => ({ ...changeOf(set), ids: [_id(set, 'site')] }),
    without: ['ids.*', 'day'],
    creates: 'changeset',
  },
  {
    call: createDeadline,
    base: (set) => ({ title: set.word, date: FAR_DAY, kind: 'oversight', charter: _id(set, 'charter') }),
    without: ['site', 'charter'],
    creates: 'deadline',
  },
  { call: updateDeadline, params: of('deadline') },
  { call: createCalendar, base: () => ({ name: 'Deadlines' }) },
  { call: createScimToken, base: () => ({ name: 'Directory' }) },
  { call: saveLevelMappings, base: () => [{ group: 'Staff', level: 9 }] },
  // An event that does not happen here, so that nothing is sent.
  { call: createWebhook, base: () => ({ url: 'https://school.example/hook', events: ['person.left'] }), creates: 'webhook' },
  { call: updateWebhook, params: of('webhook') },
  { call: logError, base: () => ({}) },
]

/** Calls whose texts are not stored, or are covered by a step above. */
const CALLS_WITHOUT_STORED_TEXT: ReadonlySet<Call> = new Set([
  updateSisSiteInBody, // the fields of updateSisSite
  removeSiteStaff, // ids of existing records
  createDeparture, // ids of existing records
  downloadList, // names of lists and columns, and a search
  restoreFromHistory, // names of fields
  restoreAffairFromHistory, // names of fields
  findKnownStaff, // looks up
  recordPageView, // patterns of pages only
  createCheck, // ids of existing records
  createChecks, // ids of existing records
  saveDeadlineSettings, // ids of existing records
  previewBulkChange, // stores nothing
  downloadSheetOfRecords, // ids of existing records, and names of columns
])

/** Calls that accept text but are not sent here: a new one needs a step. */
export const findUntestedCalls = (calls: readonly Call[]): string[] =>
  calls
    .filter(
      (call) =>
        call.body &&
        listTextFields(call.body).length > 0 &&
        !CALLS_WITHOUT_STORED_TEXT.has(call) &&
        !STEPS.some((step) => step.call === call),
    )
    .map(callName)

/** Fields, each counted once however many steps send it; and combinations of a field and a payload. */
export interface Stored {
  readonly fields: Set<string>
  readonly stored: Set<string>
  readonly refused: Set<string>
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const covers = (error: string, path: SchemaPath): boolean => {
  const field = path.join('.').replaceAll('*', '0')
  return error === '' || field === error || field.startsWith(`${error}.`) || error.startsWith(`${field}.`)
}
const errorsIn = (answer: unknown): { path: string; message: string }[] =>
  (answer as { errors?: { path: string; message: string }[] } | null)?.errors ?? []

const fillBody = (base: Body, paths: readonly SchemaPath[], text: string): Body =>
  paths.reduce<Body>((body, path) => setAtPath(path, text, body) as Body, base)

interface FillResult {
  readonly taken: readonly SchemaPath[]
  /** Refused only because of their length. */
  readonly tooLong: readonly SchemaPath[]
  readonly answer: unknown
}

/** Sends a step with a text in all of these fields, removes what is refused, and sends it again. */
const fillFields = async (
  { call, params, base, creates }: Step,
  set: RecordSet,
  send: SendBody,
  paths: readonly SchemaPath[],
  text: string,
): Promise<FillResult> => {
  const own = base?.(set) ?? {}
  const to = params?.(set) ?? {}
  let left = paths
  const tooLong: SchemaPath[] = []
  let sent = await send(call, to, fillBody(own, left, text))
  while (!isSuccess(sent.status) && left.length > 0) {
    if (sent.status >= 500) throw new Error(`${callName(call)} answered ${sent.status}: ${JSON.stringify(sent.body)}`)
    const errors = errorsIn(sent.body)
    const wrong = left.filter((path) => errors.some((error) => covers(error.path, path)))
    tooLong.push(...wrong.filter((path) => errors.some((error) => covers(error.path, path) && error.message.startsWith('Use at most'))))
    if (wrong.length > 0) left = left.filter((path) => !wrong.includes(path))
    else {
      // The error does not say which field: tries each separately.
      const good: SchemaPath[] = []
      for (const path of left) if (isSuccess((await send(call, to, fillBody(own, [path], text))).status)) good.push(path)
      left = good.length < left.length ? good : []
      if (!creates) break
    }
    sent = await send(call, to, fillBody(own, left, text))
  }
  if (creates && !isSuccess(sent.status)) throw new Error(`${callName(call)} is refused without any payload: ${JSON.stringify(sent.body)}`)
  return { taken: left, tooLong, answer: sent.body }
}

/** Runs one step with all payloads of the set, and with single ones if all together are too long. */
const runStep = async (step: Step, set: RecordSet, send: SendBody, counted: Stored): Promise<void> => {
  const { call, creates, without = [] } = step
  const { text, parts } = set.payload
  const all = listTextFields(call.body as z.ZodType).filter((path) => !without.includes(path.join('.')))
  const count = (paths: readonly SchemaPath[], kinds: readonly string[], as: Set<string>): void => {
    for (const path of paths) for (const kind of kinds) as.add(`${kind} in ${callName(call)} ${path.join('.')}`)
  }
  const kinds = parts.map(({ kind }) => kind)
  for (const path of all) counted.fields.add(`${callName(call)} ${path.join('.')}`)
  count(all, kinds, counted.refused)
  const { taken, tooLong, answer } = await fillFields(step, set, send, all, text)
  count(taken, kinds, counted.stored)
  if (creates) saveRecord(set, creates, answer)
  let left: readonly SchemaPath[] = creates ? [] : tooLong
  for (const part of parts) {
    if (left.length === 0) break
    const alone = await fillFields(step, set, send, left, part.text)
    count(alone.taken, [part.kind], counted.stored)
    left = left.filter((path) => !alone.taken.includes(path))
  }
}

/** Stores the record of a response; those of a charter affair are nested in lists. */
const saveRecord = (set: RecordSet, kind: string, answer: unknown): void => {
  const affair = (answer as { charter_affair_info?: Record<string, unknown>[] }).charter_affair_info?.[0]
  const list = kind === 'member' ? affair?.['authorizer_board_member'] : kind === 'district' ? affair?.['center_district'] : undefined
  const { changeset = answer } = answer as { changeset?: unknown }
  const record = (Array.isArray(list) ? list.at(-1) : changeset) as { _id: string; slug?: string }
  set.made.set(kind, { _id: record._id, slug: record.slug ?? record._id })
}

/** Puts a payload into every field of one record of every kind. */
export const storeEverywhere = async (set: RecordSet, send: SendBody, counted: Stored): Promise<void> => {
  for (const step of STEPS) await runStep(step, set, send, counted)
  for (const pair of counted.stored) counted.refused.delete(pair)
}
