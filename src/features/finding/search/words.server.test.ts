import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { findSearchIndexGaps } from '../../../../test/support/search-index-check.ts'

let networks = 0

/** A network with somebody who holds one role at three sites and another at one, and somebody who holds none. */
const places = async () => {
  const app = await network()
  const { make, context, charter, region, site } = app
  const [second, third] = [
    await make.site({ charter: charter._id, region: region._id }),
    await make.site({ charter: charter._id, region: region._id, status: 'CLOSED - PERMANENTLY' }),
  ]
  const regional = await make.person({
    name: 'Regina O’Regional',
    slug: `regina-${++networks}`,
    phone: '209-555-0100 x4',
    email: `regina-${networks}@sites.example`,
  })
  for (const { _id } of [site, second, third]) await make.sitePerson(_id, 'Regional SRM', regional._id)
  await make.sitePerson(second._id, 'Principal', regional._id)
  await make.person({ name: 'Nobody Anywhere', slug: `nobody-${networks}` })
  /** Which rows of words there are, by the moment they were written. */
  const written = async (of: 'site' | 'person'): Promise<unknown[]> => {
    const { rows } = await sql`select ctid::text, xmin::text, record from search_doc where kind = ${of}
      union all select ctid::text, xmin::text, record from search_number where kind = ${of} order by 1, 3`.execute(context.db)
    return rows
  }
  return { ...app, second, third, regional, written }
}

describe('the stored words of a record equal newly computed ones', () => {
  test.each<[string, (network: Awaited<ReturnType<typeof places>>) => Promise<unknown>]>([
    [
      'a site has a new name',
      ({ context: { db }, site }) =>
        db.updateTable('site').set({ displayName: 'Ábaco Sur', name: 'Abaco' }).where('_id', '=', site._id).execute(),
    ],
    [
      'a site closes',
      ({ context: { db }, second }) =>
        db.updateTable('site').set({ status: 'CLOSED - PERMANENTLY' }).where('_id', '=', second._id).execute(),
    ],
    [
      'the only open site of a role closes',
      ({ context: { db } }) => db.updateTable('site').set({ status: 'CLOSED - PERMANENTLY' }).execute(),
    ],
    [
      'a site moves to another charter',
      async ({ context: { db }, make, site }) =>
        db
          .updateTable('site')
          .set({ charter: (await make.charter())._id })
          .where('_id', '=', site._id)
          .execute(),
    ],
    [
      'a site moves to another region',
      async ({ context: { db }, make, site }) =>
        db
          .updateTable('site')
          .set({ region: (await make.region('Ohio'))._id, state: 'OH' })
          .where('_id', '=', site._id)
          .execute(),
    ],
    [
      'a site has another county and second phone',
      ({ context: { db }, site }) =>
        db.updateTable('facility').set({ county: 'Nye', phone_2: '775-555-0111' }).where('site', '=', site._id).execute(),
    ],
    [
      'a site has another phone',
      ({ context: { db }, site }) => db.updateTable('site').set({ phone: '775-555-0199' }).where('_id', '=', site._id).execute(),
    ],
    ['a site is removed', ({ context: { db }, third }) => db.deleteFrom('site').where('_id', '=', third._id).execute()],
    [
      'a charter has a new name',
      ({ context: { db }, charter }) =>
        db.updateTable('charter').set({ name: 'Zephyr Charter', abbreviation: 'ZC' }).where('_id', '=', charter._id).execute(),
    ],
    [
      'a brand has a new name',
      ({ context: { db }, brand }) => db.updateTable('brand').set({ brandName: 'Nova & Sons' }).where('_id', '=', brand._id).execute(),
    ],
    [
      'somebody has a new name, phone and address',
      ({ context: { db }, regional }) =>
        db
          .updateTable('person')
          .set({ name: 'Billy Ray', phone: '', email: 'b.ray@sites.example' })
          .where('_id', '=', regional._id)
          .execute(),
    ],
    ['somebody gets one place more', ({ make, regional, site }) => make.sitePerson(site._id, 'Counselor', regional._id)],
    [
      'somebody loses all places',
      ({ context: { db }, regional }) => db.deleteFrom('site_person').where('person', '=', regional._id).execute(),
    ],
    [
      'a place goes to somebody else',
      ({ context: { db }, regional, principal }) =>
        db.updateTable('site_person').set({ person: principal._id }).where('person', '=', regional._id).execute(),
    ],
    [
      'somebody is removed',
      async ({ context: { db }, make }) =>
        db
          .deleteFrom('person')
          .where('_id', '=', (await make.person())._id)
          .execute(),
    ],
    [
      'somebody is called otherwise whose id came from elsewhere',
      async ({ context: { db }, make }) => {
        const { _id } = await make.person({ _id: 'old "id"\nof two lines', slug: `from-elsewhere-${networks}`, name: 'Elsa Elsewhere' })
        return db.updateTable('person').set({ name: 'Elsa Here' }).where('_id', '=', _id).execute()
      },
    ],
    [
      'a role belongs to another group',
      ({ context: { db } }) => db.updateTable('role').set({ group: 'LEADERSHIP' }).where('name', '=', 'Counselor').execute(),
    ],
  ])('when %s', async (_, change) => {
    const made = await places()
    await change(made)
    expect(await findSearchIndexGaps(made.context.db)).toEqual([])
  })
})

describe('a save updates only changed words', () => {
  test('a new phone of a site keeps the words of its people', async () => {
    const { context, site, written } = await places()
    const before = await written('person')
    await context.db.updateTable('site').set({ phone: '209-555-0123' }).where('_id', '=', site._id).execute()
    expect(await written('person')).toEqual(before)
  })

  test('a change of fields that are not searched keeps the site’s words', async () => {
    const { context, site, written } = await places()
    const before = await written('site')
    await context.db.updateTable('site').set({ closures: 'Monday' }).where('_id', '=', site._id).execute()
    expect(await written('site')).toEqual(before)
  })

  test('a new contact of a charter keeps the words of its sites and people', async () => {
    const { context, charter, written } = await places()
    const before = [await written('site'), await written('person')]
    await context.db.updateTable('charter').set({ charterContactnumber: '209-555-0155' }).where('_id', '=', charter._id).execute()
    expect([await written('site'), await written('person')]).toEqual(before)
  })

  test('a new name of a site updates the words of its people only', async () => {
    const { context, site, principal, regional, written } = await places()
    const before = new Set((await written('person')).map((row) => JSON.stringify(row)))
    await context.db.updateTable('site').set({ displayName: 'Quite Another' }).where('_id', '=', site._id).execute()
    const touched = (await written('person')).filter((row) => !before.has(JSON.stringify(row))) as { record: string }[]
    expect(new Set(touched.map(({ record }) => record))).toEqual(new Set([principal._id, regional._id]))
  })
})
