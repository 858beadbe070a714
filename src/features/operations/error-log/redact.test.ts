import fc from 'fast-check'
import { expect, test } from 'vitest'

import { redact } from './redact.ts'

const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const RANDOM = 'kX9_vQ2mZr-7TfLw3bYcHs0PdNeGaUjR5iOqKtVxM4Q'
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ'

test.each<[string, string, string]>([
  ['a bearer token', `Authorization: Bearer ${RANDOM}`, RANDOM],
  ['a bearer token anywhere', `sent Bearer short12 to it`, 'short12'],
  ['basic credentials', 'Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
  ['a token header', `x-auth-token: ${RANDOM}\nnext`, RANDOM],
  ['a cookie line', 'Cookie: homeroom=abc; other=def ghi\nnext', 'def'],
  ['a set-cookie line', 'set-cookie: a=1; Path=/; HttpOnly', 'a=1'],
  ['headers in JSON', '{"cookie":"a=b; c=d","accept":"*"}', 'c=d'],
  ['a password in JSON', '{"password":"hunter 2, \\"quoted\\" and more","name":"x"}', 'hunter'],
  ['the end of a password in JSON', '{"password":"hunter 2, \\"quoted\\" and more","name":"x"}', 'more'],
  ['a password in JSON within JSON', '{"body":"{\\"newPassword\\":\\"hunter2\\",\\"name\\":\\"x\\"}"}', 'hunter2'],
  ['a password that was cut off', '{"password":"hunter2', 'hunter2'],
  ['a password in a form', 'user=x&password=hunter2&more=1', 'hunter2'],
  ['a list of tokens', '{"accessTokens":["one","two"],"name":"x"}', 'two'],
  ['a client secret', 'client_secret = s3cr3t!', 's3cr3t!'],
  ['an API key', '"apiKey": "abc-123"', 'abc-123'],
  ['an API key with a dash', 'X-Api-Key: abc123', 'abc123'],
  ['a sign-in ticket', `/login?auth=${HEX}`, HEX],
  ['a short ticket', '/login?auth=abc&x=1', 'abc'],
  ['an authorization code of the provider', '/auth/azure/callback?code=0.AXoA-b_c&state=xyz', '0.AXoA'],
  ['a state parameter of the provider', '/auth/azure/callback?code=0.AXoA-b_c&state=xyz', 'xyz'],
  ['a signed token', `it was ${JWT}.`, 'eyJhbGciOiJSUzI1NiJ9'],
  ['a hash', `key ${HEX} unknown`, HEX],
  ['a random secret', `known as ${RANDOM}`, RANDOM],
  ['an API key of a service', 'ghp_abcdefghijklmnopqrst1234', 'ghp_'],
  ['a password in a URL', 'postgres://homeroom:hunter2@db.example:5432/x', 'hunter2'],
  ['an email address', "no such person: dana.o'neil+x@mail.factory.test, sorry", 'factory.test'],
  ['an encoded email address', '/users/dana%40factory.test/photo', 'dana'],
  ['a phone number', 'call 559-555-0100 now', '555-0100'],
  ['a phone number with parentheses', 'call (559) 555-0100', '555-0100'],
  ['a phone number of only digits', '{"phone":"5595550100"}', '5595550100'],
  ['a fax number', '{"fax": 5595550100}', '5595550100'],
  ['a street', '{"address_1":"12 Main Street","city":"Fresno"}', 'Main'],
  ['a network address', 'from 203.0.113.9 port 3', '203.0.113.9'],
])('removes %s', (_what, text, secret) => {
  expect(text).toContain(secret)
  expect(redact(text)).not.toContain(secret)
})

test.each([
  "TypeError: Cannot read properties of undefined (reading 'map')",
  '    at SitesPage (http://127.0.0.1:3000/assets/SitesPage-CTiGXbGL.js:1:23456)',
  'duplicate key value violates unique constraint "site_slug_key"',
  '{"method":"PATCH","url":"/locations-api/sites/fresno-2","body":{"displayName":"Fresno","status":"ACTIVE","state":"CA"}}',
  'site 550e8400-e29b-41d4-a716-446655440000 on 2026-11-21T17:04:05.123Z has 1234567890 rows',
  'a-rather-long-slug-of-a-resource-center-in-2026',
  'This version 1.2.3 of 24.21.0',
])('keeps harmless text: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test('keeps the surrounding text', () => {
  expect(redact('{"name":"x","password":"y","city":"Fresno"}')).toBe('{"name":"x","password":[secret],"city":"Fresno"}')
  expect(redact('GET /login?auth=abc&lang=en')).toBe('GET /login?auth=[secret]&lang=en')
  expect(redact('Cookie: a=b\nAccept: text/html')).toBe('Cookie: [secret]\nAccept: text/html')
  expect(redact('postgres://u:p@db:5432/x')).toBe('postgres://[secret]@db:5432/x')
})

