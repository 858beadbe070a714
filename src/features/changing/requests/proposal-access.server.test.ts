import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { PHONE_CHANGE, suggest } from '../../../../test/support/suggestions.ts'
import { readAffairHistory } from '../history/contract.ts'
import {
  createProposal,
  decideProposal,
  listContestedFields,
  listProposals,
  listRequests,
  readProposal,
  withdrawProposal,
} from './contract.ts'

describe('access to a suggestion', () => {
  test('is for the sender and people who can save the record', async () => {
    const app = await network()
    const { params, _id, sender } = await suggest(app)
    const otherCaller = app.as(10)
    expect((await otherCaller.trySend(readProposal, { params })).statusCode).toBe(404)
    expect((await otherCaller.trySend(decideProposal, { params, body: { accept: { 'address.phone': true } } })).statusCode).toBe(403)
    expect((await sender.trySend(decideProposal, { params, body: { accept: { 'address.phone': true } } })).statusCode).toBe(403)
    expect((await sender.send(readProposal, { params })).isMine).toBe(true)
    expect((await otherCaller.send(listProposals, {})).some((one) => one._id === _id)).toBe(false)
    expect((await sender.send(listProposals, { query: { state: 'mine' } })).some((one) => one._id === _id)).toBe(true)
    expect((await app.as(6).send(listProposals, {})).some((one) => one._id === _id)).toBe(true)
  })

  test('is limited for others to which fields were suggested; only people who can decide see the values', async () => {
    const app = await network()
    const { _id: person } = await app.make.person()
    const { _id: role } = await app.context.db.selectFrom('role').select('_id').limit(1).executeTakeFirstOrThrow()
    const { site, sender } = await suggest(app, {
      ...PHONE_CHANGE,
      'facility_info.lease_holder': 'Ada Lane',
      [`people.${person}.${role}`]: true,
    })
    const query = { kind: 'site' as const, record: site.slug }
    const hidden = { sender: null, createdAt: null, suggested: null, suggestedName: null }
    const other = app.as(10)
    const listed = await other.send(listContestedFields, { query })
    expect(listed.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'address.phone', ...hidden },
      { path: 'facility_info.lease_holder', ...hidden },
    ])
    expect(await sender.send(listContestedFields, { query })).toEqual([])
    const own = await other.send(createProposal, { body: { record: { kind: 'site', _id: site._id }, changes: PHONE_CHANGE } })
    const rivals = async (reader: typeof other) => (await reader.send(readProposal, { params: { id: own._id } })).fields[0]?.rivals
    expect(await rivals(other)).toEqual([])
    expect(await rivals(app.as(6))).toMatchObject([{ suggested: '555-555-0100' }])
    await other.send(withdrawProposal, { params: { id: own._id } })
    expect(await app.as(6).send(listContestedFields, { query })).toContainEqual({
      path: 'address.phone',
      sender: (await sender.who()).name,
      createdAt: expect.any(String),
      suggested: '555-555-0100',
      suggestedName: null,
    })
    const { _id: charter } = await app.make.charter()
    expect((await other.trySend(listContestedFields, { query: { kind: 'charter_affair', record: charter } })).statusCode).toBe(403)
    expect((await other.trySend(listContestedFields, { query: { kind: 'site', record: 'none' } })).statusCode).toBe(404)
  })

  test('to a charter affair shows its fields to no one who may not read it, in no list and no mail', async () => {
    const app = await network()
    const sender = app.as(6)
    const { _id: charter } = await app.make.charter()
    const body = {
      record: { kind: 'charter_affair' as const, _id: charter },
      changes: { 'overview.fein': '12-3456789' },
      note: 'From the letter',
    }
    expect((await app.as(10).trySend(createProposal, { body })).statusCode).toBe(403)
    const { _id } = await sender.send(createProposal, { body })
    const params = { id: _id }
    expect((await sender.send(readProposal, { params })).fields[0]).toMatchObject({
      label: 'Overview: FEIN',
      suggested: '12-3456789',
      before: null,
    })
    expect((await app.as(5).send(readProposal, { params })).canDecide).toBe(true)
    expect((await app.as(6).trySend(decideProposal, { params, body: { accept: { 'overview.fein': true } } })).statusCode).toBe(403)
    expect((await app.as(10).trySend(readProposal, { params })).statusCode).toBe(404)
    expect((await app.as(6).send(listRequests, {})).requests.some((one) => one._id === _id)).toBe(false)
    expect((await app.as(5).send(listRequests, {})).requests.some((one) => one._id === _id)).toBe(true)
    await app.as(5).send(decideProposal, { params, body: { accept: { 'overview.fein': true }, note: 'From the letter' } })
    const mails = await app.context.db.selectFrom('mail').selectAll().where('request', '=', _id).execute()
    expect(mails.length).toBeGreaterThan(1)
    expect(JSON.stringify(mails)).not.toMatch(/12-3456789|From the letter/)
    expect((await app.as(6).send(readAffairHistory, { params: { id: charter } })).changes[0]?.suggestedBy).toEqual(expect.any(String))
  })
})
