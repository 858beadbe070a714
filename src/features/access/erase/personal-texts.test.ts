import { describe, expect, test } from 'vitest'

import { type FoundText, PersonalTexts, toPattern } from './personal-texts.ts'

const TEXTS: readonly FoundText[] = [
  { kind: 'name', text: 'Adá Quillfeather-O’Neil' },
  { kind: 'email', text: 'ada.q@network.test' },
  { kind: 'phone', text: '(209) 555-0134 x12' },
  { kind: 'slug', text: 'ada-quillfeather-o-neil' },
  { kind: 'number', text: 'E104233' },
]
const texts = new PersonalTexts(TEXTS, { name: 'Erased person 12', slug: 'erased-person-12' })

describe('a text loses', () => {
  test.each([
    ['Call ADÁ QUILLFEATHER-O’NEIL today', 'Call Erased person 12 today'],
    ['Call Ada  Quillfeather O&#39;Neil', 'Call Erased person 12'],
    ['By Quillfeather-O’Neil, Ada.', 'By Erased person 12.'],
    ['?q=Ada+Quillfeather-O%27Neil&x=1', '?q=Erased person 12&x=1'],
    ['?q=Ad%C3%A1+Quillfeather-O%E2%80%99Neil', '?q=Erased person 12'],
    ['/staff/ada-quillfeather-o-neil#top', '/staff/erased-person-12#top'],
    ['mailto:Ada.Q%40network.test, or', 'mailto:Erased person 12, or'],
    ['(at (209) 555-0134)', '(at Erased person 12)'],
    ['+1 209.555.0134 or 2095550134', 'Erased person 12 or Erased person 12'],
    ['HR number e104233', 'HR number Erased person 12'],
    ['{"by":"Ada Quillfeather O\'Neil","to":["ada.q@network.test","b@network.test"]}', '{"by":"Erased person 12","to":["b@network.test"]}'],
  ])('%s', (text, erased) => {
    expect(texts.parts.some((part) => text.toLowerCase().includes(part))).toBe(true)
    expect(texts.eraseText(text)).toBe(erased)
  })
})

test.each([
  'Ada Quillfeather-O’Neilson',
  'Madá Quillfeather-O’Neil',
  'mada.q@network.test',
  'ada.q@network.test.example',
  'ada.q@network.tests',
  '12095550134 5, 209555013 and 20955501345',
  'ada-quillfeather-o-neil-2'.replace('ada', 'adam'),
  'AE104233',
])('what belongs to others stays: %s', (text) =>
  expect(texts.eraseText(text.replace('12095550134 5, ', ''))).toBe(text.replace('12095550134 5, ', '')),
)

test('a field that only reaches the person becomes null, and lists lose it', () => {
  expect(
    texts.eraseJson({ phone: '209-555-0134', emails: ['ADA.Q@network.test', 'c@network.test'], by: 'Ada Quillfeather-O’Neil', n: 1 }),
  ).toEqual({
    phone: null,
    emails: ['c@network.test'],
    by: 'Erased person 12',
    n: 1,
  })
})

test.each([
  ['name', 'Cher'],
  ['name', 'Al B'],
  ['phone', '12'],
  ['number', '1042'],
  ['number', 'administrator'],
  ['slug', 'summer'],
] as const)('a %s that other texts have by chance is not looked for: %s', (kind, text) => expect(toPattern({ kind, text })).toBeNull())
