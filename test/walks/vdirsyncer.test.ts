import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { findVdirsyncer } from '../../scripts/browsers.mjs'
import { getFreePort } from '../support/free-port.ts'
import { type LocalSession, signInLocally } from '../support/local-sign-in.ts'
import { startProgram } from '../support/server-process.ts'

// vdirsyncer, a contact program that keeps a folder of cards, against a server with a small sample network.

const run = promisify(execFile)
const stops: (() => Promise<unknown>)[] = []
let folder = ''
let url = ''
let sync: () => Promise<string>

/** Sends a call as someone of the sample. */
const sendAs = async <T>({ headers }: LocalSession, method: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? undefined : await response.json()) as T
}

beforeAll(async () => {
  const program = findVdirsyncer()
  if (program === undefined) throw new Error('vdirsyncer is not installed: install the package vdirsyncer')
  folder = await mkdtemp(join(tmpdir(), 'homeroom-contacts-'))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711) // as root the database runs as another user, who needs access
  const port = await getFreePort()
  url = `http://127.0.0.1:${port}`
  const server = startProgram(process.execPath, ['src/main.server.ts'], {
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: join(folder, 'data'),
    SAMPLE: '10',
  })
  stops.push(async () => {
    server.child.kill('SIGTERM')
    await server.ended
  })
  await server.waitForLine(/^Ready: /m)
  const device = await sendAs<{ username: string; password: string }>(
    await signInLocally(url, 'staff@sample.test'),
    'POST',
    '/api/devices',
    {
      name: 'vdirsyncer',
    },
  )
  await mkdir(join(folder, 'contacts'))
  const settings = {
    general: { status_path: join(folder, 'status') },
    'pair contacts': { a: 'here', b: 'there', collections: ['all-staff', 'leadership', 'favorites'] },
    'storage here': { type: 'filesystem', path: join(folder, 'contacts'), fileext: '.vcf' },
    'storage there': { type: 'carddav', url, username: device.username, password: device.password },
  }
  const config = join(folder, 'config')
  const write = (entries: object) => Object.entries(entries).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  await writeFile(
    config,
    Object.entries(settings)
      .flatMap(([name, entries]) => [`[${name}]`, ...write(entries)])
      .join('\n'),
  )
  for (const name of settings['pair contacts'].collections) await mkdir(join(folder, 'contacts', name))
  const vdirsyncer = async (...words: string[]): Promise<string> => {
    const { stdout, stderr } = await run(program, ['-c', config, ...words], { env: { ...process.env, HOME: folder } })
    return stdout + stderr
  }
  await vdirsyncer('discover')
  sync = () => vdirsyncer('sync', '--force-delete')
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

const readCards = async (book: string): Promise<Map<string, string>> => {
  const path = join(folder, 'contacts', book)
  const files = await readdir(path)
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(path, file), 'utf8')] as const)))
}
const findFile = async (book: string, line: string): Promise<string | undefined> =>
  [...(await readCards(book))].find(([, card]) => card.includes(line))?.[0]

interface Person {
  readonly _id: string
  readonly name: string
}

test('vdirsyncer copies everyone, and nothing while nothing changes', async () => {
  await sync()
  const people = await sendAs<Person[]>(await signInLocally(url, 'manager@sample.test'), 'GET', '/locations-api/people')
  const cards = await readCards('all-staff')
  expect(cards.size).toBe(people.filter((person) => !('leftAt' in person && person.leftAt !== null)).length)
  expect(cards.size).toBeGreaterThan(20)
  expect(await sync()).not.toMatch(/Copying|Deleting/)
})

test('vdirsyncer copies the card of a renamed person, and deletes that of someone who leaves', async () => {
  const manager = await signInLocally(url, 'manager@sample.test')
  const [renamed, leaving] = await sendAs<Person[]>(manager, 'GET', '/locations-api/people_sites_divide/LEADERSHIP')
  if (!renamed || !leaving) throw new Error('The sample has no leadership')
  await sendAs(manager, 'PUT', `/locations-api/people/${renamed._id}`, { name: 'Renamed Person' })
  const changed = await sync()
  expect(await findFile('leadership', 'FN:Renamed Person')).toBeDefined()
  // Once in each of the two books.
  expect(changed.match(/Copying/g)).toHaveLength(2)
  await sendAs(manager, 'POST', `/api/people/${leaving._id}/leaving`, {})
  expect((await sync()).match(/Deleting/g)).toHaveLength(2)
  expect(await findFile('all-staff', `UID:urn:uuid:${leaving._id}`)).toBeUndefined()
})

test('what someone changes or deletes in the folder is refused by the server, and comes back', async () => {
  const file = await findFile('all-staff', 'FN:Renamed Person')
  const path = join(folder, 'contacts', 'all-staff', file ?? '')
  await writeFile(path, (await readFile(path, 'utf8')).replace('FN:Renamed Person', 'FN:Changed Here'))
  await expect(sync()).rejects.toThrow(/403|Forbidden|read-only/i)
  const people = await sendAs<Person[]>(await signInLocally(url, 'manager@sample.test'), 'GET', '/locations-api/people')
  expect(people.map(({ name }) => name)).toContain('Renamed Person')
  expect(people.map(({ name }) => name)).not.toContain('Changed Here')
})
