import { expect, test } from 'vitest'

import { isInPart, limitToPart, replaceParts, rebaseParts } from './record-parts.ts'

const seen = {
  values: { notes: 'a', 'row.1.name': 'Ann', 'row.2.name': 'Bob', 'row.20.name': 'Cem' },
  version: 3,
  parts: { 'row.1': 1, 'row.2': 5, 'row.20': 2 },
}
const now = {
  values: { notes: 'b', 'row.1.name': 'Anna', 'row.20.name': 'Cem', 'row.3.name': 'Dee' },
  version: 4,
  parts: { 'row.1': 2, 'row.20': 3, 'row.3': 1 },
  updatedBy: 'Bob',
  updatedAt: '2026-11-20T00:00:00Z',
}

test('a path belongs to a part only if the whole name matches', () => {
  expect(isInPart('row.2', 'row.2.name')).toBe(true)
  expect(isInPart('row.2', 'row.2')).toBe(true)
  expect(isInPart('row.2', 'row.20.name')).toBe(false)
})

test('named parts get their current values, in place, removed or added; all others stay unchanged', () => {
  expect(Object.entries(replaceParts(seen.values, now.values, ['row.1', 'row.2', 'row.3']))).toEqual([
    ['notes', 'a'],
    ['row.1.name', 'Anna'],
    ['row.20.name', 'Cem'],
    ['row.3.name', 'Dee'],
  ])
})

test('a single part that someone else saved is updated with its version; the others stay', () => {
  expect(limitToPart('row.1', now, seen)).toMatchObject({
    values: { ...seen.values, 'row.1.name': 'Anna' },
    version: 3,
    parts: { ...seen.parts, 'row.1': 2 },
    updatedBy: 'Bob',
  })
})

test('saved parts are updated; the version of the record only if nothing outside the parts has changed', () => {
  expect(rebaseParts(seen, now, ['row.1'])).toMatchObject({
    values: { notes: 'a', 'row.1.name': 'Anna' },
    version: 3,
    parts: { 'row.1': 2, 'row.20': 2 },
  })
  expect(rebaseParts(seen, now, ['notes'])).toMatchObject({ values: { notes: 'b', 'row.1.name': 'Ann' }, version: 4 })
  expect(rebaseParts(seen, { ...now, values: {}, parts: {}, version: null }, ['row.2'])).toMatchObject({ version: 3 })
})
