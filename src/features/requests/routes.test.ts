import { expect, test } from 'vitest'

import { network } from '../../../test/app.ts'
import { readUser } from '../session/contract.ts'
import { sendSupportRequest } from './contract.ts'

test('a support request from the login page is stored with what it says of itself (D25, D41)', async () => {
  const { anonymous, house } = await network()
  const { _id } = await anonymous.send(sendSupportRequest, {
    body: { request: ' I cannot sign in ', name: 'Ada', email: 'ada@school.example' },
  })
  expect(await house.db.selectFrom('request').selectAll().where('_id', '=', _id).executeTakeFirst()).toMatchObject({
    kind: 'support',
    text: 'I cannot sign in',
    account: null,
    name: 'Ada',
    email: 'ada@school.example',
  })
})

test('with a session the request is from whoever is signed in, whatever the body says (D41)', async () => {
  const { as, house } = await network()
  const caller = as(10)
  const user = await caller.send(readUser)
  const { _id } = await caller.send(sendSupportRequest, { body: { request: 'Help', name: 'Somebody else', email: 'else@school.example' } })
  expect(await house.db.selectFrom('request').selectAll().where('_id', '=', _id).executeTakeFirst()).toMatchObject({
    account: user._id,
    name: user.name,
    email: user.azureID,
    claimedName: 'Somebody else',
    claimedEmail: 'else@school.example',
  })
})

test.each(['', '   ', 'x'.repeat(5001)])('a request that says nothing or too much is refused', async (request) => {
  const { anonymous } = await network()
  const response = await anonymous.ask(sendSupportRequest, { body: { request } })
  expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'request'])
})
