import { expect, test } from 'vitest'

import { buildSampleRows, indexRows } from '../../../../../test/support/sample-rows.ts'
import { SEARCH_EXPECTATIONS } from '../../../../../test/support/search-expectations.ts'
import { NAME_COLUMNS, RECORD_KINDS } from '../../../../contract/records.ts'
import { SearchEngine } from './search-engine.ts'

const rows = buildSampleRows(300)
const engine = indexRows(new SearchEngine(), rows)
const names = new Map(
  RECORD_KINDS.flatMap((kind) =>
    rows[kind].map((row): [string, string] => [row._id, String((row as Readonly<Record<string, unknown>>)[NAME_COLUMNS[kind]])]),
  ),
)
const allNames = new Set(names.values())

/** Names of the hits, the best group first. */
const find = (typed: string): (string | undefined)[] =>
  engine
    .search(typed, { maxPerKind: 5 })
    .groups.toSorted((a, b) => (b.hits[0]?.score ?? 0) - (a.hits[0]?.score ?? 0))
    .flatMap(({ hits }) => hits.map(({ _id }) => names.get(_id)))

const recordExpectations = SEARCH_EXPECTATIONS.map(
  ([typed, expected]) => [typed, expected === null ? null : [expected].flat()] as const,
).filter(([, expected]) => expected === null || expected.some((name) => allNames.has(name)))

test.each(recordExpectations)('%s has the expected first hit', (typed, expected) => {
  const hits = find(typed)
  const isExpected = expected === null ? hits.length === 0 : expected.includes(hits[0] ?? '')
  expect(isExpected, hits.join(', ')).toBe(true)
})

test('the result is the same whatever the order in which records were added', () => {
  const small = buildSampleRows(20)
  const [forward, backward] = [indexRows(new SearchEngine(), small), new SearchEngine()]
  for (const table of ['site_person', 'person', 'facility', 'site', 'charter', 'brand', 'role', 'region'] as const)
    for (const after of small[table].toReversed()) backward.change({ table, before: undefined, after })
  for (const [typed] of SEARCH_EXPECTATIONS)
    expect(backward.search(typed, { maxPerKind: 50 }), typed).toEqual(forward.search(typed, { maxPerKind: 50 }))
})
