import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { HEADER, createImporter } from '../../../../../test/support/charter-import.ts'
import { hrExport } from '../../../../../test/support/import-files.ts'
import { listCharters } from '../../../../records/charters/contract.ts'
import { searchStaff } from '../../../../records/hr/contract.ts'
import { listPeople } from '../../../../records/people/contract.ts'
import { undoChangeset } from '../../changesets/contract.ts'
import type { Outcome } from './command-report.server.ts'
import { parseArguments } from './command.server.ts'

const { context, make, as, folder, importing, stored, historyLength, editSite } = await createImporter()

test('rows that cannot be read and cells that are left out are reported with line, reason and cells; all others are imported', async () => {
  const path = join(folder, 'new folder', 'refused.csv')
  const outcome = await importing(
    [
      '2001,"Good,\none",Open,,,CA,,,,,,',
      '2002,Elsewhere,Open,,,NV,,,,,,',
      '2003,Too short,Open',
      '2001,Same id,Open,,,CA,,,,,,',
      '2006,Wrong phone,Closed,,,CA,01234,555,,,,',
      '2004,"Never closed,Open,,,CA,,,,,,',
      '2005,Good too,Open,,,CA,,,,,,',
    ],
    { report: path },
  )
  expect(outcome).toMatchObject({ added: 3 })
  expect(outcome.lines).toEqual(expect.arrayContaining(['To leave out cells       1 (Phone 1)', 'To refuse            4']))
  expect(await readFile(path, 'utf8')).toBe(
    [
      `\uFEFFrow,reason,${HEADER}`,
      '3,"State: The state is none of CA, MI, OH, SC, TX: NV (--region names a region for it)",2002,Elsewhere,Open,,,NV,,,,,,',
      '4,"The row has 3 columns, the header has 12",2003,Too short,Open',
      '5,Row 2 is about the same charter. This row is left out.,2001,Same id,Open,,,CA,,,,,,',
      '6,"Phone: A phone number has 7 or 10 digits, such as 209-555-0142 or 209-555-0142 x12",2006,Wrong phone,Closed,,,CA,01234,555,,,,',
      '7,A quotation mark is opened and never closed,2004,"""Never closed",Open,,,CA,,,,,,',
      '',
    ].join('\r\n'),
  )
  expect((await stored('2001')).charter.name).toBe('Good, one')
  expect((await stored('2006')).site).toMatchObject({ displayName: 'Wrong phone', phone: null, status: 'CLOSED - PERMANENTLY' })
})

test('a report can be corrected and imported', async () => {
  const path = join(folder, 'mend.csv')
  await importing(['2101,Mended,Open,,,NV,,,,,,'], { report: path })
  const mended = (await readFile(path, 'utf8')).replace(',NV,', ',TX,')
  expect(await importing(mended)).toMatchObject({ added: 1, refused: [] })
  expect((await stored('2101')).site.state).toBe('TX')
})

test('a report that was requested by name is written without a refused row, too', async () => {
  const path = join(folder, 'none.csv')
  await importing(['2201,Fine,Open,,,CA,,,,,,'], { report: path })
  expect(await readFile(path, 'utf8')).toBe(`\uFEFFrow,reason,${HEADER}\r\n`)
})

test('a report never overwrites the imported file', async () => {
  const path = join(folder, 'itself.csv')
  await expect(importing(['2301,A,Open,,,CA,,,,,,'], { name: 'itself.csv', report: path })).rejects.toThrow(/would overwrite/)
  expect(await readFile(path, 'utf8')).toContain('2301')
})

test('a region that does not exist is reported in one line', async () => {
  await expect(importing(['2401,A,Open,,,CA,,,,,,'], { args: ['--region', 'Nevada'] })).rejects.toThrow(
    'There is no region "Nevada"; the regions are California, Michigan, Ohio, South Carolina, Texas',
  )
})

test('rows without a state are assigned to the region that is named', async () => {
  await importing(['2402,Far,Open,,Reno,NV,,,,,,', '2403,Near,Open,,,MI,,,,,,'], { args: ['--region', 'south carolina'] })
  expect((await stored('2402')).site).toMatchObject({ state: 'NV', region: (await make.region('South Carolina'))._id })
  expect((await stored('2403')).site.region).toBe((await make.region('Michigan'))._id)
})

test('a dry run reports everything and writes nothing', async () => {
  const before = await historyLength()
  let reported: Outcome | undefined
  const outcome = await importing(['2501,Dry,Open,,,CA,,,,,,', '2502,Dry,Open,,,NV,,,,,,'], {
    args: ['--dry-run', '--brand', 'Never created'],
    listener: { onPlanned: (planned) => void (reported = planned) },
  })
  expect(outcome).toMatchObject({ added: 1, refused: [[3, expect.stringContaining('NV')]] })
  expect(reported?.rows).toHaveLength(1)
  expect(await historyLength()).toBe(before)
})

test('the plan is reported before anything is written, and is exactly what is written', async () => {
  const before = await historyLength()
  let planned: Outcome | undefined
  const done = await importing(['2551,Planned,Open,,,CA,,,,,,'], {
    listener: {
      onPlanned: async (outcome) => {
        planned = outcome
        expect(await historyLength()).toBe(before)
      },
    },
  })
  expect(planned?.rows).toHaveLength(1)
  expect(done.added).toBe(1)
})

