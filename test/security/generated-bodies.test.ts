import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { callName, type Call } from '../../src/contract/call.ts'
import { grantPermission, listPermissions } from '../../src/features/administration/permissions/contract.ts'
import { restoreFromHistory, restoreAffairFromHistory } from '../../src/features/record-tools/history/contract.ts'
import { createBrand, updateBrand, viewBrand } from '../../src/features/records/brands/contract.ts'
import {
  addDistrict,
  addMember,
  readCharterAffair,
  saveCharterAffair,
  updateDistrict,
  updateMember,
} from '../../src/features/records/charter-affairs/contract.ts'
import { createCharter, updateCharter, viewCharter } from '../../src/features/records/charters/contract.ts'
import { createDeparture } from '../../src/features/records/departures/contract.ts'
import { addService, replaceService, updateEnrollment } from '../../src/features/records/enrollment/contract.ts'
import { updateFacility } from '../../src/features/records/facility/contract.ts'
import { createPerson, readPerson, updatePerson } from '../../src/features/records/people/contract.ts'
import { readSettings, saveSettings } from '../../src/features/records/settings/contract.ts'
import { createSisSite, readSisSite, updateSisSite, updateSisSiteInBody } from '../../src/features/records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../src/features/records/site-staff/contract.ts'
import { createSite, readSite, updateSite } from '../../src/features/records/sites/contract.ts'
import { addressOf, network } from '../support/app.ts'

// Random bodies at every call that edits a record or a part of it: never a 5xx, a partial save, or an accepted unknown field.

/** `npm run test:all` tries three times as many. */
const RUNS = process.env['TEST_ALL'] === '1' ? 90 : 20

const times = ['7:00AM', '9:00AM', '09:00AM', '5:00PM', 'noon']
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    2 ** 31,
    1e308,
    true,
    false,
    [],
    {},
    [null],
    '\u0000',
    '\ud800',
    'x'.repeat(100_000),
    '=1+1',
    "';--",
    '<script>',
    '2026-02-30',
    '2026-11-20',
    ...times,
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.integer(),
  fc.double(),
  fc.uuid(),
  fc.jsonValue(),
  fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.emailAddress(), fc.constant(null)), { maxLength: 5 }),
)

/** An object with some of a schema's fields, at any depth, with arbitrary values. */
const bodyOf = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema
  if (!(inner instanceof z.ZodObject)) return odd
  const fields = Object.fromEntries(
    Object.entries(inner.shape).map(([name, field]) => [
      name,
      fc.oneof({ weight: 3, arbitrary: odd }, { weight: 1, arbitrary: bodyOf(field as z.ZodType) }),
    ]),
  )
  return fc.oneof({ weight: 9, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: odd })
}

/** One field of a schema with an arbitrary value, to be merged into a valid body. */
const oneFieldOf = (schema: z.ZodType): fc.Arbitrary<Record<string, unknown>> =>
  schema instanceof z.ZodObject
    ? fc.oneof(
        ...Object.entries(schema.shape).map(([name, field]) => {
          const inner =
            field instanceof z.ZodOptional || field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType)
          const values: fc.Arbitrary<unknown> = inner instanceof z.ZodObject ? oneFieldOf(inner) : odd
          return values.map((value) => ({ [name]: value }))
        }),
      )
    : fc.constant({})

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const over = (base: Record<string, unknown>, given: Record<string, unknown>): Record<string, unknown> => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isPlain(value) && isPlain(base[name]) ? over(base[name], value) : value]),
  ),
})

const setUp = async () => {
  const app = await network()
  const sis = await app.make.sisSite({ site: app.site._id })
  const me = app.as(5)
  const stored = async (): Promise<string> =>
    JSON.stringify([
      await me.send(readSite, { params: { slug: app.site._id } }),
      await me.send(readSisSite, { params: { id: sis._id } }),
      await me.send(viewCharter, { params: { id: app.charter._id } }),
      await me.send(viewBrand, { params: { id: app.charter.brand } }),
      await me.send(readSettings),
      await me.send(readCharterAffair, { params: { id: app.charter._id } }),
      await me.send(readPerson, { params: { slug: app.principal._id } }),
      await me.send(listPermissions, { params: { appId: 'homeroom' } }),
    ])
  const counted = async (): Promise<number> => {
    const { count } = await app.context.db
      .selectFrom('change')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }
  return { ...app, sis, me, stored, counted }
}

