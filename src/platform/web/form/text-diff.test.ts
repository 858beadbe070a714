import { expect, test } from 'vitest'

import { diffTexts } from './text-diff.ts'

test('numbers are compared by digits', () => {
  expect(diffTexts('209-555-0142', '209-555-0181')).toEqual({ before: '209-555-01', own: '42', after: '' })
})

test('a time is marked as a whole', () => {
  expect(diffTexts('9:30AM', '9:00AM')).toEqual({ before: '', own: '9:30AM', after: '' })
})

test('sentences are compared by words', () => {
  const { before, own, after } = diffTexts('Ring at the blue door. Thanks.', 'Ring at the black door. Thanks.')
  expect([before, own, after]).toEqual(['Ring at the ', 'blue ', 'door. Thanks.'])
})

test('equal texts have no differences', () => {
  expect(diffTexts('Lodi', 'Lodi').own).toBe('')
})
