import { expect, test } from 'vitest'

import { network } from '../../../test/app.ts'
import { readUser } from '../session/contract.ts'
import { recordPageView } from './contract.ts'

test('a page view is kept as a path pattern under a pseudonym, the same for one person on one day (D27)', async () => {
  const { as, house } = await network()
  const [one, other] = [as(10), as(10)]
  for (const caller of [one, one, other]) await caller.send(recordPageView, { body: { page: '/location/{id}' } })
  const views = await house.db.selectFrom('page_view').selectAll().orderBy('_id').execute()
  expect(views.map(({ page }) => page)).toEqual(Array.from({ length: 3 }, () => '/location/{id}'))
  expect(views[0]?.visitor).toBe(views[1]?.visitor)
  expect(views[0]?.visitor).not.toBe(views[2]?.visitor)
  const { _id, azureID, name } = await one.send(readUser)
  expect(JSON.stringify(views)).not.toMatch(new RegExp([_id, azureID, name].join('|')))
})

test.each(['/staff/dana.whitlock', '/location/fresno', '//', 'location'])('%s is no pattern and is refused', async (page) => {
  const { as } = await network()
  expect((await as(10).ask(recordPageView, { body: { page } })).statusCode).toBe(422)
})
