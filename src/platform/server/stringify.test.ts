import fc from 'fast-check'
import { expect, test } from 'vitest'

import { stringify, toJsonChunks } from './stringify.ts'

test.each([
  ['a long list', Array.from({ length: 1001 }, (_, at) => ({ at, text: `“${at}”`, none: undefined }))],
  ['a list of empty and other values', Array.from({ length: 401 }, (_, at) => [undefined, null, at, 'text', new Date(at)][at % 5])],
  [
    'an object with long lists',
    { name: 'a "name"', none: undefined, at: new Date(0), first: Array(999).fill('x'), second: Array.from({ length: 201 }, () => ({})) },
  ],
  ['a short list that contains a long one', [Array(300).fill('x'), { list: Array(300).fill(1) }]],
  ['an object with a field named __proto__', { ['__proto__']: 1, list: Array(300).fill(1) }],
  ['null', null],
  ['a string', 'text'],
])('%s is written as JSON.stringify writes it', async (_what, value) => {
  expect(await stringify(value)).toBe(JSON.stringify(value))
})

test('any value is written as JSON.stringify writes it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ list: fc.array(fc.jsonValue(), { minLength: 21, maxLength: 70, size: 'max' }), other: fc.jsonValue() }),
      async (value) => {
        expect(await stringify(value)).toBe(JSON.stringify(value))
      },
    ),
    { numRuns: 20 },
  )
})

test('a record of many texts is written in small pieces', async () => {
  const sections = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`section${at}`, { first: 'é'.repeat(20_000), second: 'x'.repeat(20_000) }]),
  )
  const pieces = await Array.fromAsync(toJsonChunks(sections))
  expect(pieces.join('')).toBe(JSON.stringify(sections))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
})

test('items with long texts are written in small pieces, wherever their list is', async () => {
  const districts = Array.from({ length: 50 }, () => ({ notes: 'é'.repeat(20_000), name: 'Lodi' }))
  const charter = { name: 'Voss', affairs: [{ overview: { notes: 'x' }, districts }] }
  const pieces = await Array.fromAsync(toJsonChunks(charter))
  expect(pieces.join('')).toBe(JSON.stringify(charter))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
})
