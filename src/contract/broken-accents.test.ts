import { expect, test } from 'vitest'

import { hasBrokenAccents, losesAccents } from './broken-accents.ts'

const decode = (text: string, encoding: string): string => new TextDecoder(encoding).decode(new TextEncoder().encode(text))

test.each(['Adriana Müller', 'O’Rourke', 'Petrović', 'Yıldız', 'Núñez – Peña', 'École “Été”', 'São João', '東京', 'Lê Văn 👩‍🏫'])(
  '%j read in a wrong encoding is recognized, with and without its earlier text',
  (text) => {
    for (const encoding of ['windows-1252', 'macintosh']) {
      expect(losesAccents(text, decode(text, encoding))).toBe(true)
      expect(hasBrokenAccents(decode(text, encoding))).toBe(true)
    }
    expect(losesAccents(text, text.replaceAll(/[^\0-\x7F]/gu, '?'))).toBe(true)
    expect(losesAccents(text, text.replaceAll(/[^\0-\x7F]/gu, '\uFFFD'))).toBe(true)
    expect(hasBrokenAccents(text)).toBe(false)
    expect(losesAccents(text, text)).toBe(false)
  },
)

test.each([
  ['Petrović', 'Petrovi?'],
  ['Müller', 'MŸller'],
  ['Müller', 'M³ller'],
  ['Müller', 'Mller'],
  ['Peña', 'Pe¤a'],
  ['Mu\u0308ller', 'Mu?ller'],
])('%j that became %j has lost its accents', (before, after) => {
  expect(losesAccents(before, after)).toBe(true)
})

test.each([
  ['Müller', 'Mueller'],
  ['Müller', 'Muller'],
  ['Peña', 'Pena-Smith'],
  ['O’Rourke', "O'Rourke"],
  ['Zoe', 'Zoë'],
  ['Jose', 'José'],
  ['Rene', 'René?'],
  ['é', 'è'],
  ['10:00AM – 2:00PM', '10:00AM - 2:00PM'],
  ['Müller', 'Smith'],
])('%j that became %j is an edit', (before, after) => {
  expect(losesAccents(before, after)).toBe(false)
})

test.each([
  'CAFÉ',
  '“CAFÉ”',
  'SÃO PAULO',
  'Who? Me',
  'Is it open? yes',
  'ÅNGSTRÖM',
  '√9',
  '1 ¼',
  'niño',
  'https://a.test/page?id=1',
  'a.test?q=b',
])('%j is not broken', (text) => {
  expect(hasBrokenAccents(text)).toBe(false)
})

test.each(['Y?ld?z', 'M√ºller', 'M├╝ller', 'MÃ¼ller', 'Oâ€™Rourke', 'M\uFFFDller'])('%j is broken', (text) => {
  expect(hasBrokenAccents(text)).toBe(true)
})
