import { expect, test } from 'vitest'

import { CHARTER_HELP } from './charter-messages.ts'
import { parseArguments } from './command.server.ts'
import { SCHOOL_FIELDS } from './school-fields.ts'
import { STAFF_FIELDS } from './staff-fields.ts'
import { STAFF_HELP } from './staff-messages.ts'

test('the arguments name a file and how to import it', () => {
  const words = ['charters', 'my file.csv', '--dry-run', '--brand', ' Bright Path ', '--region', 'Texas', '--report', 'out.csv']
  expect(parseArguments([...words, '--map', 'My School=name', '--map=A=B=zip'])).toEqual({
    kind: 'charters',
    path: 'my file.csv',
    dryRun: true,
    brand: 'Bright Path',
    region: 'Texas',
    report: 'out.csv',
    mappings: [
      { column: 'My School', field: 'name' },
      { column: 'A=B', field: 'zip' },
    ],
  })
  expect(parseArguments(['charters', 'a.csv'])).toEqual({
    kind: 'charters',
    path: 'a.csv',
    dryRun: false,
    brand: undefined,
    region: undefined,
    report: undefined,
    mappings: [],
  })
  expect(parseArguments(['staff', 'a.xlsx', '--allow-gone', '--map', 'Personnel no=person id'])).toEqual({
    kind: 'staff',
    path: 'a.xlsx',
    dryRun: false,
    allowGone: true,
    report: undefined,
    mappings: [{ column: 'Personnel no', field: 'PersonID' }],
  })
})

test('--help is recognized at any position', () => {
  expect(parseArguments(['--help'])).toBeUndefined()
  expect(parseArguments(['charters', '-h'])).toBeUndefined()
})

test('the help names every field and every known column header for it', () => {
  for (const [field, { headers }] of Object.entries(SCHOOL_FIELDS))
    for (const name of [field, ...headers]) expect(CHARTER_HELP).toContain(name)
  for (const [field, { headers }] of Object.entries(STAFF_FIELDS))
    for (const name of [field, ...headers]) expect(STAFF_HELP).toContain(name)
})

test.each<[string[], RegExp]>([
  [[], /^Name what to import/],
  [['people', 'a.csv'], /^"people" cannot be imported, only charters, staff, sheet and legacy can;/],
  [['charters', 'a.csv', '--allow-gone'], /^--allow-gone says nothing about charters/],
  [['staff', 'a.csv', '--brand', 'B'], /^--brand says nothing about staff/],
  [['staff', 'a.csv', '--map', 'X=city'], /^--map "X=city": there is no field "city"; the fields are PersonID, FirstName, /],
  [['charters'], /^Name the file to import/],
  [['charters', 'my', 'file.csv'], /^One file at a time; put quotation marks/],
  [['charters', 'a.csv', '--quick'], /^Unknown option '--quick'/],
  [['charters', 'a.csv', '--brand'], /^Option '--brand <value>' argument missing/],
  [['charters', 'a.csv', '--brand', ' '], /^--brand is empty$/],
  [['charters', 'a.csv', '--map', 'name'], /^--map takes COLUMN=FIELD, not "name"$/],
  [['charters', 'a.csv', '--map', '=name'], /^--map takes COLUMN=FIELD, not "=name"$/],
  [
    ['charters', 'a.csv', '--map', 'X=principal'],
    /^--map "X=principal": there is no field "principal"; the fields are directory_id, name, /,
  ],
  [['charters', 'a.csv', '--map', 'X=name', '--map', 'Y=name'], /^--map names two columns for name$/],
  [['charters', 'a.csv', '--map', 'X=name', '--map', 'x=city'], /^--map names two fields for the column "x"$/],
])('%j is refused with a one-line message', (words, message) => {
  expect(() => parseArguments(words)).toThrow(message)
  expect(() => parseArguments(words)).not.toThrow(/\n/)
})
