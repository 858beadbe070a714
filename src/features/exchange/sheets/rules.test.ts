import { expect, test } from 'vitest'

import { BRAND_LIST } from '../../records/brands/list.ts'
import { CHARTER_LIST } from '../../records/charters/list.ts'
import { STAFF_LIST } from '../../records/people/list.ts'
import { SITE_LIST } from '../../records/sites/list.ts'
import { FIELDS_OF_LIST_COLUMNS } from './rules.ts'

test('every column of a list says which fields it shows', () => {
  const lists = { site: SITE_LIST, person: STAFF_LIST, charter: CHARTER_LIST, brand: BRAND_LIST }
  for (const [name, { columns }] of Object.entries(lists))
    expect(Object.keys(FIELDS_OF_LIST_COLUMNS[name as keyof typeof lists]), name).toEqual(columns.map(({ key }) => key))
})
