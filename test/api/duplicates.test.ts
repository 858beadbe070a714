import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { setActor } from '../../src/database/connection.server.ts'
import { dismissDuplicate, type Duplicate, findDuplicates, listDuplicates } from '../../src/features/changing/duplicates/contract.ts'
import { updatePerson } from '../../src/records/people/contract.ts'
import { network, startApp, type TestApp } from '../support/app.ts'
import { createImporter } from '../support/charter-import.ts'
import { measureComparableCpu, measureSlowness } from '../support/cpu-time.ts'

const namesOf = ({ a, b }: Duplicate): string[] => [a.name, b.name].toSorted()
const isPair =
  (...ids: string[]) =>
  (pair: Duplicate) =>
    ids.includes(pair.a._id) && ids.includes(pair.b._id)

const makeTwins = async ({ make }: TestApp, name: string, other: string) => {
  const phone = `209-555-${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')} x7`
  return [await make.person({ name, phone }), await make.person({ name: other, phone })] as const
}

describe('duplicates', () => {
  test('are listed with reasons, follow each change, and are not listed once someone said that they are not the same', async () => {
    const app = await network()
    const [one, other] = await makeTwins(app, 'Katherine Duplessis', 'Kathy Duplessis')
    const me = app.as(6)
    const list = async () => (await me.send(listDuplicates, { query: { kind: 'person' } })).filter(isPair(one._id, other._id))
    const [pair] = await list()
    expect(pair).toMatchObject({ kind: 'person', score: 70, reasons: ['Same phone', 'Kathy is short for Katherine', 'Same last name'] })
    expect(namesOf(pair!)).toEqual(['Katherine Duplessis', 'Kathy Duplessis'])

    await me.send(updatePerson, { params: { id: other._id }, body: { name: 'Ursula Imhof' } })
    expect(await list()).toEqual([])
    await me.send(updatePerson, { params: { id: other._id }, body: { name: 'Katherine Duplessis' } })
    expect(await list()).toMatchObject([{ score: 90, reasons: ['Same phone', 'Same name'] }])

    await me.send(dismissDuplicate, { body: { kind: 'person', a: other, b: one.slug } })
    await me.send(dismissDuplicate, { body: { kind: 'person', a: one._id, b: other._id } })
    expect(await list()).toEqual([])
    expect((await me.trySend(dismissDuplicate, { body: { kind: 'person', a: one._id, b: one._id } })).statusCode).toBe(422)
    expect((await me.trySend(dismissDuplicate, { body: { kind: 'person', a: one._id, b: 'no-one' } })).statusCode).toBe(404)
  })

  test('of every kind are listed together, best first', async () => {
    const app = await network()
    const website = 'https://twin.example'
    const brands = [
      await app.make.brand({ brandName: 'Twin Rivers', slug: 'twin-a', websiteUrl: website }),
      await app.make.brand({ brandName: 'Twin Rivers', slug: 'twin-b', websiteUrl: website }),
    ]
    const charters = [
      await app.make.charter({ name: 'Mt. Diablo Prep', slug: 'diablo-a' }),
      await app.make.charter({ name: 'Mount Diablo Prep', slug: 'diablo-b' }),
    ]
    const all = await app.as(6).send(listDuplicates)
    expect(all.filter(isPair(...brands.map(({ _id }) => _id)))).toMatchObject([{ kind: 'brand', reasons: ['Same website', 'Same name'] }])
    expect(all.filter(isPair(...charters.map(({ _id }) => _id)))).toMatchObject([{ kind: 'charter', reasons: ['Names differ by ‘Mt.’'] }])
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a))
    expect((await app.as(10).trySend(listDuplicates)).statusCode).toBe(403)
  })

  test('of a new record are named while it is typed, by the paths of its call', async () => {
    const { as, make } = await network()
    const site = await make.site({
      displayName: 'St. Helena Resource Center',
      address_1: '5 Vine Street',
      zip: '94574',
      city: 'St. Helena',
      phone: '707-555-0101',
    })
    const values = {
      displayName: 'Saint Helena',
      address: { address_1: '5 Vine St', city: 'St. Helena' },
      'address.phone': '(707) 555-0101',
    }
    const [found] = await as(6).send(findDuplicates, { body: { kind: 'site', values } })
    expect(found).toMatchObject({ record: { _id: site._id }, reasons: ['Same street', 'Same phone', 'Names differ by ‘Resource Center’'] })
    expect(await as(6).send(findDuplicates, { body: { kind: 'site', values: {} } })).toEqual([])
    expect((await as(10).trySend(findDuplicates, { body: { kind: 'site', values } })).statusCode).toBe(403)
  })
})

test('the duplicates of 10,000 people are found in a second, without blocking others', async () => {
  const { as, context } = await startApp()
  await context.db.transaction().execute(async (tx) => {
    await setActor(tx, { account: null, name: 'Test' })
    await sql`
      insert into person (slug, name, phone, email, sql_person_id)
      select 'many-' || n, initcap(translate(md5((n / 2)::text), '0123456789', 'ghijklmnop')) || ' ' || initcap(translate(md5((n / 20)::text), '0123456789', 'ghijklmnop')),
        '209-555-' || lpad((n % 10000)::text, 4, '0'), 'many' || n || '@network.test', case when n % 2 = 0 then n::text end
      from generate_series(1, 10000) as n`.execute(tx)
  })
  context.readModel.invalidateAll()
  await context.readModel.ready()
  const me = as(6)
  await me.who()
  const list = () => me.send(listDuplicates, { query: { kind: 'person' } })
  let found = 0
  const took = await measureComparableCpu(async () => {
    found = (await list()).length
  })
  expect(found).toBe(500)
  expect(took, 'milliseconds until all pairs were found').toBeLessThan(1000)

  context.readModel.invalidateAll()
  await context.readModel.ready()
  let [longest, last] = [0, performance.now()]
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  })
  await list()
  clearInterval(ticking)
  expect(longest, 'milliseconds in which nothing else ran').toBeLessThan(100 * (await measureSlowness()))
})

// The real directory is not part of the project: this test reads it from next to the checkout, if it exists.
const path = fileURLToPath(new URL('../../../shared/data/public_charter_schools.csv', import.meta.url))
test.skipIf(!existsSync(path))(
  `of equal names in a real directory only those in one place are one${existsSync(path) ? '' : ' (not tested: ../shared/data is not here)'}`,
  { timeout: 120_000 },
  async () => {
    const { context, as, importing } = await createImporter()
    await importing(readFileSync(path))
    context.readModel.invalidateAll()
    const found = await as(6).send(listDuplicates)
    const listNames = (kind: string) =>
      [
        ...new Set(
          found
            .filter(({ kind: of, a, b }) => of === kind && a.name.toLowerCase() === b.name.toLowerCase())
            .map(({ a }) => a.name.toLowerCase()),
        ),
      ].toSorted()
    // Elsewhere in one city, with the same grade levels.
    expect(listNames('charter')).toEqual(['university preparatory academy (psad) - elementary'])
    expect(listNames('site')).toEqual([
      'legacy preparatory charter academy mesquite',
      'raul yzaguirre school for success',
      'tekoa academy of accelerated studies',
      'university preparatory academy (psad) - elementary',
      'waxahachie family faith academy',
    ])
  },
)
