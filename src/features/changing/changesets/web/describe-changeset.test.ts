import { expect, test } from 'vitest'

import type { Changeset } from '../contract.ts'
import { listChangedRecords } from './describe-changeset.ts'

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
