import { globSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { calls } from '../../src/app/routes.server.ts'
import { callName, type Call } from '../../src/contract/call.ts'
import { readCheckSettings, saveCheckSettings } from '../../src/features/changing/checks/contract.ts'
import { answerRequest, readRequest, sendSupportRequest } from '../../src/features/changing/requests/contract.ts'
import { readDeadlineSettings, saveDeadlineSettings } from '../../src/features/deadlines/deadlines/contract.ts'
import { createWebhook, listWebhooks, updateWebhook } from '../../src/features/exchange/webhooks/contract.ts'
import { updateBrand, viewBrand } from '../../src/records/brands/contract.ts'
import {
  addDistrict,
  addMember,
  readCharterAffair,
  saveCharterAffair,
  updateDistrict,
  updateMember,
} from '../../src/records/charter-affairs/contract.ts'
import { updateCharter, viewCharter } from '../../src/records/charters/contract.ts'
import { addService, replaceService, updateEnrollment } from '../../src/records/enrollment/contract.ts'
import { updateFacility } from '../../src/records/facility/contract.ts'
import { readPerson, updatePerson } from '../../src/records/people/contract.ts'
import { readSettings, saveSettings } from '../../src/records/settings/contract.ts'
import { createSisSite, readSisSite, updateSisSite, updateSisSiteInBody } from '../../src/records/sis-sites/contract.ts'
import { readSite, updateSite } from '../../src/records/sites/contract.ts'
import { addressOf } from '../support/api-client.ts'
import { network } from '../support/app.ts'

// Every call that edits a versioned record refuses an edit based on an outdated version, and every form uses the one component that shows both
// versions. A new editing call without an example here fails the test.

type Net = Awaited<ReturnType<typeof network>>
type Record = { readonly version: number }
interface Example {
  readonly params?: { readonly id: string }
  readonly body: object
  /** What someone else saves first. */
  readonly other: object
  readonly read: () => Promise<Record>
}

/** Calls that change a record and return its version. */
const editing = calls.filter(
  ({ method, response: answer }) => (method === 'PUT' || method === 'PATCH') && answer instanceof z.ZodObject && 'version' in answer.shape,
)

const site = async ({ make, as }: Net) => {
  const { _id } = await make.site()
  const read = () => as(6).send(readSite, { params: { slug: _id } })
  return { params: { id: _id }, read }
}
const sisSite = async ({ make, as }: Net) => {
  const { _id } = await make.site()
  const made = await as(6).send(createSisSite, { body: { name: 'Lodi IS', site: _id } })
  const read = () => as(6).send(readSisSite, { params: { id: made._id } })
  return { _id: made._id, params: { id: made._id }, read }
}

const STALE_VERSION = { version: 0 }
const affair = async ({ make, as }: Net) => {
  const params = { id: (await make.charter())._id }
  await as(5).send(saveCharterAffair, { params, body: { overview: { notes: 'First' } } })
  const read = async () => {
    const [found] = (await as(5).send(readCharterAffair, { params })).charter_affair_info
    if (!found) throw new Error('There is no affair')
    return found
  }
  return { params, read }
}

const examples = new Map<Call, (net: Net) => Promise<Example>>([
  [
    updateWebhook,
    async ({ as }) => {
      const { _id: id } = await as(1).send(createWebhook, { body: { url: 'https://intake.example.org/', events: ['site.changed'] } })
      const read = async () => (await as(1).send(listWebhooks)).find(({ _id }) => _id === id) ?? STALE_VERSION
      return { params: { id }, read, body: { events: ['person.left'] }, other: { state: 'paused' } }
    },
  ],
  [updateSite, async (net) => ({ ...(await site(net)), body: { finance_id: '1' }, other: { finance_id: '2' } })],
  [
    updateFacility,
    async (net) => {
      const { params, read } = await site(net)
      return { params, read: async () => (await read()).facility_info, body: { county: 'Kern' }, other: { county: 'Yolo' } }
    },
  ],
  [
    updateEnrollment,
    async (net) => {
      const { params, read } = await site(net)
      return { params, read: async () => (await read()).enrollment_info, body: { about: 'a' }, other: { about: 'b' } }
    },
  ],
  [
    replaceService,
    async (net) => {
      const { params, read } = await site(net)
      const [one, two, three] = await Promise.all([net.make.programType(), net.make.programType(), net.make.programType()])
      await net.as(6).send(addService, { params, body: { _id: one._id } })
      return {
        params,
        read: async () => (await read()).enrollment_info,
        body: { _id: two._id, to: one._id },
        other: { _id: one._id, to: three._id },
      }
    },
  ],
  [updateSisSite, async (net) => ({ ...(await sisSite(net)), body: { name: 'Mine' }, other: { name: 'Theirs' } })],
  [
    updateSisSiteInBody,
    async (net) => {
      const { _id, read } = await sisSite(net)
      return { read, body: { _id, name: 'Mine' }, other: { _id, name: 'Theirs' } }
    },
  ],
  [
    updateBrand,
    async ({ make, as }) => {
      const { _id } = await make.brand()
      const read = () => as(6).send(viewBrand, { params: { id: _id } })
      return { params: { id: _id }, read, body: { brandName: 'Mine' }, other: { brandName: 'Theirs' } }
    },
  ],
  [
    updatePerson,
    async ({ make, as }) => {
      const { _id } = await make.person()
      const read = () => as(6).send(readPerson, { params: { slug: _id } })
      return { params: { id: _id }, read, body: { phone: '209-555-0101' }, other: { phone: '209-555-0102' } }
    },
  ],
  [
    updateCharter,
    async ({ make, as }) => {
      const { _id } = await make.charter()
      const read = () => as(6).send(viewCharter, { params: { id: _id } })
      return { params: { id: _id }, read, body: { name: 'Mine' }, other: { name: 'Theirs' } }
    },
  ],
  [
    saveCharterAffair,
    async (net) => {
      const { params, read } = await affair(net)
      return { params, read, body: { overview: { county: 'Kern' } }, other: { overview: { county: 'Yolo' } } }
    },
  ],
  [
    updateMember,
    async (net) => {
      const { params, read } = await affair(net)
      const added = await net.as(5).send(addMember, { params, body: {} })
      const _id = added.charter_affair_info[0]?.authorizer_board_member[0]?._id ?? ''
      const member = async () => (await read()).authorizer_board_member[0] ?? STALE_VERSION
      return { params, read: member, body: { _id, board_term: 'Mine' }, other: { _id, board_term: 'Theirs' } }
    },
  ],
  [
    updateDistrict,
    async (net) => {
      const { params, read } = await affair(net)
      const added = await net.as(5).send(addDistrict, { params, body: {} })
      const _id = added.charter_affair_info[0]?.center_district[0]?._id ?? ''
      const district = async () => (await read()).center_district[0] ?? STALE_VERSION
      return { params, read: district, body: { _id, county: 'Mine' }, other: { _id, county: 'Theirs' } }
    },
  ],
  [
    saveSettings,
    async ({ as }) => ({ read: () => as(5).send(readSettings), body: { organisation: 'Mine' }, other: { organisation: 'Theirs' } }),
  ],
  [
    saveDeadlineSettings,
    async ({ as }) => {
      const toBody = (leadDays: number[]) => ({ kinds: [{ kind: 'petition', leadDays, responsible: null, regions: [] }] })
      return { read: () => as(5).send(readDeadlineSettings), body: toBody([30]), other: toBody([60]) }
    },
  ],
  [
    saveCheckSettings,
    async ({ as }) => ({
      read: () => as(5).send(readCheckSettings),
      body: { intervals: { site: 90 } },
      other: { intervals: { site: 120 } },
    }),
  ],
  [
    answerRequest,
    async ({ as }) => {
      const { _id } = await as(10).send(sendSupportRequest, { body: { request: 'Help' } })
      const params = { id: _id }
      const read = () => as(6).send(readRequest, { params })
      return { params, read, body: { state: 'declined', word: 'No' }, other: { state: 'done' } }
    },
  ],
])

describe('an edit based on an outdated version', () => {
  test('is tested for every editing call', () => {
    expect(editing.filter((call) => !examples.has(call)).map(callName)).toEqual([])
    expect(editing.length).toBeGreaterThan(5)
  })

  test.for(editing.map((call) => [callName(call), call] as const))('is refused by %s, and changes nothing', async ([, call]) => {
    const net = await network()
    const example = await examples.get(call)?.(net)
    if (!example) throw new Error(`${callName(call)} has no example`)
    const { params, read, body, other } = example
    const edit = (sent: object, version: number) =>
      net.as(1).request(call.method, addressOf(call, params), { payload: sent, headers: { 'if-match': `"${version}"` } })
    const { version } = await read()
    expect((await edit(other, version)).statusCode).toBe(200)
    const saved = await read()
    expect(saved.version).toBeGreaterThan(version)
    const late = await edit(body, version)
    expect(late.statusCode).toBe(412)
    expect(late.headers['content-type']).toContain('application/problem+json')
    expect(await read()).toEqual(saved)
  })
})

/** Calls that no form sends, and why. */
const WITHOUT_FORM = new Map<Call, string>([
  [replaceService, 'the enrollment form sends its whole list of programs'],
  [updateSisSiteInBody, 'the same as PUT /sis/{id}'],
  [saveDeadlineSettings, 'the window changes one kind, and keeps what was typed where someone else saved'],
  [saveCheckSettings, 'the window changes one kind, and keeps what was typed where someone else saved'],
  [updateWebhook, 'the window keeps what was typed, and says that someone else saved'],
  [answerRequest, 'the drawer shows the answer that came first, and keeps the word that was typed'],
])

/** Whether a form sends a call: as its only call, or as one of several calls with which a long form saves its parts. */
const isMadeBy = (source: string, name: string): boolean =>
  source.includes(`call={${name}}`) ||
  (source.includes('createRecordForm(') && source.includes(`call: ${name},`)) ||
  (source.includes('<FormFrame') && new RegExp(`\\bsend\\((${name}\\b|UPDATE_CALLS\\[)`).test(source) && source.includes(name))

test('is shown with both versions by the form of every editing call', () => {
  const web = globSync('src/{features,records}/**').filter((path) => /\/web\/.*\.tsx?$/.test(path))
  const byFeature = Map.groupBy(web, (path) => path.replace(/\/web\/.*/, ''))
  const sources = [...byFeature.values()]
    .map((paths) => paths.map((path) => readFileSync(path, 'utf8')).join('\n'))
    .filter((source) => /<(EditForm|FormFrame)\b|\bcreateRecordForm\(/.test(source))
  const calls = {
    updateSite,
    updateFacility,
    updateEnrollment,
    updateSisSite,
    updateBrand,
    updateCharter,
    updatePerson,
    saveSettings,
    saveCharterAffair,
    updateMember,
    updateDistrict,
  }
  const names = new Map<Call, string>(Object.entries(calls).map(([name, call]) => [call, name]))
  const formless = editing.filter((call) => {
    const name = names.get(call)
    return !WITHOUT_FORM.has(call) && (name === undefined || !sources.some((source) => isMadeBy(source, name)))
  })
  expect(formless.map(callName)).toEqual([])
})
