import { describe, expect, test } from 'vitest'

import { ProposalDecision, type ProposedField } from '../contract.ts'
import {
  acceptAll,
  acceptField,
  buildDecision,
  canAcceptInList,
  canEditValue,
  chooseOne,
  formatOutcomes,
  getRivalKey,
  type Choices,
  keepChoices,
  listFields,
  summarizeChoices,
} from './decision.ts'

const field = (path: string, overrides: Partial<ProposedField> = {}): ProposedField => ({
  path,
  label: path,
  before: 'a',
  suggested: 'b',
  present: 'a',
  beforeName: null,
  suggestedName: null,
  presentName: null,
  state: 'open',
  value: null,
  word: null,
  decidedBy: null,
  decidedAt: null,
  changed: null,
  problem: null,
  rivals: [],
  ...overrides,
})
const RIVAL = { _id: 'r', sender: 'Ingrid', createdAt: '2026-11-19T12:00:00.000Z', suggested: 'c', suggestedName: null }
const plain = field('plain')
const contested = field('contested', { rivals: [RIVAL] })
const moved = field('moved', { present: 'x' })
const gone = field('gone', { problem: 'This charter no longer exists' })
const decided = field('decided', { state: 'declined', word: 'No' })
const all = [plain, contested, moved, gone, decided]

describe('accept all', () => {
  test('leaves out fields that need attention, and keeps earlier choices', () => {
    expect(acceptAll(all, {})).toEqual({ plain: acceptField(plain) })
    const choices: Choices = { plain: { kind: 'decline', reason: 'No' } }
    expect(acceptAll(all, choices)).toEqual(choices)
    expect(summarizeChoices(all, acceptAll(all, {})).left).toEqual([contested, moved, gone])
  })
})

describe('choices after a refresh', () => {
  test.each<[title: string, now: ProposedField, choice: Choices[string], isKept: boolean]>([
    ['an accepted value that is unchanged', plain, acceptField(plain), true],
    ['an accepted value whose current value changed', field('plain', { present: 'x' }), acceptField(plain), false],
    ['an accepted value that its sender changed', field('plain', { suggested: 'z' }), acceptField(plain), false],
    ['a typed value whose current value changed', field('plain', { present: 'x' }), { kind: 'edit', value: 'y' }, true],
    ['a reason', field('plain', { suggested: 'z' }), { kind: 'decline', reason: 'No' }, true],
    ['a choice for a decided field', field('plain', { state: 'accepted' }), { kind: 'edit', value: 'y' }, false],
    ['another suggestion that was withdrawn', plain, { kind: 'other', _id: 'r' }, false],
  ])('%s', (_title, now, choice, isKept) => {
    expect(Object.keys(keepChoices([now], { plain: choice }))).toEqual(isKept ? ['plain'] : [])
  })
})

test('a decision sends every choice, and the values that were seen', () => {
  const choices: Choices = {
    plain: acceptField(plain),
    contested: { kind: 'other', _id: 'r' },
    moved: { kind: 'edit', value: 'y' },
    gone: { kind: 'decline', reason: ' Closed ' },
  }
  const decision = buildDecision(all, choices)
  expect(ProposalDecision.parse(decision)).toEqual({
    accept: { plain: true, contested: { suggestion: 'r' }, moved: { value: 'y' } },
    decline: { gone: 'Closed' },
    declineOthers: {},
    note: null,
    seen: { plain: 'a', contested: 'a', moved: 'x' },
  })
})

test('a competing suggestion is declined along with the choice for the field, or accepted, never both', () => {
  const key = getRivalKey('contested', 'r')
  const declined = chooseOne({ contested: { kind: 'other', _id: 'r' } }, key, { kind: 'decline', reason: ' No ' })
  expect(declined).toEqual({ [key]: { kind: 'decline', reason: ' No ' } })
  expect(chooseOne(declined, 'contested', { kind: 'other', _id: 'r' })).toEqual({ contested: { kind: 'other', _id: 'r' } })
  const both = chooseOne(declined, 'contested', acceptField(contested))
  expect(buildDecision(all, both)).toMatchObject({ accept: { contested: true }, decline: {}, declineOthers: { r: { contested: 'No' } } })
  expect(summarizeChoices(all, both)).toMatchObject({ accepted: 1, declined: 1 })
  expect(keepChoices(all, both)).toEqual(both)
  expect(keepChoices([field('contested')], declined)).toEqual({})
})

test('only a single plain field is accepted from the list', () => {
  const picture = field('photo', { suggestedName: 'Picture' })
  const person = field('people.a.b', { before: null, present: null, suggested: true })
  expect([[plain], [plain, field('b')], [contested], [moved], [gone], [decided], [picture], [person], []].map(canAcceptInList)).toEqual([
    true,
    ...Array.from({ length: 8 }, () => false),
  ])
})

test('a picture, the holders of a role and a new row cannot be edited as text', () => {
  const row = field('center_district.new', { suggested: { center_name: 'Lodi' } })
  const picture = field('photo', { suggestedName: 'Picture' })
  const role = field('people.a.b', { suggested: true })
  expect([plain, field('center_district.x.county'), row, picture, role].map(canEditValue)).toEqual([true, true, false, false, false])
})

test('two fields are named and further ones counted', () => {
  const labels = ['Phone', 'City', 'Fax', 'Zip'].map((label) => ({ label }))
  expect([1, 2, 3, 4].map((count) => listFields(labels.slice(0, count)))).toEqual([
    'Phone',
    'Phone and City',
    'Phone, City and 1 more field',
    'Phone, City and 2 more fields',
  ])
})

test('shows the outcome for each field after a decision', () => {
  const named = (label: string, state: ProposedField['state']) => ({ label, state })
  expect(formatOutcomes([named('City', 'accepted'), named('ZIP code', 'declined'), named('Phone', 'open')])).toBe(
    'City accepted, ZIP code declined, Phone waiting',
  )
  expect(formatOutcomes([named('Phone', 'open'), named('City', 'open')])).toBeNull()
})
