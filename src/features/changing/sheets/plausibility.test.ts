import { describe, expect, test } from 'vitest'

import type { EditableColumn } from '../../../platform/server/sheet-definition.ts'
import type { FoundRow } from './found-rows.server.ts'
import { findWarnings } from './plausibility.server.ts'

const COLUMNS: readonly EditableColumn[] = [
  { path: 'name', label: 'Name', type: 'text' },
  { path: 'phone', label: 'Phone', type: 'text' },
  { path: 'status', label: 'Status', type: 'text', choices: ['ACTIVE', 'PENDING'] },
  { path: 'emails', label: 'Emails', type: 'list' },
]
const FILE_COLUMNS = new Map(COLUMNS.map(({ path, label }, at) => [path, { letters: 'CDEF'[at]!, path, label }]))

type Values = readonly unknown[]
/** What a column had and has, row by row; its unchanged cells are no findings. */
interface Edit {
  readonly path: string
  readonly before: Values
  readonly after: Values
}

const warn = async (edits: readonly Edit[], { rows = 2000, widths = new Map<string, number>(), struck = new Set<string>() } = {}) => {
  const lines = Math.max(...edits.map(({ before, after }) => Math.max(before.length, after.length)))
  const found: FoundRow[] = []
  for (let nth = 0; nth < lines; nth++) {
    const cells = edits.flatMap(({ path, before, after }) =>
      before[nth] === after[nth]
        ? []
        : [
            {
              column: FILE_COLUMNS.get(path)!,
              before: before[nth] ?? null,
              after: after[nth] ?? null,
              present: before[nth] ?? null,
              state: 'change' as const,
              message: null,
              author: null,
            },
          ],
    )
    if (cells.length > 0) found.push({ line: nth + 2, record: `record ${nth}`, name: `Row ${nth}`, cells })
  }
  const warnings = await findWarnings({ found, rows, duplicates: [], columns: COLUMNS, widths, struck })
  return { warnings, kinds: warnings.map(({ kind }) => kind), changed: found.flatMap(({ cells }) => cells).length }
}
const countUp = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth))
const phones: readonly (string | null)[] = countUp(60, (nth) => (nth % 4 === 1 ? null : `209-555-${1000 + ((nth * 37) % 60)}`))
const byText = (a: string | null, b: string | null): number => (a ?? '~').localeCompare(b ?? '~')

describe('every changed cell of a column waits, those that are emptied too', () => {
  test.each([
    ['sorted alone, with its blanks at the end', phones.toSorted(byText)],
    ['shifted down by one cell', [null, ...phones.slice(0, -1)]],
    ['shifted up by one cell', [...phones.slice(1), null]],
    ['sorted, and some cells typed', phones.toSorted(byText).map((phone, nth) => (nth < 6 ? `510-555-77${nth}1` : phone))],
  ])('where it was %s', async (_how, after) => {
    const { warnings, changed } = await warn([{ path: 'phone', before: phones, after }])
    expect(warnings).toMatchObject([{ kind: 'sorted', isSuspicious: true }])
    expect(warnings[0]!.cells).toHaveLength(changed)
  })

  test('where the values of rows moved to the next column', async () => {
    const names = countUp(8, (nth) => `Site ${nth}`)
    const numbers = phones.slice(0, 8)
    const { warnings, changed } = await warn([
      { path: 'name', before: names, after: countUp(8, () => null) },
      { path: 'phone', before: numbers, after: names },
    ])
    expect(warnings).toMatchObject([{ kind: 'shifted' }])
    expect(warnings[0]!.cells).toHaveLength(changed)
  })

  test('where a few values have lost their leading zeros', async () => {
    const { warnings } = await warn([{ path: 'phone', before: ['0042', '555', 'x'], after: ['42', null, 'y'] }])
    expect(warnings).toMatchObject([{ kind: 'leading-zeros', cells: ['D2', 'D3'] }])
  })
})

describe('an accident is found whatever its share of the rows', () => {
  test.each([
    ['emptied', [{ path: 'phone', before: phones.slice(0, 12), after: [] }]],
    ['emptied', [{ path: 'emails', before: countUp(6, (nth) => [`a${nth}@b.test`]), after: countUp(6, () => []) }]],
    ['filled', [{ path: 'phone', before: phones.slice(0, 12), after: countUp(12, () => '209-555-0142') }]],
    ['filled', [{ path: 'status', before: countUp(25, () => 'ACTIVE'), after: countUp(25, () => 'PENDING') }]],
    ['filled', [{ path: 'phone', before: phones.slice(0, 9), after: countUp(9, (nth) => `209-555-014${nth}`) }]],
    [
      'replaced',
      [{ path: 'name', before: countUp(12, (nth) => `${nth} Harbor Street`), after: countUp(12, (nth) => `${nth} Harbor Streetreet`) }],
    ],
    ['sorted', [{ path: 'name', before: ['Lodi', 'Galt', 'Acampo', 'Dixon'], after: ['Galt', 'Acampo', 'Dixon', 'Lodi'] }]],
  ] as const)('%s', async (kind, edits) => {
    const { kinds, warnings, changed } = await warn(edits)
    expect(kinds).toEqual([kind])
    expect(warnings[0]!.cells).toHaveLength(changed)
  })

  test.each([
    ['two exchanged values', [{ path: 'name', before: ['Lodi', 'Galt'], after: ['Galt', 'Lodi'] }]],
    ['a few emptied cells', [{ path: 'phone', before: ['1', '2', '3', '4'], after: [] }]],
    ['a few equal choices', [{ path: 'status', before: countUp(6, () => 'ACTIVE'), after: countUp(6, () => 'PENDING') }]],
    [
      'different edits',
      [{ path: 'name', before: countUp(30, (nth) => `Old ${nth} name`), after: countUp(30, (nth) => `${nth * nth} is new`) }],
    ],
  ] as const)('and not in %s', async (_what, edits) => {
    expect((await warn(edits)).kinds).toEqual([])
  })
})

describe('a single value that a spreadsheet damaged is found', () => {
  test.each([
    ['accents', 'Adriana Müller', 'Adriana MÃ¼ller'],
    ['accents', 'Petrović', 'Petrovi?'],
    ['accents', null, 'Oâ€™Rourke'],
    ['leading-zeros', '000735', '735'],
    ['scientific', '19600000000000', '1.96E+13'],
    ['dates', '2027-03-04', '2027-04-03'],
    ['dates', '06/30/2028', '47299'],
    ['dates', 'July 1, 2028', '47300.5'],
    ['dates', null, '8-Jun'],
    ['dates', 'TK-8', '06/08/2026'],
  ])('%s: %j that became %j', async (kind, before, after) => {
    expect((await warn([{ path: 'name', before: [before], after: [after] }])).kinds).toEqual([kind])
  })

  test('a text of which a part is struck through', async () => {
    const before = countUp(8, () => '$1.00')
    const { warnings } = await warn([{ path: 'name', before, after: [...before.slice(0, 7), '$1.00 $2.00'] }], { struck: new Set(['C9']) })
    expect(warnings).toMatchObject([{ kind: 'struck', cells: ['C9'] }])
  })

  test('a number with fewer digits than all others of a column with leading zeros', async () => {
    const widths = new Map([['phone', 6]])
    expect((await warn([{ path: 'phone', before: [null], after: ['735'] }], { widths })).kinds).toEqual(['leading-zeros'])
    expect((await warn([{ path: 'phone', before: [null], after: ['000735'] }], { widths })).kinds).toEqual([])
  })
})
