import { expect, test } from 'vitest'

import { getAddressKey } from './client-address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
  ['2001:0DB8::7:ffff:ffff:ffff:ffff', '2001:db8:0:7::/64'],
  ['2001:db8::7:0:0:0:1', '2001:db8:0:7::/64'],
  ['2001:db8:0:8::1', '2001:db8:0:8::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['no address', 'no address'],
  ['x'.repeat(100_000), 'x'.repeat(60)],
  [`::1%${'x'.repeat(100_000)}`, '0:0:0:0::/64'],
])('%s counts as %s', (address, key) => {
  expect(getAddressKey(address)).toBe(key)
})
