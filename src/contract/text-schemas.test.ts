import { expect, test } from 'vitest'

import { optionalUrl, requiredUrl } from './text-schemas.ts'

test('a web address that would run a script is refused, however it is written', () => {
  const texts = [
    'javascript:alert(1)',
    'JaVaScript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript\r:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
  ]
  expect(texts.filter((text) => requiredUrl().safeParse(text).success)).toEqual([])
  expect(texts.filter((text) => optionalUrl(2000).safeParse(text).success)).toEqual([])
})

test('every other web address is accepted unchanged', () => {
  for (const text of ['https://school.example', 'school.example/javascript:x', 'see the brand']) {
    expect(requiredUrl().parse(text)).toBe(text)
    expect(optionalUrl(2000).parse(text)).toBe(text)
  }
  expect([optionalUrl(2000).parse(''), optionalUrl(2000).parse(null)]).toEqual([null, null])
  expect(optionalUrl(10).safeParse('https://school.example').error?.issues[0]?.message).toBe('Use at most 10 characters')
})
