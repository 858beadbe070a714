import { expect, test } from 'vitest'

import { getFirstName } from './user.ts'

test.each([
  ['Dana Whitlock', 'Dana'],
  ['Whitlock, Dana', 'Dana'],
  ['Whitlock, Dana Marie', 'Dana'],
  ['  Renée   Okafor ', 'Renée'],
  ['Dana', 'Dana'],
  ['Whitlock,', 'Whitlock'],
])('%s is greeted as %s', (name, first) => expect(getFirstName(name)).toBe(first))
