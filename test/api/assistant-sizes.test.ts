import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import { saveCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { connectClient, createSender, letIn } from '../support/assistants.ts'

const SITES = process.env['TEST_ALL'] === '1' ? 10_000 : 1500
const MAX_BYTES = 25_000

let server: TestApp
/** The widest questions of each tool. The keys are the names of all tools. */
let questions: Readonly<Record<string, readonly Record<string, unknown>[]>>

/** Sites of one charter, each with a principal and a lease, without history rows. */
const fillNetwork = async ({ context, make }: TestApp) => {
  const network = await make.network()
  await make.facility(network.site._id, { lease_end: '2031-06-30' })
  const registrar = await make.role('Registrar')
  await context.db.transaction().execute(async (tx) => {
    await sql`select set_config('homeroom.skip_history', 'yes', true)`.execute(tx)
    await sql`
      insert into site select (jsonb_populate_record(null::site, to_jsonb(s) || jsonb_build_object('_id', 'site-' || n, 'slug', 'many-site-' || n,
        'displayName', 'Many site ' || n, 'name', 'Many site ' || n, 'latitude', 36, 'longitude', -120))).*
      from site as s, generate_series(1, ${SITES - 1}) as n where s._id = ${network.site._id}`.execute(tx)
    await sql`update facility set lease_end = current_date + 100`.execute(tx)
    await sql`insert into site_person (site, person, role) select _id, ${network.principal._id}, ${registrar._id} from site`.execute(tx)
  })
  await sql`analyze`.execute(context.db)
  context.lists.invalidateAll(true)
  return network
}

beforeAll(async () => {
  server = await startApp({ MCP: 'on' })
  const { site, charter, brand, region, principal } = await fillNetwork(server)
  const overview = Object.fromEntries(['notes', 'corporation', 'authorizer', 'principal'].map((field) => [field, '"<\\>" '.repeat(900)]))
  await server.as(5).send(saveCharterAffair, { params: { id: charter._id }, body: { overview } })
  // One entry of the activity with more than any answer can hold.
  const fields = ['fac_notes', 'lease_notes', 'option_renew', 'signage_language', 'guarantor', 'county', 'apn', 'base_rent', 'leaseTerm']
  for (let time = 0; time < 20; time++)
    await server.make.facility(site._id, Object.fromEntries(fields.map((field) => [field, `${time} ${'Long value. '.repeat(200)}`])))
  await server.catchUp()
  questions = {
    search: [{ query: 'many site' }, { query: 'many site', kind: 'site' }, { query: 'a'.repeat(200) }],
    get_record: [
      { kind: 'region', id: region.slug }, { kind: 'charter', id: charter.slug }, { kind: 'brand', id: brand._id }, { kind: 'person', id: principal.slug },
      { kind: 'site', id: site.slug }, { kind: 'site', id: site.slug, view: 'fields' }, { kind: 'charter_affair', id: charter.slug },
      { kind: 'charter_affair', id: charter.slug, view: 'fields' },
    ],
    list_records: [{ list: 'sites' }, { list: 'charter_sites', of: charter._id }, { list: 'region_sites', of: region._id }, { list: 'support' }],
    who_holds: [{}, { role: 'Registrar' }],
    vacancies: [{}],
    deadlines: [{}, { from: '2000-01-01', to: '2099-12-31' }],
    activity: [{}, { record: site._id }],
    insight: [{}, ...['lease-map', 'lease-parties', 'principal-changes', 'check-age', 'site-status'].map((name) => ({ name, from: '2015-01-01' })), { name: 'vacancy-age', by: 'position' }],
    suggest_change: [{ kind: 'site', id: site.slug, changes: { 'address.phone': '209-555-0199' }, note: 'x'.repeat(300) }],
  } // prettier-ignore
}, 600_000)

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: { readonly items: readonly object[]; readonly next: number | string | null; readonly total: number | null; readonly shortened: boolean }
} // prettier-ignore

const connect = async () => {
  const { tokens } = await letIn(server, server.as(5))
  const headers = { accept: 'application/json, text/event-stream', authorization: `Bearer ${tokens.access_token}` }
  const call = async (name: string, given: object): Promise<Result> => {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    const { text, json: parse } = await createSender(server)('/mcp', { method: 'POST', headers, json })
    expect(Buffer.byteLength(text), name).toBeLessThan(MAX_BYTES)
    return parse()['result'] as Result
  }
  return { call, client: await connectClient(server, tokens.access_token) }
}

test(
  `with ${SITES} sites no answer of any tool has more than 25 kB, and each leads to what it left out`,
  { timeout: 600_000 },
  async () => {
    const { call, client } = await connect()
    const { tools } = await client.listTools()
    expect(Object.keys(questions).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    for (const [tool, all] of Object.entries(questions))
      for (const given of all) {
        const what = `${tool} ${JSON.stringify(given).slice(0, 100)}`
        const { isError = false, content, structuredContent: first } = await call(tool, given)
        const text = content[0]?.text ?? ''
        expect([isError, first?.items.length === 0], `${what}: ${text.slice(0, 300)}`).toEqual([false, text.includes('(0)')])
        const { items, next, total, shortened } = first
        expect(text.includes('cut off'), what).toBe(shortened)
        expect(text.includes('There is more'), what).toBe(next !== null || (total === null && tool === 'search'))
        if (next === null) continue
        const more = typeof next === 'string' ? { before: next } : { offset: next }
        const { structuredContent: second } = await call(tool, { ...given, ...more })
        expect(second.items.length, what).toBeGreaterThan(0)
        expect(second.items[0], what).not.toEqual(items.at(-1))
        if (total === null) continue
        const last = await call(tool, { ...given, offset: total - 1 })
        expect([last.structuredContent.items.length, last.structuredContent.next], what).toEqual([1, null])
      }
  },
)

test('following what an answer says leads to every site exactly once', { timeout: 600_000 }, async () => {
  const seen: string[] = []
  // One assistant may ask 120 times a minute.
  let { call } = await connect()
  for (let offset: number | null = 0, asked = 1; offset !== null; asked++) {
    if (asked % 100 === 0) ({ call } = await connect())
    const { structuredContent } = await call('list_records', { list: 'sites', offset })
    expect(structuredContent.total).toBe(SITES)
    seen.push(...(structuredContent.items as readonly { id: string }[]).map(({ id }) => id))
    offset = structuredContent.next as number | null
  }
  expect([seen.length, new Set(seen).size]).toEqual([SITES, SITES])
})
