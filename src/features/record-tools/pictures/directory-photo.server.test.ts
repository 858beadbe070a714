import { Writable } from 'node:stream'

import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { startApp, type SignedInCaller, type TestApp } from '../../../../test/support/app.ts'
import {
  type Directory,
  endless,
  hangs,
  none,
  resets,
  sends,
  stalls,
  startDirectory,
  status,
} from '../../../../test/support/photo-directory.ts'
import { bomb, busy } from '../../../../test/support/pictures.ts'
import { toTokenColumns } from '../../access/session/encrypted-tokens.server.ts'
import { listSites } from '../../records/sites/contract.ts'
import { readProfilePhoto } from './contract.ts'
import { DirectoryPhotos } from './directory-photo.server.ts'
import { PhotoCache } from './photo-cache.server.ts'

const SECRET_KEY = 'a secret key of more than 32 characters'
const TOKEN = 'eyJ-the-directory-token-of-somebody'
const LONGEST = 2000

let directory: Directory
let net: TestApp
let photo: Buffer
beforeAll(async () => {
  directory = await startDirectory()
  net = await startApp({ GRAPH_URL: directory.url, SECRET_KEY })
  photo = await busy(400, 300).jpeg().toBuffer()
})
afterAll(() => directory.close())
beforeEach(() => {
  directory.asked.length = 0
  directory.answer = sends(photo)
})

/** Somebody with a directory token, as a sign-in leaves it. */
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
const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const start = performance.now()
  return [await work, performance.now() - start]
}
const photoFor = (caller: SignedInCaller, person: string, headers?: Record<string, string>) =>
  caller.ask(readProfilePhoto, { params: { person }, ...(headers ? { headers } : {}) })

test('the caller’s photo is fetched with their own token, resized to a small square, and cached', async () => {
  const caller = await withToken()
  const response = await photoFor(caller, 'me')
  expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' })
  expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 208, height: 208 })
  expect(directory.asked).toEqual([{ path: '/v1.0/me/photo/$value', authorization: `Bearer ${TOKEN}` }])
  const again = await photoFor(caller, 'me')
  expect(again.rawPayload.equals(response.rawPayload)).toBe(true)
  expect(directory.asked).toHaveLength(1)
})

test('a colleague’s photo is fetched by work address, and then served to everybody', async () => {
  const person = await net.make.person({ email: "o'neil+a/b@factory.test" })
  const [response, mine] = [await photoFor(await withToken(), person.slug), net.as(10)]
  expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=3600' })
  expect(directory.asked.map(({ path }) => path)).toEqual([`/v1.0/users/${encodeURIComponent("o'neil+a/b@factory.test")}/photo/$value`])
  expect((await photoFor(mine, person._id)).rawPayload).toEqual(response.rawPayload)
  expect(directory.asked).toHaveLength(1)
})

