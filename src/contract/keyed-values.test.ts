import fc from 'fast-check'
import { expect, test } from 'vitest'

import { KeyedValues } from './keyed-values.ts'

interface Item {
  readonly key: string
  readonly number: number
}

test('it has the entries of a Map in the same order', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'ab', 'ba', ''), fc.string(), fc.uuid())
  const changes = fc.array(fc.record({ key, isDeleted: fc.boolean() }), { maxLength: 300 })
  fc.assert(
    fc.property(changes, (all) => {
      const values = new KeyedValues<Item>((item) => item.key)
      const map = new Map<string, Item>()
      for (const [number, { key, isDeleted }] of all.entries()) {
        if (isDeleted) {
          values.delete(key)
          map.delete(key)
        } else {
          values.set({ key, number })
          map.set(key, { key, number })
        }
        expect(values.get(key)).toEqual(map.get(key))
      }
      expect(values.size).toBe(map.size)
      expect([...values]).toEqual([...map.values()])
      for (const { key } of all) expect(values.get(key)).toEqual(map.get(key))
    }),
  )
})

test('many values are added and removed', () => {
  const values = new KeyedValues<Item>((item) => item.key)
  for (let number = 0; number < 20_000; number++) {
    values.set({ key: `bench-${number}`, number })
    if (number >= 100) values.delete(`bench-${number - 100}`)
  }
  expect(values.size).toBe(100)
  expect([...values].map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => 19_900 + at))
  expect(values.get('bench-19899')).toBeUndefined()
})
