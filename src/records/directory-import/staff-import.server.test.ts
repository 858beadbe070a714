import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeEach, expect, test } from 'vitest'

import { startApp } from '../../../test/support/app.ts'
import { searchStaff } from '../hr/contract.ts'
import { openDirectoryFile } from './directory-file.server.ts'
import { importStaff, type StaffOutcome, type StaffImportOptions } from './staff-import.server.ts'
import { formatStaffOutcome } from './staff-messages.ts'

const folder = await mkdtemp(join(tmpdir(), 'homeroom-staff-'))
const app = await startApp()
const { db } = app.context
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => void (await db.deleteFrom('hr_person').execute()))

const HEADER = 'PersonID,FirstName,LastName,Hris_EmailAddress,EmailAddress,Title,Department,Company,Region'
interface ImportOptions extends Partial<Pick<StaffImportOptions, 'dryRun' | 'allowGone' | 'mappings' | 'report'>> {
  readonly planned?: (outcome: StaffOutcome) => void
  readonly stop?: () => void
}
const file = async (content: string | Uint8Array | readonly string[]): Promise<string> => {
  const path = join(folder, `${randomBytes(4).toString('hex')}.csv`)
  await writeFile(path, typeof content === 'string' || content instanceof Uint8Array ? content : [HEADER, ...content].join('\n'))
  return path
}
const importing = async (content: Parameters<typeof file>[0], { planned = () => {}, stop = () => {}, ...options }: ImportOptions = {}) => {
  const path = await file(content)
  return importStaff(
    db,
    { file: await openDirectoryFile(path), path, dryRun: false, allowGone: false, mappings: [], report: undefined, ...options },
    { onPlanned: planned, onWaiting: () => {}, throwIfStopped: stop },
  )
}
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
const found = async (query: string) => (await app.as(6).send(searchStaff, { params: { query } })).recordset.map(({ PersonID }) => PersonID)

const ANA = '001,Ana,Ruiz,ana@hr.test,ana.ruiz@network.test,Teacher,Instruction,Cedar,California'
const BO = '002,Bo,Li,bo@hr.test,bo.li@network.test,Registrar,Office,Cedar,Ohio'
const CY = '003,Cy,Day,,,,,,'

test('every column of a file is stored, blank cells as null, and found by the search', async () => {
  const outcome = await importing([ANA, CY])
  expect(outcome).toMatchObject({ added: { length: 2 }, changed: [], gone: [], unchanged: 0, refusals: [] })
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
  expect(await importing([ANA, BO])).toMatchObject({ added: [], changed: [], gone: [], unchanged: 2 })
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
  const lines: string[] = []
  await importing('Employee ID;Last Name;First Name;Job Title\n001;Ruíz;Ana;\n002;Li;Bo;Registrar\n', {
    planned: (outcome) => lines.push(...formatStaffOutcome(outcome, { done: false })),
  })
  expect(lines).toEqual([
    'To add                 0',
    'To change              1 (LastName 1, Title 1)',
    '  line 2  001  Ana Ruíz: LastName: Ruiz -> Ruíz; Title: Teacher -> (none)',
    'To leave               1',
    'To mark as gone        0',
    'To refuse              0',
  ])
  expect((await stored())[0]).toMatchObject({ LastName: 'Ruíz', Title: null, Region: 'California', EmailAddress: 'ana.ruiz@network.test' })
  expect(await found('ruiz')).toEqual(['001'])
})

test('a person missing from the file is marked and hidden, not deleted; a later file restores them', async () => {
  await importing([ANA, BO, CY])
  const lines: string[] = []
  await importing([ANA, CY], { planned: (outcome) => lines.push(...formatStaffOutcome(outcome, { done: false })) })
  expect(lines).toContain('To mark as gone        1')
  expect(lines).toContain('  002  Bo Li')
  expect(await numbers()).toEqual(['001', '003'])
  expect(await stored()).toHaveLength(3)
  expect(await found('bo li')).toEqual([])
  // Reported once: the same file again has no changes.
  expect(await importing([ANA, CY])).toMatchObject({ gone: [], changed: [], unchanged: 2 })
  const back = await importing([ANA, BO, CY])
  expect(formatStaffOutcome(back, { done: true })).toContain('Changed                1 (1 person back)')
  expect(await found('bo li')).toEqual(['002'])
})

