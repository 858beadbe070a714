import { expect, test } from 'vitest'

import { isObject, sortKeys } from './objects.ts'

test('neither null nor a list is an object', () => {
  expect([{}, { a: 1 }, null, [], 'a', 1, undefined].map(isObject)).toEqual([true, true, false, false, false, false, false])
})

test('objects with the same keys in another order have the same text; lists keep their order', () => {
  expect(JSON.stringify({ b: [{ d: 1, c: 2 }, 1], a: null }, sortKeys)).toBe('{"a":null,"b":[{"c":2,"d":1},1]}')
})
