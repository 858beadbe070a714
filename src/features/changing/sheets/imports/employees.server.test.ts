import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writeXlsx } from 'hucre/xlsx'
import { beforeEach, expect, test } from 'vitest'

import { createImporter } from '../../../../../test/support/charter-import.ts'
import { searchStaff } from '../../../../records/hr/contract.ts'

const { context, as, folder, importing: importFile } = await createImporter()
const { db } = context
beforeEach(async () => void (await db.deleteFrom('hr_person').execute()))

const HEADER = 'PersonID,FirstName,LastName,Hris_EmailAddress,EmailAddress,Title,Department,Company,Region'
const importing = (content: string | Uint8Array | readonly string[], options: Parameters<typeof importFile>[1] = {}) =>
  importFile(typeof content === 'string' || content instanceof Uint8Array ? content : [HEADER, ...content].join('\n'), {
    kind: 'employees',
    ...options,
  })
const stored = () =>
  db
    .selectFrom('hr_person')
    .select([
      'PersonID',
      'FirstName',
      'LastName',
      'Hris_EmailAddress',
      'EmailAddress',
      'Title',
      'Department',
      'Company',
      'Region',
      'goneAt',
    ])
    .orderBy('PersonID')
    .execute()
const numbers = async () => (await stored()).filter(({ goneAt }) => goneAt === null).map(({ PersonID }) => PersonID)
const found = async (query: string) => (await as(6).send(searchStaff, { params: { query } })).recordset.map(({ PersonID }) => PersonID)

const ANA = '001,Ana,Ruiz,ana@hr.test,ana.ruiz@network.test,Teacher,Instruction,Cedar,California'
const BO = '002,Bo,Li,bo@hr.test,bo.li@network.test,Registrar,Office,Cedar,Ohio'
const CY = '003,Cy,Day,,,,,,'

test('every column of a file is stored, blank cells as null, and found by the search', async () => {
  const outcome = await importing([ANA, CY])
  expect(outcome).toMatchObject({ added: 2, changed: 0, gone: [], unchanged: 0, refused: [] })
  expect(await stored()).toEqual([
    {
      PersonID: '001',
      FirstName: 'Ana',
      LastName: 'Ruiz',
      Hris_EmailAddress: 'ana@hr.test',
      EmailAddress: 'ana.ruiz@network.test',
      Title: 'Teacher',
      Department: 'Instruction',
      Company: 'Cedar',
      Region: 'California',
      goneAt: null,
    },
    { PersonID: '003', FirstName: 'Cy', LastName: 'Day', Hris_EmailAddress: null, EmailAddress: null, Title: null, Department: null, Company: null, Region: null, goneAt: null }, // prettier-ignore
  ])
  expect(await found('ana ruiz')).toEqual(['001'])
})

test('the same file again changes nothing', async () => {
  await importing([ANA, BO])
  const before = JSON.stringify(
    await db
      .selectFrom('hr_person')
      .selectAll()
      .select('xmin' as 'PersonID')
      .orderBy('PersonID')
      .execute(),
  )
  expect(await importing([ANA, BO])).toMatchObject({ added: 0, changed: 0, gone: [], unchanged: 2 })
  expect(
    JSON.stringify(
      await db
        .selectFrom('hr_person')
        .selectAll()
        .select('xmin' as 'PersonID')
        .orderBy('PersonID')
        .execute(),
    ),
  ).toBe(before)
})

test('a difference is reported with its old and new value, and written; a missing column changes nothing', async () => {
  await importing([ANA, BO])
  const { lines } = await importing('Employee ID;Last Name;First Name;Job Title\n001;Ruíz;Ana;\n002;Li;Bo;Registrar\n')
  expect(lines.slice(1)).toEqual([
    'To add               0',
    'To change            1 (Last name 1, Job title 1)',
    '  row 2  Ana Ruíz: Last name: Ruiz -> Ruíz; Job title: Teacher -> (none)',
    'To leave             1',
    'To mark as gone       0',
    'To refuse            0',
  ])
  expect((await stored())[0]).toMatchObject({ LastName: 'Ruíz', Title: null, Region: 'California', EmailAddress: 'ana.ruiz@network.test' })
  expect(await found('ruiz')).toEqual(['001'])
})

test('a person missing from the file is marked and hidden, not deleted; a later file restores them', async () => {
  await importing([ANA, BO, CY])
  const { lines } = await importing([ANA, CY])
  expect(lines).toEqual(expect.arrayContaining(['To mark as gone       1', '  002  Bo Li']))
  expect(await numbers()).toEqual(['001', '003'])
  expect(await stored()).toHaveLength(3)
  expect(await found('bo li')).toEqual([])
  // Reported once: the same file again has no changes.
  expect(await importing([ANA, CY])).toMatchObject({ gone: [], changed: 0, unchanged: 2 })
  expect(await importing([ANA, BO, CY])).toMatchObject({ changed: 1, unchanged: 2 })
  expect(await found('bo li')).toEqual(['002'])
})

