import { expect, test } from 'vitest'

import type { Contradiction } from '../contract.ts'
import { getContradictionKind, isOfTwoDates, isSameField } from './contradictions.ts'

const contradiction = (
  kind: Contradiction['kind'],
  fields: readonly (readonly [section: string | null, field: string])[],
  isOfSite = false,
) =>
  ({
    kind,
    charter: isOfSite ? null : { _id: 'c', slug: 'c', name: 'Charter' },
    site: isOfSite ? { _id: 's', slug: 's', name: 'Site' } : null,
    values: fields.map(([section, field]) => ({ section, field })),
  }) as unknown as Contradiction

test.for([
  [
    'sections disagree',
    [
      ['overview', 'funding_expiration'],
      ['funding', 'funding_expiration'],
    ],
    false,
    'funding',
  ],
  [
    'petition after expiration',
    [
      ['overview', 'petition_submission_due_date'],
      ['overview', 'charter_expiration_date'],
    ],
    false,
    'petition',
  ],
  ['board term over', [['authorizer_board_member', 'board_term']], false, 'board_meeting'],
  ['lease over', [[null, 'lease_end']], true, 'lease'],
] as const)('%s has the icon of its first date', ([kind, fields, isOfSite, sign]) => {
  expect(getContradictionKind(contradiction(kind, fields, isOfSite))).toBe(sign)
})

test('one of two values can be chosen only if two sections have the same field', () => {
  const both = [
    ['overview', 'fy_audit'],
    ['funding', 'fy_audit'],
  ] as const
  expect(isSameField(contradiction('sections disagree', both))).toBe(true)
  expect(isSameField(contradiction('expired but active', both))).toBe(false)
})

test.each([
  ['sections disagree', true],
  ['petition after expiration', true],
  ['expired but active', false],
  ['board term over', false],
  ['lease over', false],
] as const)('%s is about two dates that disagree: %s', (kind, isTwo) => {
  expect(isOfTwoDates({ kind })).toBe(isTwo)
})
