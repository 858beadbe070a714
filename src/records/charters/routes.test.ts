import { expect, test } from 'vitest'

import { network, startApp } from '../../../test/support/app.ts'
import { readCharterAffair } from '../charter-affairs/contract.ts'
import { listCharters, readCharter, readStudentTotal, viewCharter } from './contract.ts'

test('the student total adds up the open charters and has the date of the latest count', async () => {
  const { as, make } = await startApp()
  expect(await as(10).send(readStudentTotal)).toEqual({ total: 0, updatedAt: null })
  await make.charter({ studentCount: 10 })
  await make.charter({ studentCount: 5, status: 'PENDING' })
  await make.charter({ studentCount: null })
  const closed = await make.charter({ studentCount: 100, status: 'CLOSED - TEMPORARILY' })
  expect(await as(10).send(readStudentTotal)).toEqual({ total: 15, updatedAt: closed.studentCountUpdatedAt?.toISOString() })
})

test('lists and pages show only whether there is a charter affair', async () => {
  const { as, make, charter } = await network()
  const { _id } = await make.affair({ charter: charter._id, overview: JSON.stringify({ fein: '00-0000142' }) })
  const listed = (await as(10).send(listCharters)).find((each) => each._id === charter._id)
  const read = await as(10).send(readCharter, { params: { slug: charter.slug } })
  const viewed = await as(10).send(viewCharter, { params: { id: charter.slug } })
  for (const each of [listed, read, viewed]) expect(each?.charter_affair_info).toEqual([{ _id }])
})

test('a charter without an affair has an empty list, not an error', async () => {
  const { as, charter } = await network()
  expect((await as(5).send(readCharterAffair, { params: { id: charter._id } })).charter_affair_info).toEqual([])
})

test('an affair contains every field of every section, empty ones as null', async () => {
  const { as, make, charter } = await network()
  await make.affair({ charter: charter._id, mou: JSON.stringify({ cmo: 'Yes', not_ours: 'x' }) })
  const [affair] = (await as(6).send(readCharterAffair, { params: { id: charter._id } })).charter_affair_info
  expect(affair?.mou).toMatchObject({ cmo: 'Yes', fua: null })
  expect(affair?.mou).not.toHaveProperty('not_ours')
  expect(Object.keys(affair?.overview ?? {})).toHaveLength(56)
})

test('the slug of a charter is stored as typed, with its spaces', async () => {
  const { as, make } = await network()
  const charter = await make.charter({ slug: 'Bright Harbor | St. Mary' })
  expect((await as(10).send(readCharter, { params: { slug: 'bright harbor | st. mary' } }))._id).toBe(charter._id)
})
