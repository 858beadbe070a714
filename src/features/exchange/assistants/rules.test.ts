import { expect, test } from 'vitest'

import { formatDestination, isRedirectAddress, parseScopes } from './rules.ts'

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://vscode.dev/redirect?from=code',
  'http://127.0.0.1:33418/',
  'http://localhost/callback',
  'http://[::1]:5000/callback',
])('an answer may go to %s', (address) => expect(isRedirectAddress(address)).toBe(true))

test.each([
  'http://assistant.test/callback',
  'http://127.0.0.1.evil.test/',
  'http://localhost.evil.test/',
  'https://user:password@assistant.test/',
  'https://assistant.test/callback#part',
  'https://assistant.test/#',
  'cursor://callback',
  'javascript:alert(1)',
  'data:text/html,hello',
  '/callback',
  '',
])('no answer may go to %s', (address) => expect(isRedirectAddress(address)).toBe(false))

test('the destination is the host, or a program on the computer', () => {
  expect(formatDestination('https://claude.ai/callback')).toBe('claude.ai')
  expect(formatDestination('http://127.0.0.1:4000/callback')).toBe('a program on your computer (127.0.0.1:4000)')
})

test('only known scopes are granted', () => {
  expect(parseScopes('suggest_changes openid look_up')).toEqual(['look_up', 'suggest_changes'])
  expect(parseScopes('admin')).toEqual([])
  expect(parseScopes(undefined)).toEqual([])
})