test('without a photo, an address or a token the fallback image with the initials is served', async () => {
  const person = await net.make.person({ name: 'Ann Lee <b>', email: null })
  const response = await photoFor(await withToken(), person._id)
  expect(response.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, max-age=300' })
  expect(response.headers['content-security-policy']).toContain("default-src 'none'")
  expect(response.body).toContain('>AB</text>')
  expect((await photoFor(net.as(10), 'me')).headers['content-type']).toBe('image/svg+xml')
  expect(directory.asked).toEqual([])

  directory.answer = none
  const caller = await withToken()
  const first = await photoFor(caller, 'me')
  expect(first.body).toContain('<svg')
  expect((await photoFor(caller, 'me')).body).toBe(first.body)
  expect(directory.asked).toHaveLength(1)
})

test('an unknown person is 404', async () => {
  expect((await photoFor(await withToken(), 'nobody-of-that-name')).statusCode).toBe(404)
})

test('fifty concurrent requests cause one fetch', async () => {
  directory.answer = (request, response) => void setTimeout(() => sends(photo)(request, response), 100)
  const person = await net.make.person()
  const callers = await Promise.all(Array.from({ length: 50 }, () => withToken()))
  const responses = await Promise.all(callers.map((caller) => photoFor(caller, person._id)))
  expect(new Set(responses.map(({ headers }) => headers['content-type']))).toEqual(new Set(['image/webp']))
  expect(directory.asked).toHaveLength(1)
})

test('at most eight photos are fetched concurrently', async () => {
  let [open, most] = [0, 0]
  directory.answer = (request, response) => {
    most = Math.max(most, ++open)
    setTimeout(() => {
      open--
      none(request, response)
    }, 20)
  }
  const caller = await withToken()
  const people = await Promise.all(Array.from({ length: 40 }, () => net.make.person()))
  await Promise.all(people.map((person) => photoFor(caller, person._id)))
  expect(directory.asked).toHaveLength(40)
  expect(most).toBe(8)
})

test.each<[string, () => Directory['answer'] | Promise<Directory['answer']>]>([
  ['garbage', () => sends(Buffer.alloc(5000, 'x'))],
  ['a page of HTML', () => sends('<!doctype html><script>alert(1)</script>')],
  ['a drawing', () => sends('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml')],
  ['half a photo', () => sends(photo.subarray(0, photo.length / 2))],
  ['nothing at all', () => sends('')],
  ['a picture of far too many pixels', () => sends(bomb(), 'image/png')],
  ['more bytes than a photo has', () => sends(Buffer.concat([photo, Buffer.alloc(2 * 1024 * 1024)]))],
  ['500', () => status(500)],
  ['429', () => status(429, { 'retry-after': '100' })],
  ['another address', () => status(302, { location: `${directory.url}/elsewhere` })],
  ['a connection that breaks', () => resets],
])('a directory that sends %s gives the fallback image, and is not asked for that person again for a while', async (_what, answer) => {
  directory.answer = await answer()
  const own = await startApp({ GRAPH_URL: directory.url, SECRET_KEY })
  const [caller, person] = [await withToken(own), await own.make.person()]
  for (let turn = 0; turn < 2; turn++) {
    const response = await photoFor(caller, person._id)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  }
  expect(directory.asked).toHaveLength(1)
})

test('an endless body is read up to the limit', async () => {
  const { answer, sent } = endless()
  directory.answer = answer
  const [response, took] = await timed(photoFor(await withToken(), 'me'))
  expect(response.headers['content-type']).toBe('image/svg+xml')
  expect(took).toBeLessThan(LONGEST)
  await expect.poll(() => directory.open()).toBe(0)
  expect(sent()).toBeLessThan(16 * 1024 * 1024)
})

test('a refused token affects only the requests of its own caller', async () => {
  directory.answer = status(403)
  const [caller, person, other] = [await withToken(), await net.make.person(), await net.make.person()]
  await photoFor(caller, person._id)
  await photoFor(caller, other._id)
  expect(directory.asked).toHaveLength(1)
  directory.answer = sends(photo)
  expect((await photoFor(await withToken(), person._id)).headers['content-type']).toBe('image/webp')
  expect((await photoFor(caller, 'me')).headers['content-type']).toBe('image/webp')
})

test.each([
  ['hangs', hangs],
  ['stalls in the middle', stalls],
])('a directory that %s slows nothing else', async (_how, answer) => {
  directory.answer = answer
  const own = await startApp({ GRAPH_URL: directory.url, SECRET_KEY })
  const caller = await withToken(own)
  const people = await Promise.all(Array.from({ length: 30 }, () => own.make.person()))
  const asking = Promise.all(people.map((person) => timed(photoFor(caller, person._id))))
  const [list, tookForList] = await timed(caller.ask(listSites))
  expect(list.statusCode).toBe(200)
  expect(tookForList).toBeLessThan(1000)
  for (const [response, took] of await asking) {
    expect(response.headers['content-type']).toBe('image/svg+xml')
    expect(took).toBeLessThan(LONGEST + 400)
  }
  // Only a few were ever sent; after them it is known to be away, and nobody waits.
  expect(directory.asked.map(({ path }) => path)).toHaveLength(8)
  for (const person of people) expect((await timed(photoFor(caller, person._id)))[1]).toBeLessThan(300)
  expect(directory.asked.length).toBeLessThanOrEqual(8)
  await expect.poll(() => directory.open()).toBe(0)
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
    directory.answer = status(503)
    for (let person = 0; person < 10; person++) await of(`p${person}@factory.test`)
    expect(directory.asked).toHaveLength(1 + 5)
    expect(await of('old@factory.test')).not.toBeNull()
    directory.answer = sends(photo)
    expect(await of('p9@factory.test')).toBeNull()
    vi.advanceTimersByTime(60_001)
    expect(await of('p9@factory.test')).not.toBeNull()
    expect(directory.asked).toHaveLength(1 + 5 + 1)
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
  const answers = [status(401), status(500), sends('x'), status(503), resets, resets, resets, resets]
  for (const [at, answer] of answers.entries()) {
    directory.answer = answer
    await photos.get({ account: caller.account, address: `p${at}@factory.test`, isOwn: at === 0 })
  }
  expect(lines.join('')).toContain('The directory service does not answer')
  const response = await photoFor(caller, 'me')
  expect(`${lines.join('')}${JSON.stringify(response.headers)}${response.rawPayload.toString('latin1')}`).not.toContain(TOKEN)
})

test('local sign-in has no token, and nothing is fetched', async () => {
  const own = await startApp({ GRAPH_URL: directory.url })
  expect((await photoFor(own.as(10), 'me')).headers['content-type']).toBe('image/svg+xml')
  expect(directory.asked).toEqual([])
})
