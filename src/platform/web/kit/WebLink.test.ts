import { expect, test } from 'vitest'

import { formatWebUrl, toWebUrl } from './WebLink.tsx'

test('a web address without a scheme gets https', () => {
  expect(toWebUrl('http://delta.example/enroll?x=1')).toBe('http://delta.example/enroll?x=1')
  expect(toWebUrl(' www.delta.example ')).toBe('https://www.delta.example')
  expect(toWebUrl('delta.example:8080/a')).toBe('https://delta.example:8080/a')
})

test('text that is not a web address has no link', () => {
  const texts = ['javascript:alert(1)', 'none', 'see the brand', 'http://', 'data:text/html,x', '//delta.example']
  expect(texts.filter((text) => toWebUrl(text) !== null)).toEqual([])
})

test('a web address is shown without scheme, www and trailing slash', () => {
  expect(formatWebUrl('https://www.delta.example/')).toBe('delta.example')
  expect(formatWebUrl('delta.example/enroll')).toBe('delta.example/enroll')
})
