import { describe, expect, test } from 'vitest'

import { type IdentityRequirements, GuestRefused, validateIdentity } from './identity.server.ts'

const TENANT = '11111111-2222-4333-8444-555555555555'
const HOME = '99999999-2222-4333-8444-555555555555'
const expected: IdentityRequirements = {
  issuer: new URL(`https://login.microsoftonline.com/${TENANT}/v2.0`),
  tenant: TENANT,
  allowGuests: false,
}
const NOW = 1_800_000_000
const claims = (more: object = {}) => ({
  tid: TENANT,
  oid: 'a',
  iat: NOW - 300,
  name: 'Dana Whitlock',
  preferred_username: 'dana@school.test',
  ...more,
})
const read = (more: object, of = expected) => validateIdentity(claims(more), of, NOW)

describe('a guest of the tenant', () => {
  const guests: [string, object][] = [
    ['acct 1', { acct: 1 }],
    ['acct 1 as text', { acct: '1' }],
    ['an acct that is neither a member’s nor a guest’s', { acct: 2 }],
    ['an acct of null', { acct: null }],
    ['the home tenant as idp', { idp: `https://sts.windows.net/${HOME}/` }],
    ['the home tenant as idp, of version 2', { idp: `https://login.microsoftonline.com/${HOME}/v2.0` }],
    ['a member’s acct, and another idp', { acct: 0, idp: `https://sts.windows.net/${HOME}/` }],
    ['a guest’s acct, and our own idp', { acct: 1, idp: `https://sts.windows.net/${TENANT}/` }],
    ['a Microsoft account', { idp: 'live.com' }],
    ['a one-time code by mail', { idp: 'mail' }],
    ['another organization’s provider', { idp: 'https://idp.elsewhere.test/' }],
    ['another provider that writes our tenant into its address', { idp: `https://idp.elsewhere.test/${TENANT}/` }],
    ['another provider with our tenant in its query', { idp: `https://sts.windows.net/${HOME}/?${TENANT}/` }],
    ['an idp that is no text', { idp: 7 }],
    ['an empty idp', { idp: '' }],
    ['a guest’s user name', { preferred_username: 'bo_elsewhere.test#EXT#@school.onmicrosoft.com', email: 'bo@elsewhere.test' }],
  ]
  test.each(guests)('by %s is refused, and accepted if guests are allowed', (_what, more) => {
    expect(() => read(more)).toThrow(GuestRefused)
    expect(read(more, { ...expected, allowGuests: true }).isGuest).toBe(true)
  })
})

describe('a member of the tenant', () => {
  const members: [string, object][] = [
    ['acct 0', { acct: 0 }],
    ['acct 0 as text', { acct: '0' }],
    ['the issuer as idp', { idp: expected.issuer.href }],
    ['the tenant as idp', { idp: `https://sts.windows.net/${TENANT}/` }],
    ['the tenant as idp in capitals', { idp: `https://sts.windows.net/${TENANT.toUpperCase()}/` }],
    ['both', { acct: 0, idp: `https://login.microsoftonline.com/${TENANT}/v2.0` }],
  ]
  test.each(members)('by %s is accepted', (_what, more) => {
    expect(read(more)).toMatchObject({ objectId: 'a', isGuest: false })
  })

  test('of a provider other than Entra ID has the issuer as idp', () => {
    const issuer = new URL('https://sso.school.test/realms/staff')
    expect(read({ idp: issuer.href }, { ...expected, issuer }).isGuest).toBe(false)
  })
})

test('an ID token with neither claim does not show whether it is a guest’s, and is accepted', () => {
  expect(read({}).isGuest).toBeNull()
})
