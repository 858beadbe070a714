import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { listPeopleOfGroup, updatePerson } from '../people/contract.ts'
import { readSite } from '../sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from './contract.ts'

const setUp = async () => {
  const app = await network()
  const [principal, registrar] = [await app.make.role('Principal'), await app.make.role('Registrar')]
  return { ...app, params: { id: app.site.slug }, principal, registrar, person: await app.make.person() }
}

describe('the staff of a site', () => {
  test('gets a person in a role, and every page shows it immediately', async () => {
    const { as, site, params, registrar, person } = await setUp()
    const { people } = await as(6).send(addSiteStaff, { params, body: { person: person._id, role_match: registrar._id } })
    expect(people).toContainEqual(
      expect.objectContaining({
        person: expect.objectContaining({ _id: person._id }),
        role_match: { _id: registrar._id, name: 'Registrar' },
      }),
    )
    expect((await as(10).send(readSite, { params: { slug: site._id } })).people).toEqual(people)
    const support = await as(10).send(listPeopleOfGroup, { params: { group: 'STUDENT_SUPPORT' } })
    expect(support.find(({ _id }) => _id === person._id)?.sites.map(({ _id }) => _id)).toEqual([site._id])
  })

  test('may have one person in two roles, and loses only the removed one', async () => {
    const { as, params, principal, registrar, person } = await setUp()
    for (const role of [principal, registrar])
      await as(6).send(addSiteStaff, { params, body: { person: person.slug, role_match: role._id } })
    const { people } = await as(6).send(removeSiteStaff, { params, body: { person_id: person._id, role_id: principal._id } })
    expect(people.filter((one) => one.person._id === person._id).map(({ role_match }) => role_match.name)).toEqual(['Registrar'])
  })

  test('updates the site’s last change when its roles change, not when a person’s phone does', async () => {
    const { as, site, params, registrar, person } = await setUp()
    const me = as(6)
    const changedAt = async () => (await me.send(readSite, { params: { slug: site._id } })).updatedAt
    const body = { person: person._id, role_match: registrar._id }
    const before = await changedAt()
    await me.send(addSiteStaff, { params, body })
    const added = await changedAt()
    await me.send(updatePerson, { params: { id: person._id }, body: { phone: '209-555-0177', name: 'Another Name' } })
    const updated = await changedAt()
    await me.send(removeSiteStaff, { params, body: { person_id: person._id, role_id: registrar._id } })
    const removed = await changedAt()
    expect(added > before).toBe(true)
    expect(updated).toBe(added)
    expect(removed > updated).toBe(true)
  })

  test('has a person once per role, even with twenty concurrent requests', async () => {
    const { as, params, registrar, person } = await setUp()
    const me = as(6)
    const body = { person: person._id, role_match: registrar._id }
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await me.trySend(addSiteStaff, { params, body })).statusCode),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })

  test('needs an existing person and role, and names the missing one', async () => {
    const { as, params } = await setUp()
    for (const [body, paths] of [
      [{}, ['person', 'role_match']],
      [{ person: 'nobody', role_match: 'king' }, ['person', 'role_match']],
      [{ person: null, role_match: { _id: '' } }, ['person', 'role_match']],
    ] as const) {
      const response = await as(6).trySend(addSiteStaff, { params, body: body as never })
      expect(response.statusCode).toBe(422)
      expect((response.json().errors as { path: string }[]).map(({ path }) => path)).toEqual(paths)
    }
  })

  test('of another site stays unchanged', async () => {
    const { as, make, site, params, registrar, person } = await setUp()
    const other = await make.site()
    await as(6).send(addSiteStaff, { params, body: { person: person._id, role_match: registrar._id } })
    const body = { person_id: person._id, role_id: registrar._id }
    expect((await as(6).trySend(removeSiteStaff, { params: { id: other._id }, body })).statusCode).toBe(404)
    expect((await as(6).trySend(removeSiteStaff, { params, body: { person_id: 'x', role_id: 'y' } })).statusCode).toBe(404)
    expect((await as(10).send(readSite, { params: { slug: site._id } })).people.map((one) => one.person._id)).toContain(person._id)
  })
})
