import { expect, test } from 'vitest'

import { formatWebUrl, toWebUrl } from './WebLink.tsx'

test('an address is completed with https if the scheme is missing', () => {
  expect(toWebUrl('http://delta.example/enroll?x=1')).toBe('http://delta.example/enroll?x=1')
  expect(toWebUrl(' www.delta.example ')).toBe('https://www.delta.example')
  expect(toWebUrl('delta.example:8080/a')).toBe('https://delta.example:8080/a')
})

test('what is no web address leads nowhere', () => {
  const texts = ['javascript:alert(1)', 'none', 'see the brand', 'http://', 'data:text/html,x', '//delta.example']
  expect(texts.filter((text) => toWebUrl(text) !== null)).toEqual([])
})

test('an address is shown without scheme, www and last slash', () => {
  expect(formatWebUrl('https://www.delta.example/')).toBe('delta.example')
  expect(formatWebUrl('delta.example/enroll')).toBe('delta.example/enroll')
})