type Net = Awaited<ReturnType<typeof setUp>>
/** The fields that a call needs to succeed. */
const rightBody = (call: Call, { site, sis, charter, region, principal }: Net): Record<string, unknown> => {
  if (call === createSite)
    return {
      name: 'New',
      displayName: 'New Site',
      charter: charter._id,
      region: region._id,
      address: { address_1: '1 Main St', city: 'Lodi', zip: '95240', phone: '209-555-0142' },
      enrollment_info: { registrationEmail: ['a@b.example'], interestEmail: ['a@b.example'] },
    }
  if (call === createBrand) return { brandName: 'Cedar', websiteUrl: 'https://a.example', EnrollmentsUrl: 'https://b.example' }
  if (call === createCharter)
    return { name: 'Cedar', slug: 'cedar', abbreviation: 'C', brand: charter.brand, charterWebsite: 'https://a.example' }
  if (call === createSisSite) return { name: 'SIS', site: site._id }
  if (call === updateSisSiteInBody) return { _id: sis._id }
  if (call === grantPermission) return { applicationID: 'homeroom', userInfo: { azureID: 'ana.ruiz@network.test', name: 'Ana Ruiz' } }
  if (call === createPerson) return { name: 'Ana Ruiz', email: 'ana.ruiz@network.test' }
  if (call === addSiteStaff) return { person: principal._id }
  return {}
}

const CALLS: readonly (readonly [Call, (net: Awaited<ReturnType<typeof setUp>>) => object])[] = [
  [createSite, () => ({})],
  [updateSite, ({ site }) => ({ id: site._id })],
  [updateFacility, ({ site }) => ({ id: site._id })],
  [updateEnrollment, ({ site }) => ({ id: site._id })],
  [addService, ({ site }) => ({ id: site._id })],
  [replaceService, ({ site }) => ({ id: site._id })],
  [addSiteStaff, ({ site }) => ({ id: site._id })],
  [removeSiteStaff, ({ site }) => ({ id: site._id })],
  [createSisSite, () => ({})],
  [updateSisSite, ({ sis }) => ({ id: sis._id })],
  [updateSisSiteInBody, () => ({})],
  [saveSettings, () => ({})],
  [restoreFromHistory, ({ site }) => ({ kind: 'site', id: site._id, change: '1' })],
  [restoreAffairFromHistory, ({ charter }) => ({ id: charter._id, change: '1' })],
  [createBrand, () => ({})],
  [updateBrand, ({ charter }) => ({ id: charter.brand })],
  [createCharter, () => ({})],
  [createPerson, () => ({})],
  [updateCharter, ({ charter }) => ({ id: charter._id })],
  [saveCharterAffair, ({ charter }) => ({ id: charter._id })],
  [addMember, ({ charter }) => ({ id: charter._id })],
  [updateMember, ({ charter }) => ({ id: charter._id })],
  [addDistrict, ({ charter }) => ({ id: charter._id })],
  [updateDistrict, ({ charter }) => ({ id: charter._id })],
  [grantPermission, () => ({})],
  [updatePerson, ({ principal }) => ({ id: principal._id })],
  [createDeparture, ({ principal }) => ({ id: principal._id })],
]

describe.each(CALLS.map(([call, params]) => [callName(call), call, params] as const))('%s', (_name, call, paramsOf) => {
  test('answers any body in words, and a refused one changes nothing', async () => {
    const net = await setUp()
    const address = addressOf(call, paramsOf(net))
    const single = oneFieldOf(call.body ?? z.never()).map((field) => over(rightBody(call, net), field))
    const bodies = fc.oneof(bodyOf(call.body ?? z.never()), { weight: 2, arbitrary: single })
    let [refused, taken] = [0, 0]
    let before = { stored: await net.stored(), changes: await net.counted() }
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const response = await net.me.request(call.method, address, {
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify(body) ?? '',
        })
        expect(response.statusCode, response.body).toBeLessThan(500)
        if (response.statusCode < 300) {
          taken++
          before = { stored: await net.stored(), changes: await net.counted() }
          return
        }
        refused++
        expect(response.json()).toMatchObject({ title: expect.any(String), status: response.statusCode })
        expect({ stored: await net.stored(), changes: await net.counted() }).toEqual(before)
      }),
      { numRuns: RUNS },
    )
    expect(refused + taken).toBe(RUNS)
    expect(refused).toBeGreaterThan(0)
  })

  test('refuses a field it does not know, and names it', async () => {
    const net = await setUp()
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{3,12}$/), odd, async (name, value) => {
        const field = `unknown_${name}`
        const payload = JSON.stringify({ _id: net.sis._id, [field]: value === undefined ? null : value })
        const response = await net.me.request(call.method, addressOf(call, paramsOf(net)), {
          headers: { 'content-type': 'application/json' },
          payload,
        })
        // Keys that could change an object's prototype are refused before the fields are checked.
        if (/"(__proto__|constructor)"/.test(payload) && response.statusCode === 400) return
        expect(response.statusCode, response.body).toBe(422)
        expect((response.json().errors as { path: string }[]).some(({ path }) => path.startsWith(field))).toBe(true)
      }),
      { numRuns: 15 },
    )
  })
})