test('a file that lacks more than half of all rows is refused, unless --allow-gone confirms it', async () => {
  await importing([ANA, BO, CY])
  await expect(importing([ANA])).rejects.toThrow(
    /^The file lacks 2 of the 3 people in the HR table, more than half: nothing was written\..*--allow-gone$/,
  )
  await expect(importing(['900,Other,Network,,,,,,'], { args: ['--dry-run'] })).rejects.toThrow(/lacks 3 of the 3/)
  expect(await numbers()).toEqual(['001', '002', '003'])
  expect(await importing([ANA], { args: ['--allow-gone'] })).toMatchObject({ gone: ['002', '003'] })
  expect(await numbers()).toEqual(['001'])
})

test('two rows with one number are both refused, and the person with that number is unchanged', async () => {
  await importing([ANA, BO])
  const outcome = await importing([ANA, '002,Bob,Li,,,,,,', '002,Bea,Li,,,,,,'])
  expect(outcome.refused.map(([line, message]) => [line, message])).toEqual([
    [3, 'The employee number is also in row 4'],
    [4, 'The employee number is also in row 3'],
  ])
  expect(outcome).toMatchObject({ gone: [], unchanged: 1 })
  expect((await stored())[1]).toMatchObject({ FirstName: 'Bo', goneAt: null })
})

test('an invalid row is refused and an invalid cell left out with line and reason, in a report; the rest is imported', async () => {
  const report = join(folder, 'report.csv')
  const bad = [
    ',Nobody,Numbered,,,,,,',
    '6.1E+10,Sci,Entific,,,,,,',
    '010,,,,,,,,',
    '011,#N/A,Wrong,,,,,,',
    '012,Few',
    `${'9'.repeat(101)},Long,Number,,,,,,`,
  ]
  const outcome = await importing([ANA, ...bad], { report })
  expect(outcome.refused.map(([line, message]) => [line, message])).toEqual([
    [3, 'This is needed. Without it the row is left out.'],
    [4, expect.stringMatching(/not a number like 6\.1E\+10/)],
    [5, 'The row has no name. It is left out.'],
    [7, 'The row has 2 columns, the header has 9'],
    [8, expect.stringMatching(/^At most 100 characters/)],
  ])
  expect((await stored()).map(({ PersonID, FirstName, LastName }) => [PersonID, FirstName, LastName])).toEqual([
    ['001', 'Ana', 'Ruiz'],
    ['011', null, 'Wrong'],
  ])
  // A refused row without a usable number could belong to any missing person, so none of them is marked as gone.
  const result = await importing([BO, '6.1E+10,Sci,Entific,,,,,,'])
  expect(result).toMatchObject({ gone: [], keptPeople: 2 })
  expect((await importing([BO, '6.1E+10,Sci,Entific,,,,,,'], { args: ['--allow-gone'] })).gone).toEqual(['001', '011'])
  const written = await readFile(report, 'utf8')
  expect(written.trim().split('\r\n')).toHaveLength(7)
  expect(written).toContain('3,Employee number: This is needed. Without it the row is left out.,,Nobody,Numbered')
})

test('a dry run reports everything and writes nothing', async () => {
  expect(await importing([ANA, BO], { args: ['--dry-run'] })).toMatchObject({ added: 2 })
  expect(await stored()).toEqual([])
})

test('an Excel workbook is read like any other file: numbers as digits, headers below a title and in other spellings', async () => {
  const rows = [
    ['All staff', '', '', '', ''],
    ['employee id', 'FIRST NAME', 'Surname', 'Notes', 'Work E-mail'],
    [4711, 'Ana', 'Ruiz', 'x', 'ana@network.test'],
    ['0042', 'Bo', 'Li', '', ''],
  ]
  await importing(await writeXlsx({ sheets: [{ name: 'Staff', rows }] }))
  expect(await stored()).toMatchObject([
    { PersonID: '0042', FirstName: 'Bo', EmailAddress: null },
    { PersonID: '4711', LastName: 'Ruiz', EmailAddress: 'ana@network.test' },
  ])
})

test('a column with another header can be mapped', async () => {
  await importing('Personnel,Called,PersonID\n7,Ana,ignored\n', { args: ['--map', 'Personnel=PersonID', '--map', 'Called=FirstName'] })
  expect(await numbers()).toEqual(['7'])
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /is empty$/],
  ['only a header', `${HEADER}\n`, /has a header and no rows below it$/],
  ['rubbish', new Uint8Array([0, 255, 17, 0, 42, 0]), /is neither a workbook \(\.xlsx\) nor a text with columns/],
  ['a broken workbook', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]), /This file cannot be read: /],
])('%s is reported in one line and changes nothing', async (_what, content, line) => {
  await importing([ANA])
  const failure = await importing(content).catch((error: unknown) => error as Error)
  expect(failure).toBeInstanceOf(Error)
  expect((failure as Error).message).toMatch(line)
  expect((failure as Error).message).not.toContain('\n')
  expect(await numbers()).toEqual(['001'])
})

test('an import that is stopped writes nothing', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `${n},First${n},Last${n},,,,,,`)
  let checks = 0
  const throwIfStopped = () => {
    if (++checks === 4) throw new Error('Stopped')
  }
  await expect(importing(rows, { listener: { throwIfStopped } })).rejects.toThrow('Stopped')
  expect(await stored()).toEqual([])
  await importing(rows)
  expect(await stored()).toHaveLength(3000)
})
