import { expect, test } from 'vitest'

import { buildPagePath } from './pages.ts'
import { getRecordFormPath, getRecordPath } from './records.ts'

test.each([
  [{ kind: 'site', slug: 'lodi' } as const, '/location/lodi', '/location/lodi'],
  [{ kind: 'person', slug: 'a b/c$' } as const, '/staff/a%20b%2Fc%24', '/staff/a%20b%2Fc%24'],
  [{ kind: 'charter', slug: 'west' } as const, '/charter/west', '/charterview/west'],
  [{ kind: 'brand', slug: 'west', _id: '5f' } as const, '/brand/5f', '/brandview/5f'],
  [{ kind: 'region', slug: 'ohio' } as const, '/region/ohio', '/region/ohio'],
  [{ kind: 'charter_affair', slug: 'west' } as const, '/charter_affair/west', '/charter_affair/west'],
])('the page of %j is %s, and its form is on %s', (record, page, form) => {
  expect([getRecordPath(record), getRecordFormPath(record)]).toEqual([page, form])
})

test('a page with more after its parameter keeps it', () => {
  expect(buildPagePath('/location/$slug/sis', 'lodi')).toBe('/location/lodi/sis')
})
