import { expect, test } from 'vitest'

import { buildFormFields } from '../../../../platform/web/form/defined-fields.ts'
import { ADDRESS_FIELDS } from '../../../../records/sites/fields.ts'
import { createItem, findCommonErrors, findFieldChoices, listFieldChoices, toChanges } from './bulk-fields.ts'

const groups = [{ title: 'Site', fields: buildFormFields(ADDRESS_FIELDS, {}) }]
const choices = listFieldChoices(groups)
const find = (typed: string) => findFieldChoices(choices, typed).map(({ label }) => label)

test('fields that belong together are offered as one, before the first of them', () => {
  const labels = choices.map(({ label }) => label)
  expect(labels.slice(labels.indexOf('Hours'), labels.indexOf('Hours') + 5)).toEqual([
    'Hours',
    'Start day',
    'End day',
    'Start time',
    'End time',
  ])
  expect(choices.find(({ label }) => label === 'Hours')?.paths).toEqual(['start_day', 'end_day', 'start_time', 'end_time'])
})

test.each([
  ['hours', 'Hours'],
  ['Closing time', 'End time'],
  ['zip', 'ZIP code'],
  ['zip code', 'ZIP code'],
  ['start time', 'Start time'],
  ['city', 'City'],
])('%j finds %s first', (typed, label) => {
  expect(find(typed)[0]).toBe(label)
})

test('an unknown word finds nothing', () => {
  expect(find('astronaut')).toEqual([])
})

test('only what was entered changes, and an entered value takes precedence over one that follows from another', () => {
  const fields = { region: { kind: 'line', label: 'Region' }, tags: { kind: 'own', label: 'Tags' } } as never
  const [region, state, tags] = ['region', 'address.state', 'tags'].map((path, key) => ({
    ...createItem(key, { value: path, label: path, group: '', paths: [path], synonyms: [] }, fields),
    values: { [path]: { region: 'ohio', 'address.state': 'MI', tags: ['x'] }[path] ?? '' },
  }))
  const derive = (path: string) => (path === 'region' ? { 'address.state': 'OH' } : {}) as Record<string, string>
  const isList = (path: string) => path === 'tags'
  expect(toChanges([createItem(0, null, fields)], isList, derive)).toBeNull()
  expect(toChanges([region!], isList, derive)).toEqual({ region: 'ohio', 'address.state': 'OH' })
  expect(toChanges([region!, state!, tags!], isList, derive)).toEqual({ region: 'ohio', 'address.state': 'MI', tags: { add: ['x'] } })
})

test('only errors that all records have are shown at the field', () => {
  const row = (errors: { path: string; message: string }[]) => ({ state: 'error', errors }) as never
  const wrong = { path: 'zip', message: 'Enter exactly five digits' }
  const rows = [row([wrong, { path: 'city', message: 'x' }]), row([wrong])]
  expect(findCommonErrors({ rows } as never)).toEqual({ zip: 'Enter exactly five digits' })
})
