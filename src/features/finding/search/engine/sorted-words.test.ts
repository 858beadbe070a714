import fc from 'fast-check'
import { expect, test } from 'vitest'

import { SortedWords } from './sorted-words.ts'

/** The number of letters to change, add or remove between two words. */
const countChanges = (a: string, b: string): number => {
  if (a === '' || b === '') return a.length + b.length
  const [left, right] = [a.slice(1), b.slice(1)]
  return a[0] === b[0] ? countChanges(left, right) : 1 + Math.min(countChanges(left, right), countChanges(left, b), countChanges(a, right))
}

const WORD = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uFFFF'), maxLength: 5 })

test('words are found as if each were compared', () => {
  fc.assert(
    fc.property(fc.array(WORD), fc.array(WORD), WORD, fc.constantFrom(1, 2), (added, deleted, typed, most) => {
      const words = new SortedWords(added)
      for (const word of deleted) {
        const id = words.getId(word)
        if (id !== undefined) words.delete(id)
      }
      const left = [...new Set(added)].filter((word) => !deleted.includes(word)).toSorted()
      for (const word of left) expect(words.getWord(words.getId(word) ?? -1)).toBe(word)
      for (const word of deleted) expect(words.getId(word)).toBeUndefined()
      expect(words.findBeginning(typed, 1000)).toEqual(left.filter((word) => word.startsWith(typed)))
      expect(words.findSimilar(typed, most)).toEqual(left.filter((word) => countChanges(word, typed) <= most))
      expect(words.findContaining(typed, 1000).toSorted()).toEqual(left.filter((word) => word !== typed && word.includes(typed)))
    }),
  )
})

test('thousands of words that are added and removed in any order stay sorted', () => {
  const words = new SortedWords()
  const all = Array.from({ length: 5000 }, (_, at) => `word${(at * 1237) % 5000}`)
  const ids = new Map(all.map((word) => [word, words.add(word)]))
  expect(new Set(ids.values()).size).toBe(5000)
  const gone = new Set(all.filter((_, at) => at % 3 !== 0))
  for (const word of gone) words.delete(ids.get(word) ?? -1)
  const left = all.filter((word) => !gone.has(word)).toSorted()
  expect(words.findBeginning('', 9999)).toEqual(left)
  expect(words.findBeginning('word49', 3)).toEqual(left.filter((word) => word.startsWith('word49')).slice(0, 3))
  expect(words.add('word4999x')).toBeLessThan(5000)
})