const many = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${from + n},School ${from + n},Open,,,CA,,,,,,`)

test('an import that fails halfway writes nothing', async () => {
  const before = await historyLength()
  const rows: number[] = []
  const breaking = importing(many(30_000, 1200), {
    listener: {
      onWritten: (done: number) => {
        rows.push(done)
        if (done > 600) throw new Error('the import failed')
      },
    },
  })
  await expect(breaking).rejects.toThrow('the import failed')
  expect(rows).toEqual([500, 1000])
  expect(await historyLength()).toBe(before)
})

test('a row that only the database refuses leaves nothing behind either', async () => {
  await context.db.schema
    .alterTable('site')
    .addCheckConstraint('not_this_one', sql`name is distinct from 'Unwanted'`)
    .execute()
  try {
    const before = await historyLength()
    await expect(importing([...many(40_000, 600), '40999,Unwanted,Open,,,CA,,,,,,'])).rejects.toThrow(/not_this_one/)
    expect(await historyLength()).toBe(before)
  } finally {
    await context.db.schema.alterTable('site').dropConstraint('not_this_one').execute()
  }
})

test('an edit saved while an import runs is not lost: the import starts again', async () => {
  await importing(['2601,Contested,Open,1 St,Austin,TX,,512-555-0100,,,,'])
  const { site } = await stored('2601')
  let plans = 0
  const outcome = await importing(['2601,Contested,Open,2 St,Austin,TX,,512-555-0111,,,,'], {
    listener: {
      onPlanned: async () => {
        plans++
        await editSite(site._id, { phone: '512-555-0199' })
      },
    },
  })
  expect(plans).toBe(1)
  expect(outcome.kept).toHaveLength(1)
  expect((await stored('2601')).site).toMatchObject({ phone: '512-555-0199', address_1: '2 St' })
})

test('two imports at the same time run one after the other, and the second changes nothing', async () => {
  const rows = many(50_000, 700)
  let waited = 0
  const outcomes = await Promise.all([1, 2].map(() => importing(rows, { listener: { onWaiting: () => waited++ } })))
  expect(waited).toBe(1)
  expect(outcomes.map(({ added }) => added).toSorted()).toEqual([0, 700])
})

test('a running server shows imported records immediately', async () => {
  const names = async () => (await as(10).send(listCharters)).map(({ name }) => name)
  expect(await names()).not.toContain('Fresh from the file')
  await importing(['2701,Fresh from the file,Open,,,CA,,,,,,'])
  await expect.poll(names).toContain('Fresh from the file')
})

test.each<[string[], RegExp]>([
  [[], /^Name what to import/],
  [['people', 'a.csv'], /^"people" cannot be imported, only charters, sites, staff, sis_sites, employees, sheet, legacy;/],
  [['charters', 'a.csv', '--allow-gone'], /^--allow-gone says nothing about charters/],
  [['staff', 'a.csv', '--brand', 'B'], /^--brand says nothing about staff/],
  [['charters'], /^Name the file to import/],
  [['charters', 'my', 'file.csv'], /^One file at a time; put quotation marks/],
  [['staff', 'a.csv', '--allow-gone'], /^--allow-gone says nothing about staff/],
  [['charters', 'a.csv', '--preview'], /^Unknown option '--preview'/],
  [['charters', 'a.csv', '--quick'], /^Unknown option '--quick'/],
  [['charters', 'a.csv', '--brand'], /^Option '--brand <value>' argument missing/],
  [['charters', 'a.csv', '--brand', ' '], /^--brand is empty$/],
  [['charters', 'a.csv', '--map', 'name'], /^--map takes COLUMN=FIELD, not "name"$/],
  [['charters', 'a.csv', '--map', '=name'], /^--map takes COLUMN=FIELD, not "=name"$/],
])('%j is refused with a one-line message', (words, message) => {
  expect(() => parseArguments(words)).toThrow(message)
  expect(() => parseArguments(words)).not.toThrow(/\n/)
})

test.each<[string[], RegExp]>([
  [['SCHOOL_NAME=mascot'], /^--map "SCHOOL_NAME=mascot": there is no field "mascot"; the fields are directory_id, name, /],
  [['Name of School=name'], /^There is no column "Name of School"\. The columns are: NCES_ID, SCHOOL_NAME, /],
  [['STREET=name', 'CITY=name'], /^--map names two columns for name$/],
  [['STREET=name', 'street=city'], /^--map names two fields for the column "street"$/],
])('--map %j is refused with a one-line message', async (maps, message) => {
  const args = maps.flatMap((map) => ['--map', map])
  await expect(importing(['2801,Mapped,Open,,,CA,,,,,,'], { args })).rejects.toThrow(message)
})

test('staff become people with their roles, as in the browser, and are undone as one', async () => {
  await make.site({ displayName: 'Lodi Resource Center' })
  await make.site({ displayName: 'Galt Resource Center' })
  const outcome = await importing(new Uint8Array(await hrExport().arrayBuffer()), { kind: 'staff', name: 'export.txt' })
  expect(outcome).toMatchObject({ added: 5, refused: [] })
  const people = async () =>
    (await as(10).send(listPeople)).map(({ name, email, locations }) => [name, email, ...locations.map(({ role }) => role.name)]).toSorted()
  expect(await people()).toEqual([
    ['Ana María de la Cruz', null],
    ['Ben Okafor', 'bokafor@school.test', 'Principal'],
    ['Linh Nguyen', null, 'Registrar'],
    ['Maria Rivera', 'mrivera@school.test', 'Principal'],
    ["Pat O'Brien Jr.", 'pobrien@school.test', 'Assistant Principal'],
  ])
  expect((await as(6).send(searchStaff, { params: { query: 'rivera' } })).recordset).toMatchObject([{ PersonID: 'E1001' }])
  const { _id } = await context.db.selectFrom('changeset').select('_id').where('title', '=', 'export.txt').executeTakeFirstOrThrow()
  await as(5).send(undoChangeset, { params: { id: _id }, body: {} })
  expect(await people()).toEqual([])
})
