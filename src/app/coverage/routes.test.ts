import { expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { listCoverage, listCoverageOfRegion } from './contract.ts'

test('coverage lists the people in each role at each site, once per role', async () => {
  const { as, make, site, principal, region, charter } = await network()
  const manager = await make.person({ name: 'Ada Quill', phone: '209-555-0142' })
  await make.sitePerson(site._id, 'Student Relations Manager', manager._id)
  await make.sitePerson(site._id, 'Regional SRM', manager._id)
  const found = (await as(10).send(listCoverage)).find(({ _id }) => _id === site._id)
  expect(found).toMatchObject({
    slug: site.slug,
    status: 'ACTIVE',
    region: { _id: region._id, slug: region.slug, name: region.name },
    charter: { _id: charter._id, slug: charter.slug, name: charter.name },
  })
  expect(found?.people.map(({ role, person }) => [role, person._id])).toEqual([
    ['Principal', principal._id],
    ['Regional SRM', manager._id],
    ['Student Relations Manager', manager._id],
  ])
  expect(found?.people[1]?.person).toMatchObject({ slug: 'ada-quill', name: 'Ada Quill', phone: '209-555-0142' })
})

test('coverage includes sites without people, and closed sites', async () => {
  const { as, make } = await network()
  const site = await make.site({ charter: null, region: null, status: 'CLOSED - PERMANENTLY' })
  const found = (await as(10).send(listCoverage)).find(({ _id }) => _id === site._id)
  expect(found).toMatchObject({ people: [], charter: null, region: null, status: 'CLOSED - PERMANENTLY' })
})

test('a region is found by slug, ignoring case, and by _id; an unknown one is 404', async () => {
  const { as, make, site } = await network()
  const ohio = await make.region('Ohio')
  const there = await make.site({ region: ohio._id })
  const caller = as(10)
  for (const region of [ohio.slug, ohio.slug.toUpperCase(), ohio._id]) {
    const ids = (await caller.send(listCoverageOfRegion, { params: { region } })).map(({ _id }) => _id)
    expect(ids).toContain(there._id)
    expect(ids).not.toContain(site._id)
  }
  for (const region of ['atlantis', '00000000-0000-4000-8000-000000000000']) {
    expect((await caller.trySend(listCoverageOfRegion, { params: { region } })).statusCode).toBe(404)
    expect((await caller.trySend(listCoverageOfRegion, { params: { region } })).statusCode).toBe(404)
  }
})

test('changes of people and names are visible immediately', async () => {
  const { as, make, context, site, principal, region } = await network()
  const namesThere = async () => {
    const [whole, own] = [await as(10).send(listCoverage), await as(10).send(listCoverageOfRegion, { params: { region: region.slug } })]
    return [whole, own].map((sites) => sites.find(({ _id }) => _id === site._id)?.people.map(({ person }) => person.name))
  }
  expect(await namesThere()).toEqual([[principal.name], [principal.name]])
  await make.write((tx) => tx.updateTable('person').set({ name: 'Renamed Principal' }).where('_id', '=', principal._id).execute())
  expect(await namesThere()).toEqual([['Renamed Principal'], ['Renamed Principal']])
  await make.write((tx) => tx.deleteFrom('site_person').where('site', '=', site._id).execute())
  expect(await namesThere()).toEqual([[], []])
  expect(await context.db.selectFrom('person').select('name').where('_id', '=', principal._id).executeTakeFirst()).toBeDefined()
})
