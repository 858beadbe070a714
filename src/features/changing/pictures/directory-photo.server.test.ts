import { Writable } from 'node:stream'

import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { startApp, type SignedInCaller, type TestApp } from '../../../../test/support/app.ts'
import {
  type PhotoDirectory,
  createEndlessResponder,
  respondNever,
  respondNotFound,
  resetConnection,
  respondWith,
  respondPartly,
  startPhotoDirectory,
  respondWithStatus,
} from '../../../../test/support/photo-directory.ts'
import { createPixelBomb, createNoisyImage } from '../../../../test/support/pictures.ts'
import { readProfilePhoto } from '../../../contract/pictures.ts'
import { listSites } from '../../../records/sites/contract.ts'
import { toTokenColumns } from '../../access/session/encrypted-tokens.server.ts'
import { DirectoryPhotos } from './directory-photo.server.ts'
import { PhotoCache } from './photo-cache.server.ts'

const SECRET_KEY = 'a secret key of more than 32 characters'
const TOKEN = 'eyJ-the-directory-token-of-somebody'

let directory: PhotoDirectory
let net: TestApp
let photo: Buffer
beforeAll(async () => {
  directory = await startPhotoDirectory()
  net = await startApp({ GRAPH_URL: directory.url, SECRET_KEY })
  photo = await createNoisyImage(400, 300).jpeg().toBuffer()
})
afterAll(() => directory.close())
beforeEach(() => {
  directory.requests.length = 0
  directory.respond = respondWith(photo)
})

/** Stores a directory token for someone, like a sign-in. */
const withToken = async ({ context, as }: TestApp = net): Promise<SignedInCaller & { account: string }> => {
  const caller = as(10)
  const { account } = await caller.who()
  const tokens = { accessToken: TOKEN, expiresAt: Date.now() + 3_600_000 }
  await context.db
    .updateTable('account')
    .set(toTokenColumns(context.configuration, account, tokens))
    .where('_id', '=', account)
    .execute()
  return { ...caller, account }
}
const photoFor = (caller: SignedInCaller, person: string, headers?: Record<string, string>) =>
  caller.trySend(readProfilePhoto, { params: { person }, ...(headers ? { headers } : {}) })

test('the caller’s photo is fetched with their own token, resized to a small square, and cached', async () => {
  const caller = await withToken()
  const response = await photoFor(caller, 'me')
  expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' })
  expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 208, height: 208 })
  expect(directory.requests).toEqual([{ path: '/v1.0/me/photo/$value', authorization: `Bearer ${TOKEN}` }])
  const again = await photoFor(caller, 'me')
  expect(again.rawPayload.equals(response.rawPayload)).toBe(true)
  expect(directory.requests).toHaveLength(1)
})

test('a colleague’s photo is fetched by work address, and then served to everyone', async () => {
  const person = await net.make.person({ email: "o'neil+a/b@factory.test" })
  const [response, mine] = [await photoFor(await withToken(), person.slug), net.as(10)]
  expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=3600' })
  expect(directory.requests.map(({ path }) => path)).toEqual([`/v1.0/users/${encodeURIComponent("o'neil+a/b@factory.test")}/photo/$value`])
  expect((await photoFor(mine, person._id)).rawPayload).toEqual(response.rawPayload)
  expect(directory.requests).toHaveLength(1)
})

