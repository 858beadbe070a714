import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import { readUser } from '../../access/session/contract.ts'
import {
  answerRequest,
  listOwnRequests,
  listRequests,
  retryRequestMail,
  readRequest,
  sendChangeRequest,
  sendSupportRequest,
} from './contract.ts'

const rowOf = async ({ context }: Awaited<ReturnType<typeof network>>, _id: string) =>
  context.db.selectFrom('request').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()

describe('a support request', () => {
  test('from the login page is stored with the name and email that it contains', async () => {
    const app = await network()
    const { _id, mail } = await app.anonymous.send(sendSupportRequest, {
      body: { request: ' I cannot sign in ', name: 'Ada', email: 'ada@school.example' },
    })
    // This test has no mail server, recipients or queue: the request is saved anyway, and says so.
    expect(mail).toBe('unaddressed')
    expect(await rowOf(app, _id)).toMatchObject({
      kind: 'support',
      text: 'I cannot sign in',
      account: null,
      name: 'Ada',
      email: 'ada@school.example',
      state: 'open',
    })
  })

  test('with a session it is from the signed-in user, whatever the body contains', async () => {
    const app = await network()
    const caller = app.as(10)
    const user = await caller.send(readUser)
    const { _id } = await caller.send(sendSupportRequest, {
      body: { request: 'Help', name: 'Someone else', email: 'else@school.example' },
    })
    expect(await rowOf(app, _id)).toMatchObject({
      account: user._id,
      name: user.name,
      email: user.azureID,
      claimedName: 'Someone else',
      claimedEmail: 'else@school.example',
    })
  })

  test.each(['', '   ', 'x'.repeat(5001)])('that is empty or too long is refused', async (request) => {
    const { anonymous } = await network()
    const response = await anonymous.trySend(sendSupportRequest, { body: { request, name: 'Ada', email: 'ada@school.example' } })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'request'])
  })

  const unsigned: [from: { name?: string; email?: string }, fields: string[]][] = [
    [{}, ['name', 'email']],
    [{ name: '', email: '' }, ['name', 'email']],
    [{ name: ' ', email: ' ' }, ['name', 'email']],
    [{ name: 'Ada' }, ['email']],
    [{ email: 'ada@school.example' }, ['name']],
    [{ name: '...', email: 'ada@school.example' }, ['name']],
    [{ name: 'Ada\r\nBcc: a@b.co', email: 'ada@school.example' }, ['name']],
    [{ name: 'Ada\u2028', email: 'ada@school.example' }, []],
    [{ name: 'Ada\u2028Bcc', email: 'ada@school.example' }, ['name']],
    [{ name: 'Ada', email: 'not an address' }, ['email']],
    [{ name: 'Ada', email: 'not an address\r\nBcc: a@b.co' }, ['email']],
    [{ name: 'Ada', email: 'ada@school.example\nBcc: a@b.co' }, ['email']],
    [{ name: 'Ada', email: 'ada@school' }, ['email']],
    [{ name: 'Ada', email: 'a@school.example, b@school.example' }, ['email']],
    [{ name: 'Ada', email: 'a..b@school.example' }, ['email']],
    [{ name: 'Ada', email: `${'a'.repeat(250)}@x.co` }, ['email']],
    [{ name: 'Ada', email: ' ada@school.example ' }, []],
  ]
  test('without a session requires a name and a valid email address, each on one line', async () => {
    const { anonymous, as } = await startApp()
    for (const [from, fields] of unsigned) {
      const response = await anonymous.trySend(sendSupportRequest, { body: { request: 'Help', ...from } })
      const errors: { path: string }[] = response.statusCode === 422 ? response.json().errors : []
      expect([from, [...new Set(errors.map(({ path }) => path))]]).toEqual([from, fields])
      expect(response.statusCode).toBe(fields.length === 0 ? 200 : 422)
    }
    // Anonymous fields are ignored if there is a session, and still validated as a line.
    const caller = as(10)
    for (const email of [undefined, '', 'not an address'])
      await caller.send(sendSupportRequest, { body: { request: 'Help', ...(email === undefined ? {} : { email }) } })
    expect((await caller.trySend(sendSupportRequest, { body: { request: 'Help', name: 'a\nb' } })).statusCode).toBe(422)
  })

  test('without a session is limited in rate and size', async () => {
    const { anonymous } = await startApp()
    const sizes = await anonymous.trySend(sendSupportRequest, {
      body: { request: 'x'.repeat(2_000_000), name: 'Ada', email: 'ada@school.example' },
    })
    expect(sizes.statusCode).toBe(413)
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => anonymous.trySend(sendSupportRequest, { body: { request: 'Help' } })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(5)
  })
})

