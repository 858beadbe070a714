import { expect, test } from 'vitest'

import { showWebAddress, webAddressOf } from './WebLink.tsx'

test('an address leads where it says, with https where the scheme was left out', () => {
  expect(webAddressOf('http://delta.example/enroll?x=1')).toBe('http://delta.example/enroll?x=1')
  expect(webAddressOf(' www.delta.example ')).toBe('https://www.delta.example')
  expect(webAddressOf('delta.example:8080/a')).toBe('https://delta.example:8080/a')
})

test('what is no web address leads nowhere', () => {
  const texts = ['javascript:alert(1)', 'none', 'see the brand', 'http://', 'data:text/html,x', '//delta.example']
  expect(texts.filter((text) => webAddressOf(text) !== null)).toEqual([])
})

test('an address is shown without scheme, www and last slash', () => {
  expect(showWebAddress('https://www.delta.example/')).toBe('delta.example')
  expect(showWebAddress('delta.example/enroll')).toBe('delta.example/enroll')
})
