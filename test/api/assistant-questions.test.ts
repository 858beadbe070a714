import { randomUUID } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { decideProposal, listProposals } from '../../src/features/changing/requests/contract.ts'
import { readSite } from '../../src/records/sites/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { ask, connectClient, letIn } from '../support/assistants.ts'

let started: Promise<TestApp> | undefined
const setUp = () => (started ??= startApp({ MCP: 'on' }))

describe('a day of questions', () => {
  const build = async () => {
    const server = await setUp()
    const { make } = server
    const mark = randomUUID().slice(0, 6)
    const brand = await make.brand({ brandName: `Granite ${mark}` })
    const charter = await make.charter({ name: `Granite Charter ${mark}`, brand: brand._id })
    const site = await make.site({
      displayName: `Lodi ${mark}`,
      charter: charter._id,
      city: `Lodi${mark}`,
      state: 'CA',
      phone: '209-555-0100',
    })
    const ann = await make.person({ name: `Ann Stone ${mark}` })
    await make.sitePerson(site._id, 'Principal', ann._id)
    await make.facility(site._id, { lease_end: '2031-06-30' })
    await make.affair({ charter: charter._id, overview: JSON.stringify({ authorizer: `Secret Authorizer ${mark}` }) })
    await server.catchUp()
    return { server, mark, brand, charter, site, ann }
  }

  test.each([10, 6, 5])('level %i gets the right answers, with links', async (level) => {
    const { server, mark, charter, site, ann, brand } = await build()
    const { publicUrl } = server.context.configuration
    const { tokens } = await letIn(server, server.as(level))
    const client = await connectClient(server, tokens.access_token)

    const found = await ask(client, 'search', { query: `ann stone ${mark}` })
    expect(found.items[0]).toMatchObject({ kind: 'person', name: ann.name, url: `${publicUrl}/staff/${ann.slug}` })
    const principal = await ask(client, 'who_holds', { role: 'principal', place: `lodi${mark}` })
    expect(principal.items).toMatchObject([
      { role: 'Principal', person: ann.name, site: site.displayName, siteUrl: `${publicUrl}/location/${site.slug}` },
    ])
    expect(principal.text).toContain(`${publicUrl}/staff/${ann.slug}`)
    const vacant = await ask(client, 'vacancies', { place: site.slug })
    expect(vacant.items.map(({ role }) => role)).not.toContain('Principal')
    const lease = await ask(client, 'deadlines', { place: site.displayName })
    expect(lease.items).toMatchObject([{ date: '2031-06-30', kind: 'Lease', about: site.displayName }])
    const whole = await ask(client, 'get_record', { kind: 'site', id: site.slug })
    expect(whole.items).toContainEqual({ field: 'address', value: expect.objectContaining({ city: `Lodi${mark}` }) })
    expect((await ask(client, 'get_record', { kind: 'person', id: ann._id })).text).toContain(ann.name)
    const sites = await ask(client, 'list_records', { list: 'sites', search: mark })
    expect(sites.items).toMatchObject([{ name: site.displayName, id: site._id }])
    const charters = await ask(client, 'list_records', { list: 'brand_charters', of: brand._id })
    expect(charters.items).toMatchObject([{ name: charter.name }])
    const insights = await ask(client, 'insight', {})
    expect(insights.items.map(({ name }) => name).includes('charter-expirations')).toBe(level <= 6)
    const growth = await ask(client, 'insight', { name: 'site-status', charter: charter.slug })
    expect(growth.items).toContainEqual(
      expect.objectContaining({ series: 'Active - Permanent', url: expect.stringContaining(`${publicUrl}/locations`) }),
    )
    const changes = await ask(client, 'activity', { record: site._id })
    expect(changes.isError).toBe(false)
    const yesterday = await ask(client, 'who_holds', { place: site.slug, day: '2020-01-01' })
    expect(yesterday.isError).toBe(true)

    const affair = await ask(client, 'get_record', { kind: 'charter_affair', id: charter.slug })
    expect([affair.isError, affair.text.includes(`Secret Authorizer ${mark}`)]).toEqual([level > 6, level <= 6])
    const page = await client.readResource({ uri: `${publicUrl}/location/${site.slug}` })
    expect(JSON.stringify(page)).toContain(site.displayName)
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: `${publicUrl}/staff/{key}` },
      argument: { name: 'key', value: `Ann Stone ${mark}` },
    })
    expect(completion.values).toContain(ann.slug)
  })

  test('below level 6 no tool, schema or resource says that charter affairs exist', async () => {
    const server = await setUp()
    const { tokens } = await letIn(server, server.as(7))
    const client = await connectClient(server, tokens.access_token)
    const all = JSON.stringify([await client.listTools(), await client.listResourceTemplates(), await client.listResources()])
    expect(all).not.toMatch(/affair|petition|oversight|authorizer/i)
  })

  test('every tool says what it returns and that it changes nothing', async () => {
    const server = await setUp()
    const { tokens } = await letIn(server, server.as(5))
    const { tools } = await (await connectClient(server, tokens.access_token)).listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search', 'get_record', 'list_records', 'who_holds', 'vacancies', 'deadlines', 'activity', 'insight', 'suggest_change',
    ]) // prettier-ignore
    for (const { name, annotations, outputSchema } of tools) {
      expect(outputSchema?.properties, name).toHaveProperty('items')
      expect(annotations, name).toMatchObject({ readOnlyHint: name !== 'suggest_change', destructiveHint: false, openWorldHint: false })
    }
  })

  test('a suggestion waits for a person, and changes nothing before', async () => {
    const { server, site } = await build()
    const person = server.as(10)
    const { tokens } = await letIn(server, person)
    const client = await connectClient(server, tokens.access_token)
    const fields = await ask(client, 'get_record', { kind: 'site', id: site.slug, view: 'fields' })
    expect(fields.items).toContainEqual(expect.objectContaining({ field: 'address.phone', label: 'Phone', value: '209-555-0100' }))
    const sent = await ask(client, 'suggest_change', {
      kind: 'site',
      id: site.slug,
      changes: { 'address.phone': '209-555-0199' },
      note: 'They moved',
    })
    expect(sent.items).toMatchObject([{ state: 'waits for a decision' }])
    const admin = server.as(6)
    expect((await admin.send(readSite, { params: { slug: site.slug } })).address.phone).toBe('209-555-0100')
    const id = String(sent.items[0]?.['suggestion'])
    const proposal = (await admin.send(listProposals, { query: {} })).find(({ _id }) => _id === id)
    expect(proposal?.note).toBe('They moved\nSent by the assistant Claude.')
    await admin.send(decideProposal, { params: { id }, body: { accept: { 'address.phone': true } } } as never)
    expect((await admin.send(readSite, { params: { slug: site.slug } })).address.phone).toBe('209-555-0199')
    const wrong = await ask(client, 'suggest_change', { kind: 'site', id: site.slug, changes: { 'address.phone': 'none' } })
    expect(wrong.isError).toBe(true)
    expect(wrong.text).toContain('phone')
  })

  test('each question is in the audit trail, with the program, the account and the tool', async () => {
    const { server, site } = await build()
    const person = server.as(6)
    const { tokens } = await letIn(server, person, { client_name: 'Copilot' })
    const client = await connectClient(server, tokens.access_token)
    await ask(client, 'get_record', { kind: 'site', id: site.slug })
    await ask(client, 'search', { query: 'lodi' })
    const { account } = await person.who()
    const events = await server.context.db
      .selectFrom('audit_event')
      .select(['token', 'after'])
      .where('account', '=', account)
      .where('kind', '=', 'assistant.asked')
      .orderBy('_id')
      .execute()
    expect(events).toEqual([
      { token: 'Copilot', after: { client: 'Copilot', tool: 'get_record' } },
      { token: 'Copilot', after: { client: 'Copilot', tool: 'search' } },
    ])
  })
})
