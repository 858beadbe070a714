import type { LookupAddress, LookupOptions } from 'node:dns'

import { describe, expect, test } from 'vitest'

import { createPublicLookup, findTargetError, isPublicAddress } from './target.server.ts'

test.each([
  ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '192.167.1.1', '223.255.255.255'],
  ['2606:4700:4700::1111', '2a00:1450:4001:831::200e', '2001:4860:4860::8888'],
])('%s and similar addresses are public', (...addresses) => {
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([])
})

test.each([
  ['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ['172.31.255.255', '192.0.0.1', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '255.255.255.255'],
  ['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::7f00:1', '64:ff9b::7f00:1', 'fc00::1', 'fd12:3456::1', 'fe80::1'],
  ['fe80::1%eth0', 'fec0::1', 'ff02::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '3fff::1', '100::1', '5f00::1'],
  ['', 'localhost', '2130706433', '0x7f.1', '127.1'],
])('%s and similar addresses are not public', (...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

const PRIVATE = 'is an address of a private network or of this machine'

describe('the address of a webhook', () => {
  test.each([
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://0x7f000001/x',
    'https://0x7f.0.0.1/x',
    'https://017700000001/x',
    'https://0177.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[0:0:0:0:0:ffff:7f00:1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.1.2.3:8443/x',
    'https://[fd00::1]:8443/x',
    'https://localhost/x',
    'https://LOCALHOST./x',
    'https://a.localhost:8443/x',
    'https://１２７.0.0.1/x',
    'https://127。0。0。1/x',
  ])('%s is refused', (url) => {
    expect(findTargetError(url, false)).toContain(PRIVATE)
    expect(findTargetError(url, true)).toBeUndefined()
  })

  test.each(['https://example.org/hook', 'https://example.org:443/hook?x=1', 'https://8.8.8.8/', 'https://[2606:4700:4700::1111]/x'])(
    '%s is accepted',
    (url) => expect(findTargetError(url, false)).toBeUndefined(),
  )

  test.each(['25', '22', '80', '444', '587', '1023', '0'])('is refused at port %s', (port) => {
    const refused = `Webhooks cannot go to port ${port}. Leave the port out of the address.`
    expect(findTargetError(`https://example.org:${port}/`, false)).toBe(refused)
    expect(findTargetError(`https://example.org:${port}/`, true)).toBe(port === '80' ? undefined : refused)
  })

  test.each(['1024', '3306', '8443', '65535'])('is accepted at port %s where plain targets are', (port) => {
    expect(findTargetError(`http://10.1.2.3:${port}/`, true)).toBeUndefined()
    expect(findTargetError(`https://example.org:${port}/`, false)).toContain(`port ${port}`)
  })

  test('must use https, unless private addresses are allowed', () => {
    expect(findTargetError('http://example.org/', false)).toBe('The address must begin with https://')
    expect(findTargetError('http://example.org/', true)).toBeUndefined()
  })

  test.each(['', 'example.org', 'ftp://example.org', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', 'https://[::1'])(
    '%j is not accepted',
    (url) => expect(findTargetError(url, true)).toBe('Enter a web address such as https://example.org/webhook'),
  )

  test('must not contain a user or password', () => {
    expect(findTargetError('https://me:secret@example.org/', true)).toBe('The address must not contain a user or a password')
  })
})

describe('a host name', () => {
  const v4 = (address: string): LookupAddress => ({ address, family: 4 })
  const lookUp = (answers: readonly (readonly LookupAddress[])[], options: LookupOptions) => {
    const left = [...answers]
    const lookup = createPublicLookup((_name, _options, callback) => callback(null, [...(left.shift() ?? [])]))
    return () =>
      new Promise<unknown>((resolve) =>
        lookup('hook.example', options, (error, address, family) =>
          resolve(error ? error.message : family === undefined ? address : [address, family]),
        ),
      )
  }

  test('a redirect to a private address is refused, and the address is named', async () => {
    expect(await lookUp([[v4('10.0.0.5')]], {})()).toBe(`hook.example (10.0.0.5) ${PRIVATE}`)
    expect(await lookUp([[{ address: '::1', family: 6 }]], { all: true })()).toBe(`hook.example (::1) ${PRIVATE}`)
    expect(await lookUp([[]], {})()).toBe(`hook.example (no address) ${PRIVATE}`)
  })

  test('is connected to only at its public addresses', async () => {
    const found = [v4('192.168.1.1'), v4('8.8.8.8'), { address: 'fe80::1', family: 6 }, v4('1.1.1.1')]
    expect(await lookUp([found], { all: true })()).toEqual([v4('8.8.8.8'), v4('1.1.1.1')])
    expect(await lookUp([found], {})()).toEqual(['8.8.8.8', 4])
  })

  test('is resolved and checked again for each connection', async () => {
    const connect = lookUp([[v4('8.8.8.8')], [v4('127.0.0.1')]], {})
    expect(await connect()).toEqual(['8.8.8.8', 4])
    expect(await connect()).toBe(`hook.example (127.0.0.1) ${PRIVATE}`)
  })
})
