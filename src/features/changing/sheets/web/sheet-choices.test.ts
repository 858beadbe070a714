import { expect, test } from 'vitest'

import type { SheetCell, SheetWarning } from '../contract.ts'
import {
  buildChoices,
  type Chosen,
  groupErrors,
  type JudgeCell,
  NOTHING_CHOSEN,
  sortFindings,
  summarize,
  formatSummary,
} from './sheet-choices.ts'

const cell = (address: string, more: Partial<SheetCell> = {}): SheetCell => ({
  row: Number(/\d+/.exec(address)?.[0]),
  cell: address,
  record: `record ${address}`,
  name: 'Lodi',
  field: 'phone',
  label: 'Phone',
  before: '1',
  after: '2',
  theirs: null,
  theirsBy: null,
  theirsAt: null,
  state: 'change',
  message: null,
  ...more,
})
const warn = (cells: string[], isSuspicious = true): SheetWarning => ({ kind: 'sorted', message: 'Sorted?', cells, isSuspicious })
const judge: JudgeCell = (_cell, value) => (value === 'right' ? undefined : 'Wrong')

const cells = [
  cell('A2'),
  cell('B2'),
  cell('A3', { state: 'error', message: 'Wrong' }),
  cell('A4', { state: 'conflict', theirs: '3' }),
  cell('A5', { state: 'new', record: null }),
  cell('B5', { state: 'error', record: null, message: 'Required' }),
]
const preview = { cells, warnings: [warn(['B2']), warn(['A2'], false)] }
const sum = (chosen: Chosen) => summarize(sortFindings(preview, chosen.used), chosen, judge)

test('errors, suspicious cells and new rows with an error are left out, and conflicts keep the stored value', () => {
  const summary = sum(NOTHING_CHOSEN)
  expect(summary).toMatchObject({ cells: 1, newRows: 0, total: 1, keptTheirs: 1 })
  expect(summary.errors.map((one) => one.cell)).toEqual(['A3', 'B5'])
  expect(buildChoices(preview, NOTHING_CHOSEN, judge)).toEqual({
    choices: { A3: 'leave', A4: 'theirs', A5: 'leave', B5: 'leave' },
    leaveWarnings: [0],
    warningsAccepted: false,
  })
})

test('corrected, chosen and accepted values are sent', () => {
  const chosen: Chosen = { cells: { A2: 'leave', A3: { value: 'right' }, A4: 'mine', B5: { value: 'right' } }, leftRows: [], used: [0] }
  expect(sum(chosen)).toMatchObject({ cells: 3, newRows: 1, total: 4, keptTheirs: 0, errors: [], wrong: [] })
  expect(formatSummary(sum(chosen), ['site', 'sites'])).toBe('3 cells will change, 1 site is new')
  expect(buildChoices(preview, chosen, judge)).toEqual({
    choices: { A2: 'leave', A3: { value: 'right' }, A4: 'mine', B5: { value: 'right' } },
    leaveWarnings: [],
    warningsAccepted: true,
  })
})

test('a value that is still invalid is found before anything is sent', () => {
  const chosen: Chosen = { cells: { A3: { value: 'odd' }, A4: { value: 'odd' } }, leftRows: [5], used: [] }
  expect(sum(chosen).wrong.map((one) => one.cell)).toEqual(['A3', 'A4'])
  expect(sum(chosen)).toMatchObject({ cells: 1, newRows: 0 })
})

test('equal errors of a column are fixed together; other texts, columns and messages are separate', () => {
  const error = (address: string, more: Partial<SheetCell> = {}) => cell(address, { state: 'error', message: 'Wrong', ...more })
  const errors = [
    error('A2'),
    error('B2', { field: 'fax' }),
    error('A3'),
    error('A4', { after: '3' }),
    error('A5', { message: 'Required' }),
    error('A6', { field: '_id' }),
    error('A7', { field: '_id' }),
  ]
  expect(groupErrors(errors).map((cells) => cells.map((one) => one.cell))).toEqual([['A2', 'A3'], ['B2'], ['A4'], ['A5'], ['A6'], ['A7']])
})
