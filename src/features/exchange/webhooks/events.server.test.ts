import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { createWebhookTools } from '../../../../test/support/webhooks.ts'
import { createDeparture, deleteDeparture } from '../../../app/departures/contract.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { grantPermission, removePermission } from '../../access/permissions/contract.ts'
import { archiveRecord, restoreRecord } from '../../changing/archive/contract.ts'
import { answerRequest, sendSupportRequest } from '../../changing/requests/contract.ts'
import { EVENT_TYPES } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_PRIVATE_TARGETS: 'allow' })
})
const { setUp, startSender, saveSite, stop } = createWebhookTools(() => app)
afterEach(stop)

const saveCharterName = (_id: string) =>
  app.make.write((tx) => tx.updateTable('charter').set({ abbreviation: 'X' }).where('_id', '=', _id).execute())

describe('a webhook message', () => {
  test('names the record, the changed fields and who changed them, is signed, and contains no values', async () => {
    const { endpoint, secret, waitFor } = await setUp()
    const { _id, slug, displayName, version } = await app.make.site()
    const editor = app.as(6)
    startSender()
    await editor.send(updateSite, { params: { id: _id }, body: { finance_id: '4711999', address: { city: 'Lodi' } } })
    await waitFor(1)
    const [{ body, text, headers, id } = { body: null, text: '', headers: {}, id: '' }] = endpoint.received
    expect(body).toEqual({
      type: 'site.changed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        kind: 'site',
        _id,
        slug,
        name: displayName,
        version: version + 1,
        changed: expect.arrayContaining(['city', 'finance_id']),
        by: (await editor.who()).name,
      },
    })
    expect(body?.data.changed).toHaveLength(2)
    expect(text).not.toMatch(/4711999|Lodi/)
    expect(headers).toMatchObject({ 'content-type': 'application/json' })
    expect(id).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
  })

  test('is sent for each kind of event, in the order of the changes', async () => {
    const { endpoint, waitFor } = await setUp(EVENT_TYPES)
    const [officer, top] = [app.as(5), app.as(1)]
    startSender()
    const typesOf = (_id: string) => endpoint.received.flatMap(({ body }) => (body.data._id === _id ? [body.type] : []))

    const site = await app.make.site()
    await officer.send(updateFacility, { params: { id: site._id }, body: { county: 'Kern' } })
    const person = await app.make.person()
    await app.make.sitePerson(site._id, 'Principal', person._id)
    await officer.send(updatePerson, { params: { id: person._id }, body: { phone: '209-555-0101' } })
    await officer.send(createDeparture, { params: { id: person._id }, body: {} })
    await officer.send(deleteDeparture, { params: { id: person._id } })
    const { _id: request } = await officer.send(sendSupportRequest, { body: { request: 'Private words' } })
    await officer.send(answerRequest, { params: { id: request }, body: { state: 'done', word: 'Other words' } })
    await officer.send(answerRequest, { params: { id: request }, body: { state: 'open', word: null } })
    const userInfo = { azureID: 'granted@webhooks.test', name: 'Ana Ruiz', accessLevel: 6 as const }
    const { _id: grant } = await top.send(grantPermission, { body: { applicationID: 'homeroom', userInfo } })
    await top.send(removePermission, { params: { id: grant } })
    const brand = await app.make.brand()
    await officer.send(archiveRecord, { body: { kind: 'brand', _id: brand._id, reason: 'Private reason' } })
    await officer.send(restoreRecord, { params: { kind: 'brand', id: brand._id } })
    await waitUntil('the last event arrived', () => typesOf(brand._id).length === 3)
    await waitUntil(
      'all other events arrived',
      () =>
        typesOf(person._id).length === 7 && typesOf(site._id).length === 5 && typesOf(request).length === 3 && typesOf(grant).length === 2,
    )

    const changedOf = (_id: string) => endpoint.received.flatMap(({ body: { data } }) => (data._id === _id ? [data.changed] : []))
    expect(typesOf(site._id)).toEqual(['site.created', ...Array.from({ length: 4 }, () => 'site.changed')])
    expect(changedOf(site._id)).toEqual([[], ['facility_info.county'], ['people'], ['people'], ['people']])
    expect(typesOf(person._id)).toEqual(['person.created', 'person.changed', 'person.changed', ...typesOf(person._id).slice(3)])
    // A departure and its undo: the role that ends and returns, and the person.
    expect(typesOf(person._id).slice(3, 5).toSorted()).toEqual(['person.changed', 'person.left'])
    expect(typesOf(person._id).slice(5).toSorted()).toEqual(['person.changed', 'person.returned'])
    expect(typesOf(request)).toEqual(['request.created', 'request.answered', 'request.reopened'])
    expect(typesOf(grant)).toEqual(['grant.created', 'grant.removed'])
    expect(typesOf(brand._id)).toEqual(['brand.created', 'brand.archived', 'brand.restored'])
    expect(endpoint.received.map(({ text }) => text).join()).not.toMatch(/Private words|Private reason|Other words|209-555|granted@/)
    await waitFor(endpoint.received.length)
  })

  test('about a charter affair has no details, and is sent to webhooks that subscribe to that event by name', async () => {
    const named = await setUp(['charter_affair.created', 'charter_affair.changed'])
    const others = await setUp(EVENT_TYPES.filter((type) => !type.startsWith('charter_affair.')))
    const charter = await app.make.charter()
    startSender()
    const officer = app.as(5)
    await officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { notes: 'Confidential' } } })
    await officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { notes: 'Confidential too' } } })
    await saveCharterName(charter._id)
    await named.waitFor(3)
    await waitUntil('the other event arrived', () => others.endpoint.received.some(({ body }) => body.data._id === charter._id))
    const events = named.endpoint.received.map(({ body: { type, data } }) => ({ type, ...data }))
    expect(events).toMatchObject([
      { type: 'charter_affair.created', changed: [], slug: charter.slug },
      { type: 'charter_affair.changed', changed: [], slug: charter.slug },
      { type: 'charter_affair.changed', changed: [], name: expect.any(String) },
    ])
    expect(named.endpoint.received.map(({ text }) => text).join()).not.toMatch(/Confidential|overview|mou|notes/)
    expect(others.endpoint.received.map(({ body }) => body.type)).not.toContain('charter_affair.changed')
  })

  test('is not sent for changes before its webhook was created, or for changes that were rolled back', async () => {
    const site = await app.make.site()
    await saveSite(site._id)
    const { endpoint, waitFor } = await setUp()
    await app.make
      .write(async (tx) => {
        await tx.updateTable('site').set({ finance_id: 'rolled back' }).where('_id', '=', site._id).execute()
        throw new Error('No')
      })
      .catch(() => undefined)
    startSender()
    await saveSite(site._id)
    await waitFor(1)
    expect(endpoint.received.map(({ body }) => body.data.version)).toEqual([site.version + 2])
  })
})