const SURROUNDINGS = [
  '"',
  '\\"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ': ',
  '=',
  '&',
  ' ',
  '\n',
  ', ',
  '?x=',
  'password',
  'Bearer ',
  'cookie: ',
  'at ',
] as const
const RECOGNISED = [HEX, RANDOM, JWT, 'dana@factory.test', '559-555-0100'] as const

test('recognized secrets are removed, whatever surrounds them', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SURROUNDINGS),
    fc.constantFrom(...RECOGNISED).map((one) => ` ${one} `),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const left = redact(pieces.join(''))
      expect(RECOGNISED.filter((one) => left.includes(one))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('redacted text is unchanged by redacting it again', () => {
  for (const text of [
    '{"password":"x","phone":"5595550100"}',
    `Cookie: a=b\nAuthorization: Bearer ${RANDOM}`,
    `/login?auth=${HEX}`,
    'a@b.example',
  ]) {
    const once = redact(text)
    expect(redact(once)).toBe(once)
  }
})

/** The most expensive inputs for a careless expression: repetitions of a rule's beginning without its end. */
const COSTLY = [
  'a', '"', '\\', 'a1B-', 'password=', '@', 'cookie:', '[{', '1.', '{"token":"\\', 'secret', '0x', 'token="', 'token=\\"', '.', '-', ' ', '\t', '\n', '\0',
  '1', 'é', 'e\u0301', '“', "'", 'a@', 'a.', '://', 'a://b', 'Bearer ', '%40', 'sk-', 'eyJ', 'phone ', 'token: ', '?auth=', 'aA1', '12.', '(559) ', '1-',
] // prettier-ignore
const ENDS = ['', '\\', '"', '@', '\n', '!'] as const
const BEFORE = ['', 'token=\\"', 'token="', "secret: '", 'cookie: ', 'a@b.', 'https://'] as const

test('takes linear time, whatever the text', () => {
  const slow: string[] = []
  for (const piece of COSTLY)
    for (const begin of BEFORE)
      for (const end of ENDS) {
        const text = begin + piece.repeat(20_000 / piece.length) + end
        const start = process.cpuUsage()
        redact(text)
        const { user, system } = process.cpuUsage(start)
        if (user + system > 100_000) slow.push(JSON.stringify([begin, piece, end]))
      }
  expect(slow).toEqual([])
})

/** The straightforward versions of rules that were rewritten for speed: quadratic, but easier to verify. */
const PLAINLY_VALUE = String.raw`(?:"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|\\+["'][\s\S]*?(?:\\+["']|$)|[[{][^\]}]*(?:[\]}]|$)|[^\s&;,"'<>()[\]{}\\]+)`
const PLAINLY_NAMED = new RegExp(String.raw`([\w-]{0,40}token[\w-]{0,20}(?:\\*["'])?\s*[:=]\s*)${PLAINLY_VALUE}`, 'gi')
const PLAINLY_EMAIL = /[\w.+'-]{1,64}(?:@|%40)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi
const PLAINLY_AUTHORITY = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,200}@/gi

test('the optimized rules find the same as the simple ones', () => {
  const piece = fc.constantFrom(
    'token', 'x-token', 'é', '"', "'", '\\', '\\"', ':', '=', ' ', '\n', '{', '}', '[', ']', '&', ';', '@', '%40', '.', 'ab', 'A-', '+', 'x://', '/', '7', 'longer-than-twenty-characters',
  ) // prettier-ignore
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('')
      const plainly = text
        .replace(PLAINLY_NAMED, '$1[secret]')
        .replace(PLAINLY_AUTHORITY, '$1[secret]@')
        .replace(/(?<![\w/+-])(?=[\w+-]{0,200}[a-z])(?=[\w+-]{0,200}[A-Z])(?=[\w+-]{0,200}\d)[\w+-]{32,}={0,2}/g, '[secret]')
        .replace(PLAINLY_EMAIL, '[email]')
      expect(redact(text)).toBe(plainly)
    }),
    { numRuns: 20_000 },
  )
})
