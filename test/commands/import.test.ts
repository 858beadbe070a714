import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { dataDir, files, isDatabaseRunning, listCharterIds, runImport, withDatabase } from './import-program.ts'

test('without a running server, an import starts the database, writes, reports refused rows and stops the database', async () => {
  const { code, out, err } = await runImport(['charters', 'two.csv'])
  expect(err).toBe('')
  expect(code).toBe(0)
  expect(out).toMatch(/To add +1 \(1 charter, 1 site\)\n/)
  expect(out).toContain('  row 3  Second School: E3 State: The state is none of CA, MI, OH, SC, TX: NV')
  expect(out).toMatch(/Added +1 /)
  expect(await isDatabaseRunning()).toBe(false)
  expect(await readdir(join(dataDir, 'import-reports'))).toEqual([expect.stringMatching(/^two\.csv-.*\.csv$/)])
  expect(out).toContain(join(dataDir, 'import-reports'))
  expect(await listCharterIds()).toEqual(['01'])
})

test('a dry run writes neither a report nor a row', async () => {
  const { code, out } = await runImport(['charters', 'two.csv', '--region', 'Texas', '--dry-run'])
  expect(code).toBe(0)
  expect(out).toMatch(/To add +1 .*\nTo change +0\nTo leave +1\nTo refuse +0\n/)
  expect(out).toContain('Dry run: nothing was written')
  expect(await readdir(join(dataDir, 'import-reports'))).toHaveLength(1)
  expect(await listCharterIds()).toEqual(['01'])
})

test('a sheet is previewed, refused with its cells, and saved as one changeset', () =>
  withDatabase(async (client) => {
    const [site] = (await client.query<{ _id: string }>('select _id from site limit 1')).rows
    const write = (city: string, zip: string) => writeFile(join(files, 'sites.csv'), `_id;City;ZIP code\r\n${site!._id};${city};${zip}\r\n`)
    await write('Clovis', '1')
    const refused = await runImport(['sheet', 'sites', 'sites.csv'])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('  C2: Enter exactly five digits')])
    await write('Clovis', '93612')
    const dry = await runImport(['sheet', 'sites', 'sites.csv', '--dry-run'])
    expect([dry.code, dry.out]).toEqual([
      0,
      expect.stringMatching(/Sites!B2 {2}First School, City: Fresno -> Clovis\n[^]*Dry run: nothing was written/),
    ])
    const saved = await runImport(['sheet', 'sites', 'sites.csv'])
    expect([saved.code, saved.out, saved.err]).toEqual([0, expect.stringContaining('Imported: 1 changed, 0 added'), ''])
    const { rows } = await client.query('select city, zip, "updatedBy" from site where _id = $1', [site!._id])
    expect(rows).toEqual([{ city: 'Clovis', zip: '93612', updatedBy: 'Import of sites.csv' }])
    expect((await client.query('select kind, title, account from changeset order by at')).rows).toEqual([
      { kind: 'import', title: 'two.csv', account: null },
      { kind: 'sheet', title: 'sites.csv', account: null },
    ])
    expect((await runImport(['sheet', 'sites', 'sites.csv'])).out).toContain('Nothing to write')
    expect((await runImport(['sheet', 'towns', 'sites.csv'])).err).toContain('Name the kind of sheet: people, sites, ')
  }))

test('--help shows the usage, without a database', async () => {
  const { code, out } = await runImport(['--help'], { DATA_DIR: '/dev/null/nowhere' })
  expect(code).toBe(0)
  expect(out).toContain('Usage: homeroom import KIND FILE')
  expect(out).toContain('CDSCode')
})

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['a file that does not exist', ['charters', 'nowhere.csv'], {}, /^There is no file .*my files\/nowhere\.csv\n$/],
  ['a folder', ['charters', '.'], {}, /^.*my files is a folder, not a file\n$/],
  [
    'an unknown field',
    ['charters', 'two.csv', '--map', 'CITY=town'],
    {},
    /^--map "CITY=town": there is no field "town"; the fields are .*\n$/,
  ],
  ['an unknown column', ['charters', 'two.csv', '--map', 'Town=city'], {}, /^There is no column "Town"\. .*\n$/],
  ['no arguments', [], {}, /^Name what to import: .*\n$/],
  [
    'a database that does not respond',
    ['charters', 'two.csv'],
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^The database of DATABASE_URL \(127\.0\.0\.1:1\/none\) cannot be used: .*\n$/,
  ],
  ['an invalid setting', ['charters', 'two.csv'], { DATABASE_URL: 'mysql://localhost/homeroom' }, /^DATABASE_URL .*\n$/],
])('%s is reported in one line with exit code 1', async (_, words, environment, message) => {
  const { code, err } = await runImport(words, environment)
  expect(err).toMatch(message)
  expect(code).toBe(1)
})
