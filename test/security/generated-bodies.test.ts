import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { callName, type Call } from '../../src/contract/call.ts'
import { listPermissions } from '../../src/features/access/permissions/contract.ts'
import { viewBrand } from '../../src/records/brands/contract.ts'
import { readCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { viewCharter } from '../../src/records/charters/contract.ts'
import { readPerson } from '../../src/records/people/contract.ts'
import { readSettings } from '../../src/records/settings/contract.ts'
import { readSisSite } from '../../src/records/sis-sites/contract.ts'
import { readSite } from '../../src/records/sites/contract.ts'
import { network } from '../support/app.ts'
import { injectInto } from '../support/http-requests.ts'
import { callInputs, findCall, setAtPath } from '../support/schema-fields.ts'
import { createTestNetwork } from './access/test-network.ts'
import { createValidRequest } from './access/valid-requests.ts'
import { arbitraryJson } from './generated-requests.ts'

// Random bodies at every call that edits a record or a part of it: never a 5xx, a partial save, or an accepted unknown field.

/** Different ones in every run. */
const RUNS = process.env['TEST_ALL'] === '1' ? 90 : 10

const LONG_TEXT = JSON.stringify('x'.repeat(100_000))

/** A valid body in which one field, at any depth, has an unusual value. */
const withUnusualField = (call: Call, valid: unknown, unusualJson: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const fields = callInputs.find(({ name }) => name === `${callName(call)} body`)?.fields ?? []
  const paths = fields.map(({ path }) => path).filter((path) => path.length > 0)
  return fc.tuple(fc.constantFrom(...paths), unusualJson).map(([path, json]) => JSON.stringify(setAtPath(path, JSON.parse(json), valid)))
}

/** A network with valid parameters and a valid body of a call, and a user who sends other bodies. */
const setUp = async (call: Call) => {
  const { app, context, make, as } = await network()
  const send = injectInto(app, new URL(context.configuration.publicUrl).host)
  const records = await createTestNetwork({ context, make, send })
  const { path, body } = await createValidRequest(call, records)
  const { site, charter, brand, person } = records
  const sis = await make.sisSite({ site: site._id })
  const me = as(5)
  const readStored = async (): Promise<string> => {
    const records = [
      await me.send(readSite, { params: { slug: site._id } }),
      await me.send(readSisSite, { params: { id: sis._id } }),
      await me.send(viewCharter, { params: { id: charter._id } }),
      await me.send(viewBrand, { params: { id: brand._id } }),
      await me.send(readSettings),
      await me.send(readCharterAffair, { params: { id: charter._id } }),
      await me.send(readPerson, { params: { slug: person._id } }),
      await me.send(listPermissions, { params: { appId: 'homeroom' } }),
    ]
    // Last, since the first read after other writes may record what it derives from them.
    const changes = await context.db
      .selectFrom('change')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return JSON.stringify([records, changes])
  }
  const sendText = (payload: string) => me.request(call.method, path, { headers: { 'content-type': 'application/json' }, payload })
  const json = arbitraryJson(
    [site, charter, brand, person, sis].map(({ _id }) => _id),
    [LONG_TEXT],
  )
  return { sis, valid: body, json, readStored, sendText }
}

const CALLS = [
  'POST /locations-api/site',
  'PATCH /locations-api/sites/:id',
  'PATCH /locations-api/site_fac_updates/:id',
  'PATCH /locations-api/site_enroll_updates/:id',
  'POST /locations-api/site_enroll/:id/service',
  'PUT /locations-api/site_enroll/:id/service',
  'POST /locations-api/site_people/:id',
  'PATCH /locations-api/site_remove_staff/:id',
  'POST /locations-api/sis',
  'PUT /locations-api/sis/:id',
  'PUT /locations-api/sis',
  'PUT /api/settings',
  'POST /api/history/:kind/:id/:change',
  'POST /api/history/charter_affair/:id/:change',
  'POST /locations-api/addbrand',
  'PUT /locations-api/brandview/:id',
  'POST /locations-api/addcharter',
  'POST /locations-api/people',
  'PUT /locations-api/charterview/:id',
  'PUT /locations-api/charter_affair/:id',
  'POST /locations-api/charter_affair/:id/member',
  'PUT /locations-api/charter_affair/:id/member',
  'POST /locations-api/charter_affair/:id/district',
  'PUT /locations-api/charter_affair/:id/district',
  'POST /api/permissions/new_app_permission',
  'PUT /locations-api/people/:id',
  'POST /api/people/:id/leaving',
]

describe.each(CALLS)('%s', (name) => {
  const call = findCall(name)

  test('answers any body in words, and a refused one changes nothing', async () => {
    const { valid, json, readStored, sendText } = await setUp(call)
    const bodies = fc.oneof(json.bodyJson(call.body ?? z.never()), {
      weight: 2,
      arbitrary: withUnusualField(call, valid, json.unusualJson),
    })
    let [refused, taken] = [0, 0]
    let before = await readStored()
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const response = await sendText(body)
        expect(response.statusCode, response.body).toBeLessThan(500)
        if (response.statusCode < 300) {
          taken++
          before = await readStored()
          return
        }
        refused++
        expect(response.json()).toMatchObject({ title: expect.any(String), status: response.statusCode })
        expect(await readStored()).toBe(before)
      }),
      // The first one is refused by every call, so that some are.
      { numRuns: RUNS, examples: [['null']] },
    )
    expect(refused + taken).toBe(RUNS)
    expect(refused).toBeGreaterThan(0)
  })

  test('refuses a field it does not know, and names it', async () => {
    const { sis, json, sendText } = await setUp(call)
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{3,12}$/), json.unusualJson, async (name, value) => {
        const field = `unknown_${name}`
        const payload = `{"_id":"${sis._id}","${field}":${value}}`
        const response = await sendText(payload)
        // Keys that could change an object's prototype are refused before the fields are checked.
        if (/"(__proto__|constructor)"/.test(payload) && response.statusCode === 400) return
        expect(response.statusCode, response.body).toBe(422)
        expect((response.json().errors as { path: string }[]).some(({ path }) => path.startsWith(field))).toBe(true)
      }),
      { numRuns: 15 },
    )
  })
})
