import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { addMember, readCharterAffair, removeMember } from '../../../records/charter-affairs/contract.ts'
import { createProposal, decideProposal, readProposal } from './contract.ts'

describe('a suggestion for the lists of a charter affair', () => {
  const setUp = async () => {
    const app = await network()
    const { _id: charter } = await app.make.charter()
    const admin = app.as(5)
    const answer = await admin.send(addMember, { params: { id: charter }, body: { board_member_name: 'Ann Lee' } })
    const member = answer.charter_affair_info[0]?.authorizer_board_member[0]?._id ?? ''
    const suggest = (changes: Record<string, unknown>) =>
      app.as(6).trySend(createProposal, { body: { record: { kind: 'charter_affair', _id: charter }, changes } })
    const readAffair = async () => (await admin.send(readCharterAffair, { params: { id: charter } })).charter_affair_info[0]
    return { ...app, admin, charter, member, ask: suggest, readAffair }
  }

  test('refers to existing rows by their keys, and to a new one as one field', async () => {
    const { admin, member, ask: suggest, readAffair } = await setUp()
    const changes = {
      authorizer_board_member: { [member]: { board_position: 'Chair' } },
      'center_district.new': { center_name: 'Lodi', county: 'San Joaquin' },
    }
    const sent = await suggest(changes)
    expect(sent.statusCode).toBe(200)
    const params = { id: sent.json()._id as string }
    const { fields } = await admin.send(readProposal, { params })
    expect(fields.map(({ path, label, present, suggested, suggestedName }) => [path, label, present, suggestedName ?? suggested])).toEqual([
      [`authorizer_board_member.${member}.board_position`, 'Ann Lee: Board position', null, 'Chair'],
      ['center_district.new', 'New district', null, expect.stringMatching(/Lodi.*; .*San Joaquin/)],
    ])
    // Additions by others do not conflict with it.
    expect((await suggest({ 'center_district.new': { center_name: 'Galt' } })).statusCode).toBe(200)
    expect((await admin.send(readProposal, { params })).fields[1]?.rivals).toEqual([])
    await admin.send(decideProposal, { params, body: { accept: Object.fromEntries(fields.map(({ path }) => [path, true as const])) } })
    const affair = await readAffair()
    expect(affair?.authorizer_board_member).toMatchObject([{ board_member_name: 'Ann Lee', board_position: 'Chair' }])
    expect(affair?.center_district).toMatchObject([{ center_name: 'Lodi', county: 'San Joaquin' }])
  })

  test('is refused if the call of the row would refuse it', async () => {
    const { member, ask: suggest } = await setUp()
    const refused: [changes: Record<string, unknown>, path: string][] = [
      [{ [`authorizer_board_member.${member}.shoe`]: '43' }, `authorizer_board_member.${member}.shoe`],
      [{ [`authorizer_board_member.${member}.board_position`]: 5 }, `authorizer_board_member.${member}.board_position`],
      [{ [`center_district.${member}.county`]: 'Kern' }, `center_district.${member}.county`],
      [{ 'center_district.new': { shoe: '43' } }, 'center_district.new.shoe'],
      [{ 'center_district.new': 'Lodi' }, 'center_district.new'],
    ]
    for (const [changes, path] of refused) {
      const response = await suggest(changes)
      expect([response.statusCode, response.json().errors?.[0].path]).toEqual([422, path])
    }
  })

  test('shows that a row was removed, and keeps what was entered', async () => {
    const { admin, charter, member, ask: suggest } = await setUp()
    const path = `authorizer_board_member.${member}.board_position`
    const params = { id: (await suggest({ [path]: 'Chair' })).json()._id as string }
    await admin.send(removeMember, { params: { id: charter, memberId: member } })
    expect((await admin.send(readProposal, { params })).fields[0]?.problem).toBe('This record no longer exists')
    const response = await admin.trySend(decideProposal, { params, body: { accept: { [path]: true } } })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, path])
    expect((await admin.send(readProposal, { params })).state).toBe('open')
  })
})
