import { expect, test } from 'vitest'

import { describeUndone } from '../../../finding/activity/rules.ts'
import type { Changeset } from '../contract.ts'
import { countByKind, countChanges, listChangedRecords } from './describe-changeset.ts'

const change = (record: string): Changeset['changes'][number] => ({
  _id: `change of ${record}`,
  action: 'update',
  table: 'site',
  record,
  title: null,
  fields: [],
})
const record = (_id: string, name: string) => ({ _id, kind: 'site', slug: _id, name })
const changeset: Changeset = {
  _id: 'changeset',
  kind: 'bulk',
  recordKind: 'site',
  title: 'City',
  by: 'Dana Whitlock',
  at: '2026-11-20T12:00:00.000Z',
  undoes: null,
  undoneBy: null,
  records: [record('1', 'Lodi'), record('2', 'Acampo')],
  changes: [change('1'), change('2')],
}
const listNames = (kind: Changeset['kind']) => listChangedRecords({}, { ...changeset, kind }, 'America/Los_Angeles').map(({ name }) => name)

test('records changed together are sorted by name, those of a sheet by row', () => {
  expect([listNames('bulk'), listNames('sheet')]).toEqual([
    ['Acampo', 'Lodi'],
    ['Lodi', 'Acampo'],
  ])
})

test('an undo says in words what it removed and restored; records that were added or removed are one line each', () => {
  const of = (action: 'insert' | 'update' | 'delete', ...tables: string[]) => {
    const changes = ['1', '2'].flatMap((one) => tables.map((table) => ({ ...change(one), _id: `${table} ${one}`, action, table })))
    return listChangedRecords({}, { ...changeset, changes }, 'America/Los_Angeles')
  }
  const sentences = (['insert', 'delete', 'update'] as const).map((action) =>
    describeUndone(countByKind(of(action, 'site', 'facility')), 0),
  )
  expect(sentences).toEqual([
    '2 sites that were added are removed.',
    '2 sites that were removed are restored.',
    'The earlier values are back.',
  ])
  expect(describeUndone([{ kind: 'person', action: 'insert', records: 1 }], 0)).toBe('1 person that was added is removed.')
  expect(describeUndone(countByKind(of('insert', 'site')), 1)).toBe('What was added is removed or closed.')
  expect(countChanges(of('delete', 'site', 'facility'))).toMatchObject({ cells: 0, removed: 2, created: 0, total: 2 })
})