describe('a change request', () => {
  test('requires a session', async () => {
    const { anonymous, as } = await network()
    const body = { location: 'Somewhere', correctText: 'Something' }
    expect((await anonymous.trySend(sendChangeRequest, { body })).statusCode).toBe(401)
    expect((await as(10).trySend(sendChangeRequest, { body })).statusCode).toBe(200)
  })

  test('is about the site with its id or slug, not with the id of its location', async () => {
    const app = await network()
    const { as, site, make } = app
    const other = await make.site()
    for (const named of [site._id, site.slug.toUpperCase()]) {
      const { _id } = await as(10).send(sendChangeRequest, { body: { location: other.displayName, site: named, correctText: 'x' } })
      expect(await rowOf(app, _id)).toMatchObject({ kind: 'change', site: site._id, location: other.displayName })
    }
    const { _id } = await as(10).send(sendChangeRequest, { body: { location: ` ${other.displayName.toUpperCase()} `, correctText: 'x' } })
    expect((await rowOf(app, _id)).site).toBe(other._id)
  })

  test('of an unknown site is refused at that field', async () => {
    const { as } = await network()
    const response = await as(10).trySend(sendChangeRequest, { body: { location: 'x', site: 'no-such-site', correctText: 'x' } })
    expect([response.statusCode, response.json().errors]).toEqual([422, [{ path: 'site', message: 'This site does not exist' }]])
  })

  test('of an unknown or ambiguous name is saved with that name, with a notice in the response and the mail', async () => {
    const app = await network()
    await app.make.site({ displayName: 'Twin Site', slug: 'twin-1' })
    await app.make.site({ displayName: 'Another', name: 'Twin Site', slug: 'twin-2' })
    for (const [location, message] of [
      ['Nowhere Land', 'No site named “Nowhere Land” was found, so the request is not linked to a site.'],
      ['TWIN site', 'More than one site is named “TWIN site”, so the request is not linked to a site.'],
    ] as const) {
      const { _id, notice } = await app.as(10).send(sendChangeRequest, { body: { location, correctText: 'x' } })
      expect(notice).toBe(message)
      expect(await rowOf(app, _id)).toMatchObject({ site: null, location })
      const { body } = await app.context.db.selectFrom('mail').select('body').where('request', '=', _id).executeTakeFirstOrThrow()
      expect(body).toContain(message)
    }
  })

  test('of an existing site, charter or brand has no notice', async () => {
    const app = await network()
    await app.make.brand({ brandName: 'Brand of Foo', slug: 'brand-of-foo' })
    await app.make.charter({ name: 'Foo Charter', slug: 'foo-charter' })
    for (const body of [
      { location: app.site.displayName },
      { location: 'no such name', site: app.site.slug },
      { location: ' foo charter ' },
      { location: 'Brand of Foo' },
    ])
      expect(await app.as(10).send(sendChangeRequest, { body: { ...body, correctText: 'x' } })).toMatchObject({ notice: null })
  })

  test.each([
    [{ correctText: 'x' }, 'location'],
    [{ location: ' ', correctText: 'x' }, 'location'],
    [{ location: 'x\ny', correctText: 'x' }, 'location'],
    [{ location: 'x', correctText: 'x', email: 'a@b.co\r\nBcc: c@d.co' }, 'email'],
    [{ location: 'x', correctText: ' ' }, 'correctText'],
    [{ location: 'x' }, 'correctText'],
    [{ location: 'x', correctText: 'x'.repeat(5001) }, 'correctText'],
    [{ location: 'x', correctText: 'x', name: 'x'.repeat(201) }, 'name'],
    [{ location: 'x', correctText: 'x', phone: '1' }, 'phone'],
  ])('%j is refused at the invalid field', async (body, path) => {
    const { as } = await network()
    const response = await as(10).trySend(sendChangeRequest, { body })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, path])
  })
})

