import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { network } from '../../test/app.ts'
import { viewCharter } from '../features/records/charters/contract.ts'
import { readPerson } from '../features/records/people/contract.ts'
import { readSite } from '../features/records/sites/contract.ts'

const MENDING = new URL('migrations/0026-slugs-that-lead-to-their-record.sql', import.meta.url)

test('slugs that lead nowhere become ones that do; all others stay', async () => {
  const { house, make, as } = await network()
  const mark = `q${Date.now().toString(36).replace(/\d/g, 'x')}`
  const charter = (slug: string, name: string) => make.charter({ slug, name: `${mark} ${name}` })
  const given = [
    await charter('.', 'Dots'),
    await charter('..', 'Dots'),
    await charter(`${mark} zq`, 'Taken'),
    await charter(` ${mark} zq `, 'Blanks'),
    await charter(`${mark}/zq?`, 'Signs'),
    await charter(`${mark}e\u0301`, 'Spelling'),
    await charter(`${mark} Fine. One|two-Þ東`, 'Fine'),
  ]
  const site = await make.site({ slug: 'Staff' })
  const person = await make.person({ slug: 'me' })
  const asked = as(10)
  const slugs = async () => Promise.all(given.map(async ({ _id }) => (await asked.send(viewCharter, { params: { id: _id } })).slug))
  await sql.raw(await readFile(MENDING, 'utf8')).execute(house.db)
  const wanted = [`${mark}-dots`, `${mark}-dots-2`, `${mark} zq`, `${mark} zq-2`, `${mark}-zq`, `${mark}é`, `${mark} Fine. One|two-Þ東`]
  expect((await slugs()).toSorted()).toEqual(wanted.toSorted())
  for (const { _id } of given) {
    const { slug } = await asked.send(viewCharter, { params: { id: _id } })
    expect((await asked.send(viewCharter, { params: { id: slug } }))._id).toBe(_id)
  }
  // What they were still answers, where an address can hold it.
  expect((await asked.send(viewCharter, { params: { id: `${mark}/zq?` } }))._id).toBe(given[4]?._id)
  expect(await asked.send(readSite, { params: { slug: 'staff' } })).toMatchObject({ _id: site._id, slug: 'Staff-2' })
  expect(await asked.send(readPerson, { params: { slug: 'me' } })).toMatchObject({ _id: person._id, slug: 'me-2' })
  const before = await slugs()
  await sql.raw(await readFile(MENDING, 'utf8')).execute(house.db)
  expect(await slugs()).toEqual(before)
})
