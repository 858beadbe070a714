import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { removeDistrict, removeMember } from '../../../records/charter-affairs/contract.ts'
import { deleteSisSite } from '../../../records/sis-sites/contract.ts'
import { removeSiteStaff } from '../../../records/site-staff/contract.ts'
import { grantPermission, removePermission } from '../../access/permissions/contract.ts'
import { restoreFromHistory, readAffairHistory, readHistory, readPermissionHistory } from './contract.ts'

describe('the history of a deleted record', () => {
  test('is readable for a permission by people who manage administrators, and cannot be restored', async () => {
    const { as } = await network()
    const me = as(6)
    const { name } = await me.who()
    const userInfo = { azureID: 'removed@history.test', name: 'Ana Ruiz' }
    const { _id: id } = await me.send(grantPermission, { body: { applicationID: 'homeroom', userInfo } })
    expect((await me.send(readPermissionHistory, { params: { id } })).changes).toMatchObject([{ action: 'insert' }])
    await me.send(removePermission, { params: { id } })
    const { changes, people } = await me.send(readPermissionHistory, { params: { id } })
    expect(changes.map(({ action, by, canRestore }) => [action, by, canRestore])).toEqual([
      ['delete', name, false],
      ['insert', name, false],
    ])
    expect(people).toEqual([name])
    expect(changes[0]?.fields).toContainEqual(expect.objectContaining({ field: 'accessLevel', from: 6, to: null }))
    expect((await as(7).trySend(readPermissionHistory, { params: { id } })).statusCode).toBe(403)
    const response = await as(1).request('POST', `/api/history/permission/${id}/${changes[0]?._id}`, { payload: {} })
    expect(response.statusCode).toBe(404)
  })

  test('does not give access to other records', async () => {
    const { as, site, charter, make } = await network()
    const affair = await make.affair({ charter: charter._id })
    for (const id of [site._id, affair._id, 'nobody', '00000000-0000-4000-8000-000000000000'])
      expect((await as(1).trySend(readPermissionHistory, { params: { id } })).statusCode).toBe(404)
    for (const kind of ['site', 'charter'] as const)
      expect((await as(1).trySend(readHistory, { params: { kind, id: affair._id } })).statusCode).toBe(404)
  })

  test('is found by the _id of the record', async () => {
    const { as, make, context } = await network()
    const person = await make.person({ name: 'Gone For Good' })
    await make.write((tx) => tx.deleteFrom('person').where('_id', '=', person._id).execute())
    await context.lists.invalidate(['person'])
    const { changes } = await as(6).send(readHistory, { params: { kind: 'person', id: person._id } })
    expect(changes.map(({ action }) => action)).toEqual(['delete', 'insert'])
    const params = { kind: 'person', id: person._id, change: changes[0]?._id ?? '' } as const
    expect((await as(6).trySend(restoreFromHistory, { params, body: {} })).statusCode).toBe(404)
  })

  test('is in the history of the owner for a SIS site, a role at a site, a board member and a district', async () => {
    const { as, make, site, charter } = await network()
    const me = as(5)
    const sis = await make.sisSite({ site: site._id })
    const staff = await make.sitePerson(site._id, 'Registrar')
    const affair = await make.affair({ charter: charter._id })
    const [member, district] = [await make.member({ charter_affair: affair._id }), await make.district({ charter_affair: affair._id })]
    await me.send(deleteSisSite, { params: { id: sis._id } })
    await me.send(removeSiteStaff, { params: { id: site._id }, body: { person_id: staff.person, role_id: staff.role } })
    await me.send(removeMember, { params: { id: charter._id, memberId: member._id } })
    await me.send(removeDistrict, { params: { id: charter._id, districtId: district._id } })
    const ofSite = await me.send(readHistory, { params: { kind: 'site', id: site._id } })
    expect(ofSite.changes.filter(({ action }) => action === 'delete').map(({ part }) => part)).toEqual(['site_person', 'sis_site'])
    const ofAffair = await me.send(readAffairHistory, { params: { id: charter._id } })
    expect(ofAffair.changes.filter(({ action }) => action === 'delete').map(({ part }) => part)).toEqual([
      'center_district',
      'authorizer_board_member',
    ])
  })
})
