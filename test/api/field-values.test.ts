import { expect, test } from 'vitest'

import { callName, type Call } from '../../src/contract/call.ts'
import { INVALID_EMAIL } from '../../src/contract/emails.ts'
import { REQUIRED } from '../../src/contract/messages.ts'
import { HIDDEN_CHARACTER, SINGLE_LINE_REQUIRED } from '../../src/contract/text-cleaning.ts'
import { updateBrand } from '../../src/records/brands/contract.ts'
import { addMember, saveCharterAffair, updateMember } from '../../src/records/charter-affairs/contract.ts'
import { createCharter, updateCharter, viewCharter } from '../../src/records/charters/contract.ts'
import { updateEnrollment } from '../../src/records/enrollment/contract.ts'
import { updateFacility } from '../../src/records/facility/contract.ts'
import { createPerson, readPerson, updatePerson } from '../../src/records/people/contract.ts'
import { updateSisSite } from '../../src/records/sis-sites/contract.ts'
import { readSite, updateSite } from '../../src/records/sites/contract.ts'
import { addressOf } from '../support/api-client.ts'
import { network } from '../support/app.ts'
import { listFieldsOfKind, setAtPath } from '../support/schema-fields.ts'

// All text fields of a record follow the same rules for cleaning and refusing text.

type Net = Awaited<ReturnType<typeof network>>
type Json = Record<string, unknown>

const isPlain = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const merged = (one: Json, other: Json): Json => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([key, value]) => {
      const before = one[key]
      return [key, isPlain(before) && isPlain(value) ? merged(before, value) : value]
    }),
  ),
})
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isPlain(inner) ? inner[key] : undefined), value)

const setUp = async () => {
  const net = await network()
  const sis = await net.make.sisSite({ site: net.site._id })
  const me = net.as(5)
  await me.send(saveCharterAffair, { params: { id: net.charter._id }, body: {} })
  const withMember = await me.send(addMember, { params: { id: net.charter._id }, body: { board_member_name: 'Ada Quill' } })
  const member = withMember.charter_affair_info[0]?.authorizer_board_member.at(-1)?._id ?? ''
  return { ...net, sis, me, member }
}

/** Each call that edits a record: the record's id, other required fields, and where the response contains the written values. */
const EDITS: readonly {
  call: Call
  id: (net: Net & { sis: { _id: string } }) => string
  along?: (member: string) => Json
  inAnswer?: (path: readonly string[]) => readonly string[]
  record?: (answer: unknown, member: string) => unknown
}[] = [
  { call: updateSite, id: ({ site }) => site._id },
  { call: updateBrand, id: ({ charter }) => charter.brand },
  { call: updatePerson, id: ({ principal }) => principal._id },
  { call: updateFacility, id: ({ site }) => site._id },
  { call: updateSisSite, id: ({ sis }) => sis._id },
  {
    call: updateEnrollment,
    id: ({ site }) => site._id,
    inAnswer: ([name = '']) => (name === 'orientationLink' ? ['orientation', 'virtual_orientation_link'] : [name]),
  },
  {
    call: saveCharterAffair,
    id: ({ charter }) => charter._id,
    record: (answer) => (answer as { charter_affair_info: unknown[] }).charter_affair_info[0],
  },
  {
    call: updateMember,
    id: ({ charter }) => charter._id,
    along: (member) => ({ _id: member }),
    record: (answer, member) =>
      (
        answer as { charter_affair_info: { authorizer_board_member: { _id: string }[] }[] }
      ).charter_affair_info[0]?.authorizer_board_member.find(({ _id }) => _id === member),
  },
]

test.each(EDITS.map((edit) => [callName(edit.call), edit] as const))(
  '%s: texts are returned without outer spaces, and hidden characters are refused',
  async (name, { call, id, along, inAnswer = (path) => path, record = (answer) => answer }) => {
    const net = await setUp()
    const own = (kind: 'line' | 'lines' | 'address') =>
      listFieldsOfKind(kind).filter((field) => field.call === name && !field.path.includes('*') && field.path[0] !== 'facility_info')
    const [lines, texts] = [[...own('line'), ...own('address')], own('lines')]
    const all = [...lines, ...texts]
    expect(all.length).toBeGreaterThan(0)
    const save = async (fields: typeof all, value: string) => {
      const body = fields.map(({ path }) => setAtPath(path, value) as Json).reduce(merged, along?.(net.member) ?? {})
      const response = await net.me.request(call.method, addressOf(call, { id: id(net) }), { payload: body })
      return { status: response.statusCode, json: response.json() as Json & { errors?: { path: string; message: string }[] } }
    }
    const expectStored = async (fields: typeof all, value: string, stored: string | null) => {
      const { status, json } = await save(fields, value)
      expect([status, json.errors]).toEqual([200, undefined])
      for (const { path } of fields) expect([path, at(record(json, net.member), inAnswer(path))]).toEqual([path, stored])
    }
    const expectRefused = async (fields: typeof all, value: string, message: string) => {
      const { status, json } = await save(fields, value)
      expect([status, json.errors?.toSorted((a, b) => (a.path < b.path ? -1 : 1))]).toEqual([
        422,
        fields.map(({ path }) => ({ path: path.join('.'), message })).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      ])
    }
    const required: string[] = []
    for (const field of all) if (!field.schema.safeParse('').success) required.push(field.path.join('.'))
    const [must, may] = [
      all.filter(({ path }) => required.includes(path.join('.'))),
      all.filter(({ path }) => !required.includes(path.join('.'))),
    ]
    await expectStored(all, '\u00a0 Two  words\u200b\n', 'Two  words')
    if (may.length > 0) await expectStored(may, ' \t\u200b ', null)
    for (const blank of ['', '   ', '\n', '\u200b']) if (must.length > 0) await expectRefused(must, blank, REQUIRED)
    if (lines.length > 0) for (const broken of ['a\nb', 'a\r\nb', 'a\u2028b']) await expectRefused(lines, broken, SINGLE_LINE_REQUIRED)
    if (texts.length > 0) await expectStored(texts, 'a\r\nb\rc', 'a\nb\nc')
    for (const hidden of ['a\u0007b', 'a\u0085b', 'a\u202eb', 'a\u0000b', 'a\ud800b']) await expectRefused(all, hidden, HIDDEN_CHARACTER)
  },
)

