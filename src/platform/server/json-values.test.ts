import { expect, test } from 'vitest'

import { hasTooManyValues } from './json-values.ts'

test.each([
  ['{"a":1,"b":[1,2]}', 6],
  ['[]', 1],
  ['[{},{},{}]', 6],
  ['"a,b:c[d{e"', 0],
  [String.raw`["a\",[,[", "b\\", 1]`, 3],
  ['"never ends, [ , {', 0],
])('%s has %d structural characters', (json, count) => {
  expect([hasTooManyValues(json, count), count === 0 || !hasTooManyValues(json, count - 1)]).toEqual([false, count === 0])
})
