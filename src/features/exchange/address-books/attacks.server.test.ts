import { beforeAll, describe, expect, test } from 'vitest'

import { type SignedInCaller, startApp, type TestApp } from '../../../../test/support/app.ts'
import { connectDevice } from '../../../../test/support/dav.ts'
import { createDevice, deleteDevice } from '../../access/devices/contract.ts'
import { MAX_WRONG_PASSWORDS, MAX_XML_DEPTH } from './contract.ts'

let app: TestApp
let owner: SignedInCaller
let phone: Awaited<ReturnType<typeof connectDevice>>
beforeAll(async () => {
  app = await startApp()
  await app.make.network()
  owner = app.as(10)
  phone = await connectDevice(app, owner)
})

const propfind = (content: string, before = '') =>
  `<?xml version="1.0"?>${before}<D:propfind xmlns:D="DAV:"><D:prop>${content}</D:prop></D:propfind>`
const nest = (depth: number) => `${'<a xmlns="urn:x">'.repeat(depth)}${'</a>'.repeat(depth)}`

describe('XML', () => {
  test.each([
    ['an entity of its own', propfind('<D:x>&secret;</D:x>', '<!DOCTYPE a [<!ENTITY secret "x">]>')],
    ['a file as an entity', propfind('<D:x>&secret;</D:x>', '<!DOCTYPE a [<!ENTITY secret SYSTEM "file:///etc/passwd">]>')],
    ['entities that multiply', propfind('&b;', '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>')],
    ['a document type', propfind('<D:getetag/>', '<!DOCTYPE html>')],
    ['an external document type', propfind('<D:getetag/>', '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd">')],
    ['an entity of HTML', propfind('<D:x>&nbsp;</D:x>')],
    ['too many levels', propfind(nest(MAX_XML_DEPTH))],
    ['too many elements', propfind('<a xmlns="urn:x"/>'.repeat(30_001))],
    ['a prefix without a namespace', propfind('<x:y/>')],
    ['an element that is not closed', '<D:propfind xmlns:D="DAV:"><D:prop>'],
    ['two roots', '<a/><b/>'],
    ['text only', 'getetag'],
    ['another root', '<D:proplist xmlns:D="DAV:"/>'],
    ['bytes that are not UTF-8', '\uFFFD'],
  ])('with %s is refused', async (_title, body) => {
    for (const method of ['PROPFIND', 'REPORT']) {
      const { statusCode, headers, body: answer } = await phone.request(method, `${phone.home}all-staff/`, body, { depth: '0' })
      expect([method, statusCode, headers['content-type']]).toEqual([
        method,
        // Another root than a report's is a report that is not supported.
        method === 'REPORT' && body.startsWith('<D:proplist') ? 403 : 400,
        'application/xml; charset=utf-8',
      ])
      expect(answer).not.toMatch(/root:|secret/)
    }
  })

  test('as deep as a program may need is read', async () => {
    const { statusCode } = await phone.request('PROPFIND', '/dav/', propfind(nest(MAX_XML_DEPTH - 2)), { depth: '0' })
    expect(statusCode).toBe(207)
  })

  test('of more than four megabytes is refused', async () => {
    const { statusCode } = await phone.request('REPORT', `${phone.home}all-staff/`, propfind(`<!--${'x'.repeat(4 * 1024 * 1024)}-->`))
    expect(statusCode).toBe(413)
  })

  test('comes back escaped, as does a name that looks like XML', async () => {
    const made = await app.make.person({ name: '<D:href>&amp; ]]> Quill' })
    const path = `${phone.home}all-staff/person-${made._id}.vcf`
    const [card] = await phone.multiget(`${phone.home}all-staff/`, [path, '&lt;script&gt;'])
    expect(card?.properties.get('address-data')?.text).toContain('FN:<D:href>&amp\\; ]]> Quill\r\n')
    const [found] = await phone.propfind('/dav/', '<x xmlns="urn:&quot;&lt;x&gt;"/>')
    expect(found?.missing).toEqual(['x'])
  })

  test('names the properties of no object', async () => {
    const [found] = await phone.propfind('/dav/', '<D:constructor/><D:__proto__/><D:toString/>')
    expect(found?.missing).toEqual(['constructor', '__proto__', 'toString'])
  })
})