describe('requests', () => {
  test('are listed for level 6 or lower, newest first, and filtered', async () => {
    const { as, anonymous, make } = await startApp()
    const site = await make.site({ displayName: 'Peña Center' })
    const me = as(10)
    const first = await me.send(sendChangeRequest, { body: { site: site._id, correctText: 'The fax is 100% wrong' } })
    const second = await anonymous.send(sendSupportRequest, { body: { request: 'Printer', name: 'Ada Lovelace', email: 'ada@x.test' } })
    const admin = as(6)
    for (const level of [7, 10]) expect((await as(level).trySend(listRequests)).statusCode).toBe(403)
    const idsOf = async (query: object) => (await admin.send(listRequests, { query })).requests.map(({ _id }) => _id)
    expect(await idsOf({})).toEqual([second._id, first._id])
    expect(await idsOf({ kind: 'change' })).toEqual([first._id])
    for (const q of ['pena FAX', '100%', 'peña']) expect(await idsOf({ q })).toEqual([first._id])
    expect(await idsOf({ q: 'lovelace' })).toEqual([second._id])
    expect(await idsOf({ q: '100_' })).toEqual([])
    await admin.send(answerRequest, { params: { id: second._id }, body: { state: 'done' } })
    expect(await idsOf({ state: 'open' })).toEqual([first._id])
    expect(await admin.send(listRequests, { query: { state: 'done' } })).toMatchObject({
      matching: 1,
      counts: { open: 1, done: 1, declined: 0 },
    })
    expect((await admin.trySend(listRequests, { query: { state: 'lost' } as never })).statusCode).toBe(422)
  })

  test('are visible to their senders and to people who answer them', async () => {
    const { as, site } = await network()
    const [mine, theirs] = [as(10), as(10)]
    const { _id } = await mine.send(sendChangeRequest, { body: { site: site.slug, correctText: 'x' } })
    expect((await mine.send(listOwnRequests)).map((one) => one._id)).toEqual([_id])
    expect(await theirs.send(listOwnRequests)).toEqual([])
    expect(await mine.send(readRequest, { params: { id: _id } })).toMatchObject({
      site: { _id: site._id, slug: site.slug, displayName: site.displayName },
      history: [],
    })
    expect((await theirs.trySend(readRequest, { params: { id: _id } })).statusCode).toBe(404)
    expect((await as(6).send(readRequest, { params: { id: _id } })).isSignedIn).toBe(true)
    for (const id of ['nobody', '00000000-0000-4000-8000-000000000000'])
      for (const call of [readRequest, retryRequestMail]) expect((await as(6).trySend(call, { params: { id } })).statusCode).toBe(404)
  })
})

describe('an answer', () => {
  test('is given by level 6 or lower, with the name, and can be withdrawn', async () => {
    const { as, site } = await network()
    const [me, admin] = [as(10), as(6)]
    const { _id } = await me.send(sendChangeRequest, { body: { site: site.slug, correctText: 'x' } })
    const params = { id: _id }
    for (const call of [answerRequest, retryRequestMail] as const)
      expect((await as(7).trySend(call, { params, body: { state: 'done' } } as never)).statusCode).toBe(403)
    const { name } = await admin.who()
    const done = await admin.send(answerRequest, { params, body: { state: 'done', word: ' Corrected ' } })
    expect(done).toMatchObject({ state: 'done', word: 'Corrected', answeredBy: name, version: 2 })
    expect(done.answerMail).toMatchObject({ state: 'waiting' })
    expect((await me.send(listOwnRequests))[0]).toMatchObject({ state: 'done', word: 'Corrected', answeredBy: name })
    const open = await admin.send(answerRequest, { params, body: { state: 'open' } })
    expect(open).toMatchObject({ state: 'open', word: null, answeredBy: null, answeredAt: null })
    const { history } = await admin.send(readRequest, { params })
    expect(history.map(({ state, word, by }) => [state, word, by])).toEqual([
      ['open', null, name],
      ['done', 'Corrected', name],
    ])
  })

  test('that declines requires a message', async () => {
    const { as } = await network()
    const { _id } = await as(10).send(sendSupportRequest, { body: { request: 'x' } })
    const params = { id: _id }
    for (const word of [undefined, null, ' ']) {
      const response = await as(6).trySend(answerRequest, { params, body: { state: 'declined', word } })
      expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'word'])
    }
    expect((await as(6).send(answerRequest, { params, body: { state: 'declined', word: 'No' } })).state).toBe('declined')
  })

  test('to a request that someone else has answered is stale, and a repeated answer is ignored', async () => {
    const { as, context } = await network()
    const { _id } = await as(10).send(sendSupportRequest, { body: { request: 'x' } })
    const params = { id: _id }
    const headers = { 'if-match': '"1"' }
    await as(6).send(answerRequest, { params, body: { state: 'done' }, headers })
    expect((await as(6).trySend(answerRequest, { params, body: { state: 'declined', word: 'x' }, headers })).statusCode).toBe(412)
    const again = await as(6).send(answerRequest, { params, body: { state: 'done' } })
    expect(again.version).toBe(2)
    const mails = await context.db.selectFrom('mail').select('kind').where('request', '=', _id).where('kind', '=', 'answer').execute()
    expect(mails).toHaveLength(1)
    expect((await as(6).trySend(answerRequest, { params: { id: 'nobody' }, body: { state: 'done' } })).statusCode).toBe(404)
  })
})