test('a file that lacks more than half of all rows is refused, unless --allow-gone confirms it', async () => {
  await importing([ANA, BO, CY])
  await expect(importing([ANA])).rejects.toThrow(
    /^The file lacks 2 of the 3 people in the HR table, more than half: nothing was written\..*--allow-gone$/,
  )
  await expect(importing(['900,Other,Network,,,,,,'], { dryRun: true })).rejects.toThrow(/lacks 3 of the 3/)
  expect(await numbers()).toEqual(['001', '002', '003'])
  expect(await importing([ANA], { allowGone: true })).toMatchObject({ gone: { length: 2 } })
  expect(await numbers()).toEqual(['001'])
})

test('two rows with one number are both refused, and the person with that number is unchanged', async () => {
  await importing([ANA, BO])
  const outcome = await importing([ANA, '002,Bob,Li,,,,,,', '002,Bea,Li,,,,,,'])
  expect(outcome.refusals).toMatchObject([
    { line: 3, id: '002', reasons: ['The PersonID is also in line 4'] },
    { line: 4, id: '002', reasons: ['The PersonID is also in line 3'] },
  ])
  expect(outcome).toMatchObject({ gone: [], unchanged: 1 })
  expect((await stored())[1]).toMatchObject({ FirstName: 'Bo', goneAt: null })
})

test('an invalid row is refused with its line and reason, in a report; the others are imported', async () => {
  const report = { path: join(folder, 'report.csv'), always: true }
  const bad = [
    ',Nobody,Numbered,,,,,,',
    '6.1E+10,Sci,Entific,,,,,,',
    '010,,,,,,,,',
    '011,#N/A,Wrong,,,,,,',
    '012,Few',
    `${'9'.repeat(101)},Long,Number,,,,,,`,
  ]
  const outcome = await importing([ANA, ...bad], { report })
  expect(outcome.refusals.map(({ line, reasons }) => [line, reasons[0]])).toEqual([
    [3, 'There is no PersonID'],
    [4, 'A spreadsheet turned the PersonID into a number: 6.1E+10'],
    [5, 'There is no name'],
    [6, 'FirstName holds the spreadsheet error #N/A'],
    [7, 'The row has 2 columns, the header has 9'],
    [8, 'PersonID has more than 100 characters'],
  ])
  expect(await numbers()).toEqual(['001'])
  // A refused row without a usable number could belong to any missing person, so none of them is marked as gone.
  const result = await importing([BO, '6.1E+10,Sci,Entific,,,,,,'])
  expect(result).toMatchObject({ gone: [], keptCount: 1 })
  expect((await importing([BO, '6.1E+10,Sci,Entific,,,,,,'], { allowGone: true })).gone.map(({ PersonID }) => PersonID)).toEqual(['001'])
  const written = await readFile(report.path, 'utf8')
  expect(written.trim().split('\r\n')).toHaveLength(7)
  expect(written).toContain('3,,There is no PersonID,,Nobody,Numbered')
})

test('a dry run reports everything and writes nothing', async () => {
  let planned: StaffOutcome | undefined
  await importing([ANA, BO], { dryRun: true, planned: (outcome) => (planned = outcome) })
  expect(planned?.added).toHaveLength(2)
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
  const mappings = [
    { column: 'Personnel', field: 'PersonID' },
    { column: 'Called', field: 'FirstName' },
  ] as const
  await importing('Personnel,Called,PersonID\n7,Ana,ignored\n', { mappings })
  expect(await numbers()).toEqual(['7'])
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /is empty$/],
  ['only blank lines', '\n\n , \n', /cannot be imported: no column holds the PersonID|is empty$/],
  [
    'a file without a column of numbers',
    'FirstName,LastName\nAna,Ruiz\n',
    /no column holds the PersonID .*--map "COLUMN=PersonID".* Its columns are: FirstName, LastName$/,
  ],
  ['a file without a column of names', 'PersonID,Title\n1,Teacher\n', /no column holds the FirstName or the LastName/],
  ['only a header', `${HEADER}\n`, /has a header and no rows$/],
  ['a file in which every row is refused', `${HEADER}\n,x,,,,,,,\n`, /none of its rows can be imported; line 2: There is no PersonID$/],
  [
    'a file whose rows take more memory than all employees of a network',
    `${HEADER}\n${`x${','.repeat(1_000_000)}\n`.repeat(9)}`,
    /takes too much memory: it has more rows than a directory of employees$/,
  ],
  ['rubbish', new Uint8Array([0, 255, 17, 0, 42, 0]), /is neither delimited text \(CSV\) nor an Excel workbook/],
  ['a broken workbook', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]), /cannot be read as an Excel workbook/],
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
  const stop = () => {
    if (++checks === 5) throw new Error('Stopped')
  }
  await expect(importing(rows, { stop })).rejects.toThrow('Stopped')
  expect(await stored()).toEqual([])
  await importing(rows)
  expect(await stored()).toHaveLength(3000)
})