describe('signing in', () => {
  const ask = (authorization: string | undefined, address = '192.0.2.1', server = app) =>
    server.app.inject({
      method: 'PROPFIND' as 'GET',
      url: '/dav/',
      authority: new URL(server.context.configuration.publicUrl).host,
      remoteAddress: address,
      headers: { ...(authorization === undefined ? {} : { authorization }), depth: '0' },
    })
  const basic = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  test('takes the password of a device, and nothing that opens other doors', async () => {
    const session = await owner.headers()
    const { username, password } = phone.device
    const token = (await owner.request('POST', '/api/account/tokens', { payload: { name: 'A program', days: 30 } })).json().token as string
    const wrong = [
      undefined,
      'Basic',
      'Basic !!!',
      basic(username, ''),
      basic(username, token),
      basic(username, `${password}x`),
      basic('someone@else.test', password),
      `Bearer ${password}`,
      `Bearer ${token}`,
      `Basic ${Buffer.from(`${username}\0:${password}`).toString('base64')}`,
    ]
    for (const [at, one] of wrong.entries()) {
      const { statusCode, headers } = await ask(one, `198.51.100.${at}`)
      expect([one, statusCode]).toEqual([one, 401])
      expect(headers['www-authenticate']).toBe('Basic realm="Homeroom address books", charset="UTF-8"')
    }
    const authority = new URL(app.context.configuration.publicUrl).host
    const withCookies = await app.app.inject({ method: 'PROPFIND' as 'GET', url: '/dav/', authority, headers: { ...session, depth: '0' } })
    expect(withCookies.statusCode).toBe(401)
    expect((await ask(basic(username, password))).statusCode).toBe(207)
    expect((await ask(basic(username.toUpperCase(), ` ${password.toUpperCase().replaceAll('-', ' ')}`))).statusCode).toBe(207)
    const elsewhere = await app.anonymous.request('GET', '/locations-api/people', { headers: { authorization: basic(username, password) } })
    expect(elsewhere.statusCode).toBe(401)
  })

  test('slows wrong passwords for an account from any address, and lets its devices in', async () => {
    // With a minute of its own.
    const server = await startApp()
    const victim = server.as(10)
    const device = await victim.send(createDevice, { body: { name: 'Phone' } })
    const right = basic(device.username, device.password)
    expect((await ask(right, undefined, server)).statusCode).toBe(207)
    for (let at = 0; at < MAX_WRONG_PASSWORDS.account; at++)
      expect((await ask(basic(device.username, `wrong ${at}`), `203.0.113.${at}`, server)).statusCode).toBe(401)
    const slowed = await ask(basic(device.username.toUpperCase(), 'wrong'), '203.0.113.99', server)
    expect([slowed.statusCode, slowed.headers['retry-after']]).toEqual([429, '60'])
    expect((await ask(right, undefined, server)).statusCode).toBe(207)
    expect((await ask(basic('other@schools.test', 'wrong'), '203.0.113.99', server)).statusCode).toBe(401)
  })

  test('slows wrong passwords from an address for any account', async () => {
    // With a minute of its own.
    const server = await startApp()
    const statuses: number[] = []
    for (let at = 0; at < MAX_WRONG_PASSWORDS.address + 2; at++)
      statuses.push((await ask(basic(`person${at}@schools.test`, 'wrong'), '2001:db8:1:1::1', server)).statusCode)
    expect(statuses).toEqual([...Array.from({ length: MAX_WRONG_PASSWORDS.address }, () => 401), 429, 429])
    expect((await ask(basic('x@schools.test', 'wrong'), '2001:db8:1:1::2', server)).statusCode).toBe(429)
    expect((await ask(basic('x@schools.test', 'wrong'), '2001:db8:1:2::1', server)).statusCode).toBe(401)
  })

  test('ends with the device, on every server', async () => {
    const second = await app.startSecond()
    const device = await connectDevice(app, owner, 'Lost')
    const there = device.createClient(second.app)
    expect((await there.request('GET', '/dav/')).statusCode).toBe(200)
    await owner.send(deleteDevice, { params: { id: device.device._id } })
    for (const client of [device, there]) expect((await client.request('GET', '/dav/')).statusCode).toBe(401)
  })
})