test('without a photo, an address or a token the fallback image with the initials is served', async () => {
  const person = await net.make.person({ name: 'Ann Lee <b>', email: null })
  const response = await photoFor(await withToken(), person._id)
  expect(response.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, max-age=300' })
  expect(response.headers['content-security-policy']).toContain("default-src 'none'")
  expect(response.body).toContain('>AB</text>')
  expect((await photoFor(net.as(10), 'me')).headers['content-type']).toBe('image/svg+xml')
  expect(directory.requests).toEqual([])

  directory.respond = respondNotFound
  const caller = await withToken()
  const first = await photoFor(caller, 'me')
  expect(first.body).toContain('<svg')
  expect((await photoFor(caller, 'me')).body).toBe(first.body)
  expect(directory.requests).toHaveLength(1)
})

test('an unknown person is 404', async () => {
  expect((await photoFor(await withToken(), 'nobody-of-that-name')).statusCode).toBe(404)
})

test('fifty concurrent requests cause one fetch', async () => {
  directory.respond = (request, response) => void setTimeout(() => respondWith(photo)(request, response), 100)
  const person = await net.make.person()
  const callers = await Promise.all(Array.from({ length: 50 }, () => withToken()))
  const responses = await Promise.all(callers.map((caller) => photoFor(caller, person._id)))
  expect(new Set(responses.map(({ headers }) => headers['content-type']))).toEqual(new Set(['image/webp']))
  expect(directory.requests).toHaveLength(1)
})

test('at most eight photos are fetched concurrently', async () => {
  const pending: (() => void)[] = []
  let most = 0
  directory.respond = (request, response) => {
    most = Math.max(
      most,
      pending.push(() => respondNotFound(request, response)),
    )
    // Responds once all eight have arrived, after a moment in which a ninth could also arrive.
    if (pending.length === 8) setTimeout(() => pending.splice(0).forEach((respond) => respond()), 20)
  }
  const caller = await withToken()
  const people = await Promise.all(Array.from({ length: 40 }, () => net.make.person()))
  await Promise.all(people.map((person) => photoFor(caller, person._id)))
  expect(directory.requests).toHaveLength(40)
  expect(most).toBe(8)
})

test.each<[string, () => PhotoDirectory['respond'] | Promise<PhotoDirectory['respond']>]>([
  ['garbage', () => respondWith(Buffer.alloc(5000, 'x'))],
  ['an HTML page', () => respondWith('<!doctype html><script>alert(1)</script>')],
  ['an SVG', () => respondWith('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml')],
  ['a truncated photo', () => respondWith(photo.subarray(0, photo.length / 2))],
  ['an empty response', () => respondWith('')],
  ['a picture with far too many pixels', () => respondWith(createPixelBomb(), 'image/png')],
  ['more bytes than allowed for a photo', () => respondWith(Buffer.concat([photo, Buffer.alloc(2 * 1024 * 1024)]))],
  ['500', () => respondWithStatus(500)],
  ['429', () => respondWithStatus(429, { 'retry-after': '100' })],
  ['a redirect', () => respondWithStatus(302, { location: `${directory.url}/elsewhere` })],
  ['a connection that is closed', () => resetConnection],
])(
  'if the directory sends %s, the fallback image is returned, and that person’s photo is not requested again for a while',
  async (_what, answer) => {
    directory.respond = await answer()
    const own = await startApp({ GRAPH_URL: directory.url, SECRET_KEY })
    const [caller, person] = [await withToken(own), await own.make.person()]
    for (let turn = 0; turn < 2; turn++) {
      const response = await photoFor(caller, person._id)
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    }
    expect(directory.requests).toHaveLength(1)
  },
)

test('an endless body is read up to the limit', async () => {
  const { answer, sent } = createEndlessResponder()
  directory.respond = answer
  const response = await photoFor(await withToken(), 'me')
  expect(response.headers['content-type']).toBe('image/svg+xml')
  await expect.poll(() => directory.countOpenRequests()).toBe(0)
  expect(sent()).toBeLessThan(16 * 1024 * 1024)
})

test('a refused token affects only the requests of its own caller', async () => {
  directory.respond = respondWithStatus(403)
  const [caller, person, other] = [await withToken(), await net.make.person(), await net.make.person()]
  await photoFor(caller, person._id)
  await photoFor(caller, other._id)
  expect(directory.requests).toHaveLength(1)
  directory.respond = respondWith(photo)
  expect((await photoFor(await withToken(), person._id)).headers['content-type']).toBe('image/webp')
  expect((await photoFor(caller, 'me')).headers['content-type']).toBe('image/webp')
})

test.each([
  ['hangs', respondNever],
  ['stalls in the middle', respondPartly],
])('a directory that %s does not slow other requests', async (_how, answer) => {
  directory.respond = answer
  const own = await startApp({ GRAPH_URL: directory.url, SECRET_KEY })
  const caller = await withToken(own)
  const people = await Promise.all(Array.from({ length: 30 }, () => own.make.person()))
  const responses = Promise.all(people.map((person) => photoFor(caller, person._id)))
  await expect.poll(() => directory.requests.length, { timeout: 20_000 }).toBeGreaterThan(0)
  // Callers that wait for the directory hold no database connection.
  const { pool } = own.context
  expect((await caller.trySend(listSites)).statusCode).toBe(200)
  await expect.poll(() => pool.totalCount - pool.idleCount, { timeout: 20_000 }).toBe(0)
  for (const response of await responses) expect(response.headers['content-type']).toBe('image/svg+xml')
  // Only a few requests were sent; then it counted as unavailable, and no more followed.
  const sent = directory.requests.length
  expect(sent).toBeLessThanOrEqual(8)
  for (const person of people) await photoFor(caller, person._id)
  expect(directory.requests).toHaveLength(sent)
  await expect.poll(() => directory.countOpenRequests()).toBe(0)
})

test('an unavailable directory is retried after a minute, and the cached photo is served until then', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { account } = await withToken()
    const photos = new DirectoryPhotos(net.context, new PhotoCache())
    const of = (address: string) => photos.get({ account, address, isOwn: false })
    expect(await of('old@factory.test')).not.toBeNull()
    vi.advanceTimersByTime(24 * 3_600_000 + 1)
    await net.context.db
      .updateTable('account')
      .set(toTokenColumns(net.context.configuration, account, { accessToken: TOKEN, expiresAt: Date.now() + 3_600_000 }))
      .where('_id', '=', account)
      .execute()
    directory.respond = respondWithStatus(503)
    for (let person = 0; person < 10; person++) await of(`p${person}@factory.test`)
    expect(directory.requests).toHaveLength(1 + 5)
    expect(await of('old@factory.test')).not.toBeNull()
    directory.respond = respondWith(photo)
    expect(await of('p9@factory.test')).toBeNull()
    vi.advanceTimersByTime(60_001)
    expect(await of('p9@factory.test')).not.toBeNull()
    expect(directory.requests).toHaveLength(1 + 5 + 1)
  } finally {
    vi.useRealTimers()
  }
})

test('the token is in no response, header or log line', async () => {
  const lines: string[] = []
  const to = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  })
  const context = { ...net.context, log: pino({ level: 'trace' }, to) }
  const caller = await withToken()
  const photos = new DirectoryPhotos(context, new PhotoCache())
  const answers = [
    respondWithStatus(401),
    respondWithStatus(500),
    respondWith('x'),
    respondWithStatus(503),
    resetConnection,
    resetConnection,
    resetConnection,
    resetConnection,
  ]
  for (const [at, answer] of answers.entries()) {
    directory.respond = answer
    await photos.get({ account: caller.account, address: `p${at}@factory.test`, isOwn: at === 0 })
  }
  expect(lines.join('')).toContain('The directory service does not answer')
  const response = await photoFor(caller, 'me')
  expect(`${lines.join('')}${JSON.stringify(response.headers)}${response.rawPayload.toString('latin1')}`).not.toContain(TOKEN)
})

test('local sign-in has no token, and nothing is fetched', async () => {
  const own = await startApp({ GRAPH_URL: directory.url })
  expect((await photoFor(own.as(10), 'me')).headers['content-type']).toBe('image/svg+xml')
  expect(directory.requests).toEqual([])
})
