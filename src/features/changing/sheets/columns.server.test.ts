import { expect, test } from 'vitest'

import { recordKinds } from '../../../app/kinds.server.ts'
import type { EditableListColumn } from '../../../contract/lists.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../../../records/brands/list.ts'
import { CHARTER_LIST } from '../../../records/charters/list.ts'
import { STAFF_LIST } from '../../../records/people/list.ts'
import { SITE_LIST } from '../../../records/sites/list.ts'
import { getSheet } from './columns.server.ts'

const LISTS = { sites: SITE_LIST, people: STAFF_LIST, charters: CHARTER_LIST, brands: BRAND_LIST }
const TIME_ZONE = 'America/Los_Angeles'

const listPaths = (sheet: keyof typeof LISTS) =>
  getSheet({ kinds: recordKinds }, sheet)
    .columns({} as never)
    .map(({ path }) => path)

/** The paths of a record that a column's text reads. */
const findReadPaths = ({ text }: Pick<EditableListColumn<never>, 'text'>): string[] => {
  const paths: string[] = []
  const watch = (path: string): unknown =>
    new Proxy(() => undefined, {
      get: (_target, name) => {
        if (typeof name === 'symbol') return undefined
        const inner = path === '' ? name : `${path}.${name}`
        paths.push(inner)
        return watch(inner)
      },
      apply: () => '',
    })
  try {
    text(watch('') as never, TIME_ZONE)
  } catch {
    // Formatting fails because no value is a text, but the paths have already been recorded.
  }
  return paths
}

for (const [name, { columns }] of Object.entries(LISTS)) {
  const sheet = name as keyof typeof LISTS
  test(`a column of the list of ${sheet} names every form field that it shows`, () => {
    const editable = new Set(listPaths(sheet))
    for (const column of columns) {
      expect(
        column.fields.filter((path) => !editable.has(path)),
        `${column.key}: fields that the form does not have`,
      ).toEqual([])
      const shown = [...new Set(findReadPaths(column))].filter((path) => editable.has(path))
      expect([...column.fields], `${column.key}: fields that its text reads`).toEqual(expect.arrayContaining(shown))
    }
  })
}

test('the list of a brand’s charters has the columns of the list of all charters', () => {
  expect(CHARTER_LIST.columns.map(({ key }) => key)).toEqual(expect.arrayContaining(BRAND_CHARTERS_LIST.columns.map(({ key }) => key)))
})