test('a slug is refused if no URL leads to it, and accepted in any case, with outer spaces and in any Unicode form', async () => {
  const { as, make, charter } = await network()
  const me = as(5)
  const mark = 'Peña Vista'
  const other = await make.charter({ slug: 'other charter' })
  const body = (slug: string) => ({
    name: slug.trim() || 'x',
    slug,
    abbreviation: 'Z',
    brand: charter.brand,
    charterWebsite: 'https://z.example',
  })
  for (const slug of ['.', '..', ' ', '. .', '|', '-', '%2e', 'a/b', 'a\nb', 'zq\ufe0f'])
    for (const response of [
      await me.request('POST', addressOf(createCharter, {}), { payload: { ...body('Nameless'), slug } }),
      await me.request('PUT', addressOf(updateCharter, { id: other._id }), { payload: { slug } }),
    ])
      expect([slug, response.statusCode, response.json().errors?.[0]?.path]).toEqual([slug, 422, 'slug'])
  const made = await me.send(createCharter, { body: body(`\u00a0${mark.normalize('NFD')} `) })
  expect(made.slug).toBe(mark)
  for (const slug of [mark, ` ${mark}`, `${mark}\u200b`, mark.toUpperCase(), mark.normalize('NFD')]) {
    expect((await me.trySend(updateCharter, { params: { id: other._id }, body: { slug } })).statusCode).toBe(409)
    expect((await me.send(viewCharter, { params: { id: slug } }))._id).toBe(made._id)
  }
  expect((await me.send(updateCharter, { params: { id: made._id }, body: { slug: 'Elsewhere now' } })).slug).toBe('Elsewhere now')
  expect((await me.send(viewCharter, { params: { id: ` ${mark} ` } }))._id).toBe(made._id)
})

test('an email address is checked and stored in the same way when adding and editing a person', async () => {
  const { as, make } = await network()
  const me = as(5)
  const { _id } = await make.person()
  const add = async (email: string) => me.request('POST', addressOf(createPerson, {}), { payload: { name: 'Ana Ruiz', email } })
  const change = async (email: string) => me.request('PUT', addressOf(updatePerson, { id: _id }), { payload: { email } })
  for (const email of ['*@*.**', 'a@b..co', '.a@b.co', 'a@-x.co', 'a@x.c1', 'x?bcc=evil%40evil.test&y=@school.org'])
    for (const response of [await add(email), await change(email)])
      expect([response.statusCode, response.json().errors]).toEqual([422, [{ path: 'email', message: INVALID_EMAIL }]])
  expect((await add(" o'brien+1@field-values.test\n")).json().email).toBe("o'brien+1@field-values.test")
  expect((await change("\u00a0o'brien+2@field-values.test ")).json().email).toBe("o'brien+2@field-values.test")
})

test('a stored text that would be cleaned is returned unchanged if no one edits it', async () => {
  const { as, make, site } = await network()
  const me = as(5)
  const person = await make.person({ name: ' Ada  Quill\u0007 ', email: 'ada at school' })
  await make.facility(site._id, { fac_notes: 'a\r\nb ', county: ' San Joaquin' })
  await me.send(updatePerson, {
    params: { id: person._id },
    body: { name: ' Ada  Quill\u0007 ', email: 'ada at school', phone: '209-555-0142' },
  })
  expect(await me.send(readPerson, { params: { slug: person._id } })).toMatchObject({
    name: ' Ada  Quill\u0007 ',
    email: 'ada at school',
    phone: '209-555-0142',
  })
  const body = { fac_notes: 'a\r\nb ', county: ' San Joaquin', apn: ' 7 ' }
  await me.send(updateFacility, { params: { id: site._id }, body })
  expect((await me.send(readSite, { params: { slug: site._id } })).facility_info).toMatchObject({ ...body, apn: '7' })
})
