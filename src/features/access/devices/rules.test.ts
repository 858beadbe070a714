import { expect, test } from 'vitest'

import { findClient, isHandheldClient } from './rules.ts'

test.each([
  ['iOS/19.1 (22B83) dataaccessd/1.0', 'iPhone'],
  ['iOS/18.0 (iPad14,3) dataaccessd/1.0', 'iPad'],
  ['macOS/15.1 (24B83) AddressBookCore/2695.200.111', 'Mac'],
  ['Mac OS X/10.15.7 (19H2) AddressBook/2452.2', 'Mac'],
  ['DAVx5/4.4.5-ose (dav4jvm; okhttp/4.12.0) Android/15', 'DAVx5 on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0', 'Thunderbird'],
  ['Evolution/3.56.1', 'Evolution'],
  ['CalDavSynchronizer/4.4', 'Outlook'],
  ['vdirsyncer/0.19.0', 'vdirsyncer'],
  ['okhttp/4.9 Android 14', 'Android'],
  ['tsdav/v2.3.4', 'tsdav'],
  ['<script>', null],
  ['', null],
  [null, null],
])('%s is %s', (userAgent, client) => {
  expect(findClient(userAgent)).toBe(client)
})

test('phones and tablets are handheld', () => {
  expect(['iPhone', 'iPad', 'DAVx5 on Android', 'Mac', 'Thunderbird', null].map(isHandheldClient)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
