import { describe, expect, test } from 'vitest'

import { network, type startApp } from '../../../../test/support/app.ts'
import { PHONE_CHANGE, suggest } from '../../../../test/support/suggestions.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { readHistory } from '../history/contract.ts'
import {
  answerRequest,
  createProposal,
  decideProposal,
  listOwnRequests,
  readProposal,
  sendChangeRequest,
  updateProposal,
  withdrawProposal,
} from './contract.ts'

type App = Awaited<ReturnType<typeof startApp>>

const readSite = (app: App, _id: string) => app.context.db.selectFrom('site').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()

describe('a suggestion', () => {
  test('has the suggested fields with their value at the time and now, and changes nothing', async () => {
    const app = await network()
    const { site, params } = await suggest(app, { ...PHONE_CHANGE, displayName: 'Lodi Annex' }, { basedOn: 1, note: 'The number moved' })
    expect((await readSite(app, site._id)).phone).toBe('(209) 555-0142')
    await app.as(6).send(updateSite, { params: { id: site._id }, body: { displayName: 'Lodi Main' } })
    const proposal = await app.as(6).send(readProposal, { params })
    expect(proposal).toMatchObject({
      record: { kind: 'site', _id: site._id, name: 'Lodi Main' },
      note: 'The number moved',
      state: 'open',
      canDecide: true,
    })
    expect(
      proposal.fields.map(({ path, label, before, suggested, present, state }) => [path, label, before, suggested, present, state]),
    ).toEqual([
      ['address.phone', 'Phone', '(209) 555-0142', '555-555-0100', '(209) 555-0142', 'open'],
      ['displayName', 'Display name', site.displayName, 'Lodi Annex', 'Lodi Main', 'open'],
    ])
  })

  test('based on an older version shows the values that its sender saw', async () => {
    const app = await network()
    const site = await app.make.site({ phone: '(209) 555-0142' })
    await app.as(6).send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0199' } } })
    const { _id } = await app
      .as(10)
      .send(createProposal, { body: { record: { kind: 'site', _id: site._id }, basedOn: 1, changes: PHONE_CHANGE } })
    const { fields } = await app.as(6).send(readProposal, { params: { id: _id } })
    expect(fields[0]).toMatchObject({ before: '(209) 555-0142', present: '209-555-0199' })
  })

  const refused: [kind: string, changes: Record<string, unknown>, path: string][] = [
    ['site', {}, 'changes'],
    ['site', { 'address.zip': '1234' }, 'address.zip'],
    ['site', { address: { zip: '1234' } }, 'address.zip'],
    ['site', { displayName: 'x'.repeat(61) }, 'displayName'],
    ['site', { charter: 'none' }, 'charter'],
    ['site', { shoe: '43' }, 'shoe'],
    ['site', { 'shoe.size': '43' }, 'shoe.size'],
    ['site', { 'address.phone.area': '209' }, 'address.phone.area'],
    ['site', { 'address.__proto__.x': 1 }, 'address.__proto__.x'],
    ['site', { 'address.start_time': '3:00PM', 'address.end_time': '1:00PM' }, 'address.start_time'],
    ['site', { 'address.start_time': '1:30PM', 'address.end_time': '1:00PM' }, 'address.end_time'],
    ['site', { 'facility_info.lease_end': 'soon' }, 'facility_info.lease_end'],
    ['site', { 'enrollment_info.programTypes': ['none'] }, 'enrollment_info.programTypes.0'],
    ['site', { 'people.nobody.no-role': true }, 'people.nobody.no-role'],
    ['site', { 'address.city': 'Lodi' }, 'address.city'],
    ['person', { email: 'not an address' }, 'email'],
    ['charter', { name: '' }, 'name'],
    ['brand', { brandPhoto: 'f'.repeat(64) }, 'brandPhoto'],
  ]
  test.each(refused)('for a %s with %j is refused at %s, as a save would be', async (kind, changes, path) => {
    const app = await network()
    const record =
      kind === 'site'
        ? await app.make.site({ city: 'Lodi' })
        : kind === 'person'
          ? await app.make.person()
          : kind === 'charter'
            ? await app.make.charter()
            : await app.make.brand()
    const response = await app.as(10).trySend(createProposal, { body: { record: { kind: kind as 'site', _id: record._id }, changes } })
    expect([response.statusCode, response.json().errors?.map((error: { path: string }) => error.path)]).toEqual([
      422,
      expect.arrayContaining([path]),
    ])
  })

  test('with a value that is already in use is refused at the field', async () => {
    const app = await network()
    const [taken, person] = [await app.make.person({ email: 'taken@school.example' }), await app.make.person()]
    const response = await app
      .as(10)
      .trySend(createProposal, { body: { record: { kind: 'person', _id: person._id }, changes: { email: taken.email } } })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'email'])
  })

  test('covers the facility, the enrollment and the staff of a site', async () => {
    const app = await network()
    const [person, role] = [
      await app.make.person(),
      await app.context.db.selectFrom('role').selectAll().where('name', '=', 'Principal').executeTakeFirstOrThrow(),
    ]
    const staff = `people.${person._id}.${role._id}`
    const { params, site } = await suggest(app, {
      facility_info: { lease_holder: 'Ada Lane' },
      'enrollment_info.about': 'New',
      [staff]: true,
    })
    const { fields } = await app.as(6).send(readProposal, { params })
    expect(fields.map(({ path }) => path)).toEqual(['facility_info.lease_holder', 'enrollment_info.about', staff])
    expect(fields[2]?.label).toBe(`Principal: ${person.name}`)
    await app.as(6).send(decideProposal, { params, body: { accept: Object.fromEntries(fields.map(({ path }) => [path, true as const])) } })
    const stored = await app.context.db.selectFrom('site_person').selectAll().where('site', '=', site._id).execute()
    expect(stored).toMatchObject([{ person: person._id, role: role._id }])
    expect(await app.context.db.selectFrom('facility').selectAll().where('site', '=', site._id).executeTakeFirst()).toMatchObject({
      lease_holder: 'Ada Lane',
    })
    expect(await app.context.db.selectFrom('enrollment').selectAll().where('site', '=', site._id).executeTakeFirst()).toMatchObject({
      about: 'New',
    })
  })

  test('of a weekday of the orientation is a separate field', async () => {
    const app = await network()
    const monday = { set: true, start_time: '09:00AM', end_time: '10:00AM' }
    const { params, site } = await suggest(app, { enrollment_info: { recurringDates: { Monday: monday } } })
    const { fields } = await app.as(6).send(readProposal, { params })
    expect(fields).toMatchObject([{ path: 'enrollment_info.recurringDates.Monday', suggested: monday, present: { set: false } }])
    expect(fields[0]?.label).toMatch(/: Monday$/)
    await app.as(6).send(decideProposal, { params, body: { accept: { 'enrollment_info.recurringDates.Monday': true } } })
    const stored = await app.context.db.selectFrom('enrollment').selectAll().where('site', '=', site._id).executeTakeFirstOrThrow()
    expect(stored.recurring_dates).toMatchObject({ Monday: monday, Tuesday: { set: false } })
  })

  test('is a change request too, and one sent as a change request may have fields', async () => {
    const app = await network()
    const sender = app.as(10)
    const site = await app.make.site()
    const { _id } = await sender.send(sendChangeRequest, {
      body: { site: site._id, correctText: 'The number moved', changes: PHONE_CHANGE },
    })
    expect((await sender.send(listOwnRequests)).find((request) => request._id === _id)).toMatchObject({
      openFields: 1,
      text: 'The number moved',
    })
    expect((await sender.send(readProposal, { params: { id: _id } })).note).toBe('The number moved')
    const byName = { location: site.displayName, changes: { 'address.phone': '555-555-0101' } }
    const named = await sender.send(sendChangeRequest, { body: byName })
    expect((await sender.send(readProposal, { params: { id: named._id } })).record._id).toBe(site._id)
    const nowhere = await sender.trySend(sendChangeRequest, { body: { ...byName, location: 'Nowhere' } })
    expect([nowhere.statusCode, nowhere.json().errors[0].path]).toEqual([422, 'site'])
    const answer = await app.as(6).trySend(answerRequest, { params: { id: _id }, body: { state: 'done' } })
    expect(answer.statusCode).toBe(409)
  })

  test('can be changed and withdrawn by its sender until it is decided', async () => {
    const app = await network()
    const { params, sender } = await suggest(app)
    const changed = await sender.send(updateProposal, { params, body: { changes: { 'address.city': 'Acampo' }, note: 'Moved' } })
    expect(changed.fields.map(({ path }) => path)).toEqual(['address.city'])
    expect(changed.version).toBeGreaterThan(1)
    expect((await app.as(6).trySend(updateProposal, { params, body: { note: 'x' } })).statusCode).toBe(403)
    expect((await sender.send(withdrawProposal, { params })).fields[0]?.state).toBe('withdrawn')
    expect((await sender.trySend(withdrawProposal, { params })).statusCode).toBe(409)
  })
})

