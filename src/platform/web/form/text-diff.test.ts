import { expect, test } from 'vitest'

import { diffTexts } from './text-diff.ts'

test('the digits of a number that differ are its own', () => {
  expect(diffTexts('209-555-0142', '209-555-0181')).toEqual({ before: '209-555-01', own: '42', after: '' })
})

test('of a sentence whole words are', () => {
  const { before, own, after } = diffTexts('Ring at the blue door. Thanks.', 'Ring at the black door. Thanks.')
  expect([before, own, after]).toEqual(['Ring at the ', 'blue ', 'door. Thanks.'])
})

test('equal texts have no differences', () => {
  expect(diffTexts('Lodi', 'Lodi').own).toBe('')
})
