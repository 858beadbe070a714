import { expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { search } from '../../finding/search/contract.ts'
import { listHelp, readHelp, readHelpPicture } from './contract.ts'

test('a reader gets the sections of their level, in the list and in the guide', async () => {
  const { as } = await network()
  const listed = async (level: number) =>
    (await as(level).send(listHelp)).flatMap(({ id, sections }) => sections.map((section) => `${id} ${section.id}`))
  const [everyone, administrators, all] = [await listed(10), await listed(6), await listed(1)]
  expect(everyone).toContain('lists narrow-a-list')
  expect(everyone).not.toContain('lists change-many-records-together')
  expect(administrators).toContain('lists change-many-records-together')
  expect(administrators).not.toContain('administration erase-personal-data')
  expect(all).toContain('administration erase-personal-data')

  const { sections } = await as(10).send(readHelp, { params: { guide: 'lists' } })
  expect(sections.map(({ id }) => id)).toContain('narrow-a-list')
  expect(JSON.stringify(sections)).not.toContain('closing time')
  expect((await as(10).trySend(readHelp, { params: { guide: 'editing' } })).statusCode).toBe(404)
  expect((await as(6).trySend(readHelp, { params: { guide: 'editing' } })).statusCode).toBe(200)
})

test('a guide or picture that does not exist is not found', async () => {
  const { as } = await network()
  expect((await as(1).trySend(readHelp, { params: { guide: 'huts' } })).statusCode).toBe(404)
  expect((await as(1).trySend(readHelpPicture, { params: { name: 'huts' } })).statusCode).toBe(404)
  expect((await as(1).trySend(readHelpPicture, { params: { name: 'a.b' } })).statusCode).toBe(404)
})

test('a question is answered by the help first, at the level of who asks', async () => {
  const { as } = await network()
  const ask = async (level: number) => (await as(level).send(search, { query: { q: 'how do I change hours of many sites' } })).groups[0]
  expect(await ask(6)).toMatchObject({
    kind: 'pages',
    hits: expect.arrayContaining([
      {
        kind: 'page',
        name: 'Change many records together',
        detail: 'Help: Lists and tables',
        to: '/help/lists?section=change-many-records-together',
      },
    ]),
  })
  expect(JSON.stringify((await ask(10)) ?? null)).not.toContain('Change many records together')
})
