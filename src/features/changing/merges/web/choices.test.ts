import { expect, test } from 'vitest'

import type { MergedField } from '../contract.ts'
import { chooseAll, formatMoves, getTogether, toValues } from './choices.ts'

const field = (values: Partial<MergedField>): MergedField => ({
  path: 'email',
  label: 'Email',
  keep: 'a',
  keepName: null,
  merge: 'b',
  mergeName: null,
  isSame: false,
  united: null,
  unitedName: null,
  newer: 'merge',
  fuller: null,
  suggested: 'keep',
  ...values,
})

test('a field has the suggested value, the chosen one, or what was typed; a list has both', () => {
  expect(getTogether(field({}), {}).value).toBe('a')
  expect(getTogether(field({ suggested: 'merge' }), {}).value).toBe('b')
  expect(getTogether(field({}), { email: 'merge' }).value).toBe('b')
  expect(getTogether(field({}), { email: { typed: 'c' } }).value).toBe('c')
  const list = field({ keep: ['a'], merge: ['b'], united: ['a', 'b'] })
  expect(getTogether(list, {}).value).toEqual(['a', 'b'])
})

test('only values that differ from the suggested ones are sent', () => {
  const fields = [field({}), field({ path: 'phone', suggested: 'merge' }), field({ path: 'fax' })]
  expect(toValues(fields, { email: 'merge', phone: 'merge', fax: { typed: null } })).toEqual({ email: 'b', fax: null })
})

test('all newer or fuller values are chosen together, and what moves is counted in words', () => {
  const fields = [field({ fuller: 'keep' }), field({ path: 'list', united: [] }), field({ path: 'fax', newer: null })]
  expect(chooseAll({ fields } as never, 'newer')).toEqual({ email: 'merge' })
  expect(chooseAll({ fields } as never, 'fuller')).toEqual({ email: 'keep' })
  expect(
    formatMoves([
      { noun: ['role', 'roles'], count: 1 },
      { noun: ['favorite', 'favorites'], count: 1200 },
    ]),
  ).toBe('1 role, 1,200 favorites')
})