describe('a decision', () => {
  test('accepts, edits and declines each field; the record, its history and the request show it', async () => {
    const app = await network()
    const { site, params, _id } = await suggest(app, { ...PHONE_CHANGE, displayName: 'Lodi Annex', 'address.city': 'Acampo' })
    const body = {
      accept: { 'address.phone': true as const, displayName: { value: 'Lodi North' } },
      decline: { 'address.city': 'It is in Lodi' },
      note: 'Thank you',
    }
    const proposal = await app.as(6).send(decideProposal, { params, body })
    expect(proposal.fields.map(({ state, value, word }) => [state, value, word])).toEqual([
      ['accepted', null, null],
      ['accepted', 'Lodi North', null],
      ['declined', null, 'It is in Lodi'],
    ])
    expect(proposal.state).toBe('done')
    expect(await readSite(app, site._id)).toMatchObject({ phone: '555-555-0100', displayName: 'Lodi North', city: 'Lodi', version: 2 })
    const { changes } = await app.as(6).send(readHistory, { params: { kind: 'site', id: site._id } })
    expect(changes[0]).toMatchObject({ action: 'update', suggestedBy: expect.any(String) })
    expect(changes[0]?.by).not.toBe(changes[0]?.suggestedBy)
    expect(changes.filter(({ action, part }) => action === 'update' && part === 'site')).toHaveLength(1)
    const mail = await app.context.db
      .selectFrom('mail')
      .selectAll()
      .where('request', '=', _id)
      .where('kind', '=', 'answer')
      .executeTakeFirstOrThrow()
    expect(mail.body).toContain('Declined: City, suggested Acampo\n  Why: It is in Lodi')
    expect(mail.body).toContain('changed to Lodi North')
  })

  test('leaves other fields open, and each field is decided once', async () => {
    const app = await network()
    const { params } = await suggest(app, { ...PHONE_CHANGE, displayName: 'Lodi Annex' })
    const accept = { accept: { 'address.phone': true as const } }
    expect((await app.as(6).send(decideProposal, { params, body: accept })).state).toBe('open')
    expect((await app.as(5).trySend(decideProposal, { params, body: accept })).statusCode).toBe(409)
    expect((await app.as(5).trySend(decideProposal, { params, body: { decline: { 'address.phone': 'No' } } })).statusCode).toBe(409)
  })

  test('by two people at the same time saves each field once', async () => {
    const app = await network()
    const { params, site } = await suggest(app, { ...PHONE_CHANGE, displayName: 'Lodi Annex' })
    const decide = (level: number) =>
      app.as(level).trySend(decideProposal, { params, body: { accept: { 'address.phone': true, displayName: true } } })
    const answers = await Promise.all([decide(6), decide(5), decide(6), decide(5)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409])
    expect((await readSite(app, site._id)).version).toBe(2)
  })

  test('of a field that is no longer valid saves nothing, shows the reason, and the field stays open', async () => {
    const app = await network()
    const charter = await app.make.charter()
    const { params, site } = await suggest(app, { ...PHONE_CHANGE, charter: charter._id })
    await app.context.db.deleteFrom('charter').where('_id', '=', charter._id).execute()
    const response = await app.as(6).trySend(decideProposal, { params, body: { accept: { 'address.phone': true, charter: true } } })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'charter'])
    expect(await readSite(app, site._id)).toMatchObject({ version: 1 })
    expect((await app.as(6).send(readProposal, { params })).fields.map(({ state }) => state)).toEqual(['open', 'open'])
  })

  test('of a value that changed after it was seen is refused', async () => {
    const app = await network()
    const { params, site } = await suggest(app)
    const body = { accept: { 'address.phone': true as const }, seen: { 'address.phone': '(209) 555-0142' } }
    await app.as(6).send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0199' } } })
    expect((await app.as(6).trySend(decideProposal, { params, body })).statusCode).toBe(409)
  })

  test('is possible after the record was renamed, other fields changed, and the sender left', async () => {
    const app = await network()
    const admin = app.as(6)
    const { params, site, sender } = await suggest(app)
    const person = await app.make.person({ email: (await sender.who()).azureID })
    await admin.send(updateSite, { params: { id: site._id }, body: { displayName: 'Lodi Annex', address: { city: 'Galt' } } })
    await admin.send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0177' } } })
    await app.context.db.updateTable('person').set({ leftAt: new Date() }).where('_id', '=', person._id).execute()
    const proposal = await admin.send(readProposal, { params })
    expect(proposal.record.name).toBe('Lodi Annex')
    expect(proposal.fields[0]).toMatchObject({
      before: '(209) 555-0142',
      present: '209-555-0177',
      changed: { by: (await admin.who()).name },
      problem: null,
    })
    await admin.send(decideProposal, { params, body: { accept: { 'address.phone': true } } })
    expect(await readSite(app, site._id)).toMatchObject({ phone: '555-555-0100', city: 'Galt', displayName: 'Lodi Annex' })
    await app.context.db.deleteFrom('person').where('_id', '=', person._id).execute()
    expect((await admin.send(readProposal, { params })).sender.name).toBe((await sender.who()).name)
  })

  test('of a deleted record shows its last name, and can decline', async () => {
    const app = await network()
    const charter = await app.make.charter()
    const { _id } = await app
      .as(10)
      .send(createProposal, { body: { record: { kind: 'charter', _id: charter._id }, changes: { name: 'Delta' } } })
    await app.context.db.deleteFrom('charter').where('_id', '=', charter._id).execute()
    const params = { id: _id }
    expect(await app.as(6).send(readProposal, { params })).toMatchObject({
      record: { name: charter.name },
      fields: [{ problem: 'This record no longer exists' }],
    })
    expect((await app.as(6).trySend(decideProposal, { params, body: { accept: { name: true } } })).statusCode).toBe(422)
    expect((await app.as(6).send(decideProposal, { params, body: { decline: { name: 'It is gone' } } })).state).toBe('declined')
  })

  test('that accepts one of two suggestions declines the other, and its sender is notified', async () => {
    const app = await network()
    const { params, site } = await suggest(app)
    const { _id: rival } = await app
      .as(10)
      .send(createProposal, { body: { record: { kind: 'site', _id: site._id }, changes: { 'address.phone': '555-555-0199' } } })
    expect((await app.as(6).send(readProposal, { params })).fields[0]?.rivals).toMatchObject([{ _id: rival, suggested: '555-555-0199' }])
    await app.as(6).send(decideProposal, { params, body: { accept: { 'address.phone': true } } })
    const other = await app.as(6).send(readProposal, { params: { id: rival } })
    expect(other).toMatchObject({
      state: 'declined',
      fields: [{ state: 'declined', word: 'Another suggestion was accepted: 555-555-0100' }],
    })
    expect(
      await app.context.db.selectFrom('mail').selectAll().where('request', '=', rival).where('kind', '=', 'answer').execute(),
    ).toHaveLength(1)
  })

  test('accepts and declines suggestions of others for the same fields, each with its own reason', async () => {
    const app = await network()
    const { params, site, sender } = await suggest(app, { ...PHONE_CHANGE, 'address.city': 'Acampo' })
    const body = { record: { kind: 'site' as const, _id: site._id }, changes: { 'address.phone': '555-555-0199', 'address.city': 'Galt' } }
    const { _id: rival } = await app.as(10).send(createProposal, { body })
    const { name: rivalName } = (await app.as(6).send(readProposal, { params: { id: rival } })).sender
    const admin = app.as(6)
    const proposal = await admin.send(decideProposal, {
      params,
      body: { accept: { 'address.phone': { suggestion: rival } }, declineOthers: { [rival]: { 'address.city': 'Galt is far' } } },
    })
    expect(proposal.fields.map(({ state, word }) => [state, word])).toEqual([
      ['declined', 'Another suggestion was accepted: 555-555-0199'],
      ['open', null],
    ])
    const other = await admin.send(readProposal, { params: { id: rival } })
    expect([other.state, ...other.fields.map(({ state, word }) => [state, word])]).toEqual([
      'done',
      ['accepted', null],
      ['declined', 'Galt is far'],
    ])
    expect(await readSite(app, site._id)).toMatchObject({ phone: '555-555-0199', city: 'Lodi' })
    const { changes } = await admin.send(readHistory, { params: { kind: 'site', id: site._id } })
    expect(changes[0]?.suggestedBy).toBe(rivalName)
    const again = await admin.trySend(decideProposal, { params, body: { declineOthers: { [rival]: { 'address.city': 'No' } } } })
    expect(again.statusCode).toBe(409)
    const both = { accept: { 'address.city': { suggestion: rival } }, declineOthers: { [rival]: { 'address.city': 'No' } } }
    expect((await admin.trySend(decideProposal, { params, body: both })).statusCode).toBe(422)
    expect((await sender.send(readProposal, { params })).state).toBe('open')
  })

  const wrong: [body: object, path: string][] = [
    [{}, 'accept'],
    [{ accept: { 'address.fax': true } }, 'address.fax'],
    [{ decline: { 'address.phone': ' ' } }, 'decline.address.phone'],
    [{ accept: { 'address.phone': true }, decline: { 'address.phone': 'No' } }, 'address.phone'],
    [{ accept: { 'address.phone': { value: 'none' } } }, 'address.phone'],
  ]
  test.each(wrong)('%j is refused at %s', async (body, path) => {
    const app = await network()
    const { params } = await suggest(app)
    const response = await app.as(6).trySend(decideProposal, { params, body })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, path])
  })
})
