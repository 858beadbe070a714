import { expect, test } from 'vitest'

import { startApp } from '../../../../../test/support/app.ts'
import * as files from '../../../../../test/support/import-files.ts'
import { readLegacyResponses } from '../../../../../test/support/legacy-responses.ts'
import { zip } from '../../../../../test/support/zip.ts'
import type { ImportKind } from '../../../../contract/imports.ts'
import { listCharters } from '../../../../records/charters/contract.ts'
import { listPeople } from '../../../../records/people/contract.ts'
import { saveSettings } from '../../../../records/settings/contract.ts'
import { listSites } from '../../../../records/sites/contract.ts'
import { undoChangeset } from '../../changesets/contract.ts'
import { applyImport, createImport, mapImport, readImport } from './contract.ts'

const start = async () => {
  const app = await startApp()
  const me = app.as(5)
  const upload = async (kind: ImportKind | 'any', file: Blob | Promise<Blob>) =>
    me.send(createImport, { params: { kind }, file: await file })
  const apply = (id: string) => me.send(applyImport, { params: { id }, body: {} })
  const preview = (id: string) => me.send(readImport, { params: { id } })
  const undo = async (changeset: { _id: string } | null) => me.send(undoChangeset, { params: { id: changeset!._id }, body: {} })
  return { app, me, upload, apply, preview, undo }
}
type State = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['upload']>>
const fieldsOf = ({ columns }: State) =>
  Object.fromEntries(columns.flatMap(({ header, field }) => (field === null ? [] : [[header, field]])))

const LAYOUTS: readonly [string, ImportKind, () => Blob | Promise<Blob>, Record<string, string>][] = [
  [
    'a state with counties, districts and principals in two columns',
    'charters',
    files.stateWithPrincipals,
    {
      'Building Code': 'directory_id',
      'Official Name': 'name',
      'County Name': 'county',
      'SY Status': 'status',
      'Physical Address': 'address_1',
      City: 'city',
      St: 'state',
      'Zip Code': 'zip',
      'Phone #': 'phone',
      'Principal First Name': 'principal_first',
      'Principal Last Name': 'principal_last',
      'Principal Email': 'principal_email',
      'Grades Offered': 'grades',
    },
  ],
  [
    'a state in a workbook with numbers and a leader in one column',
    'charters',
    files.stateWorkbook,
    {
      'Campus ID': 'directory_id',
      'Campus Name': 'name',
      'Campus Status': 'status',
      Street: 'address_1',
      'City/Town': 'city',
      State: 'state',
      Zip: 'zip',
      'Main Line': 'phone',
      'School Leader': 'principal',
      Enrollment: 'studentCount',
      'Charter?': 'charter',
    },
  ],
  [
    'an HR system with a title and names in one column',
    'staff',
    files.hrWithFullNames,
    {
      'File #': 'PersonID',
      'Payroll Name': 'full_name',
      'Job Title Description': 'Title',
      'Home Department Description': 'Department',
      'Location Description': 'location',
      'Work Email': 'EmailAddress',
    },
  ],
  [
    'an HR system with names in two columns',
    'staff',
    files.hrWithTwoNames,
    {
      Surname: 'LastName',
      'Given name': 'FirstName',
      'Emp No.': 'PersonID',
      Position: 'Title',
      Worksite: 'location',
      'E-mail': 'EmailAddress',
      Cell: 'phone',
    },
  ],
  [
    'sites kept by hand with whole addresses, two phones and a total',
    'sites',
    files.sitesWithTotals,
    { 'LC Name': 'name', Address: 'address', 'Phone 1 / Phone 2': 'phone', Fax: 'fax', 'Site #': 'finance_id', 'Open?': 'status' },
  ],
  [
    'sites kept by hand with suites and ZIP codes without their zero',
    'sites',
    files.sitesWithSuites,
    {
      'Office / Center': 'name',
      Type: 'category',
      Street: 'address_1',
      Suite: 'address_2',
      Town: 'city',
      ST: 'state',
      ZIP: 'zip',
      'Tel.': 'phone',
    },
  ],
  [
    'charters with dates and amounts of money',
    'charters',
    files.chartersWithDates,
    {
      School: 'name',
      'CDS Code': 'directory_id',
      Enrolled: 'studentCount',
      Phone: 'phone',
      URL: 'website',
      'Open/Closed': 'status',
    },
  ],
  [
    'charters with their network and leaders',
    'charters',
    files.chartersWithNetworks,
    {
      'Charter Name': 'name',
      Network: 'brand',
      'Charter #': 'charter_number',
      Grades: 'grades',
      '# of Students': 'studentCount',
      Leader: 'principal',
      'Leader Email': 'principal_email',
    },
  ],
]

test.each(LAYOUTS)('what %s has and its columns are guessed, and all of its cells are read', async (_what, kind, file, fields) => {
  const { app, upload, preview } = await start()
  await app.make.site({ displayName: 'Lodi Resource Center' })
  await app.make.site({ displayName: 'Galt Resource Center' })
  const state = await upload('any', file())
  expect(state.kind).toBe(kind)
  expect(fieldsOf(state)).toEqual(fields)
  const { cells } = await preview(state._id)
  expect(cells.filter((cell) => cell.state === 'error')).toEqual([])
})

test('the principals of a directory become people with their role, once each, and undoing the import leaves nothing', async () => {
  const { app, me, upload, apply, undo } = await start()
  const { changeset } = await apply((await upload('charters', files.stateWithPrincipals()))._id)
  const people = await me.send(listPeople)
  expect(
    people.map(({ name, email, locations }) => [name, email, locations.map(({ role, site }) => [role.name, site.displayName]).toSorted()]),
  ).toEqual([
    [
      'Dana Vandermeer',
      'dvander@river.test',
      [
        ['Principal', 'GRAND RIVER ACADEMY'],
        ['Principal', 'GRAND RIVER HIGH'],
      ],
    ],
  ])
  expect((await apply((await upload('charters', files.stateWithPrincipals()))._id)).changeset).toBeNull()
  await undo(changeset)
  expect([await me.send(listPeople), await me.send(listSites), await me.send(listCharters)]).toEqual([[], [], []])
  expect(await app.context.db.selectFrom('site_person').selectAll().execute()).toEqual([])
})

test('undoing an import of staff leaves no one in the directory that Add Staff searches, and restores who was there', async () => {
  const { app, upload, apply, undo } = await start()
  const { db } = app.context
  await db.insertInto('hr_person').values({ PersonID: '000417', FirstName: 'Gwendolyn', LastName: 'Hill', Title: 'Teacher' }).execute()
  const employees = () =>
    db
      .selectFrom('hr_person')
      .select(['PersonID', 'FirstName', 'Title', 'EmailAddress'])
      .where('goneAt', 'is', null)
      .orderBy('PersonID')
      .execute()
  const before = await employees()
  const { changeset } = await apply((await upload('staff', files.hrWithFullNames()))._id)
  expect(await employees()).toMatchObject([
    { PersonID: '000417', FirstName: 'Gwen', Title: 'Principal', EmailAddress: 'ghill@school.test' },
    { PersonID: '000418', Title: 'Custodian' },
    { PersonID: '000419', FirstName: 'Sara M' },
  ])
  await undo(changeset)
  expect(await employees()).toEqual(before)
})

test('ZIP codes without their zero, phones with extensions and codes with spaces are read as they were', async () => {
  const { me, upload, apply } = await start()
  await apply((await upload('sites', files.sitesWithSuites()))._id)
  await apply((await upload('sites', files.sitesWithTotals()))._id)
  expect(
    (await me.send(listSites)).map(({ displayName, address: { city, zip, phone } }) => [displayName, city, zip, phone]).toSorted(),
  ).toEqual([
    ['Boston Office', 'Boston', '02108', '617-555-0190'],
    ['Elk Grove', 'Elk Grove', '95624', '916-555-0170'],
    ['Storage', 'Lowell', '01850', '978-555-0191'],
    ['Yuba City', 'Yuba City', '95991', '530-555-0180'],
  ])
  await apply((await upload('charters', files.chartersWithDates()))._id)
  expect(
    (await me.send(listCharters)).map((charter) => [
      charter.name,
      charter.directory_id,
      charter.charterContactnumber,
      charter.studentCount,
      charter.status,
    ]),
  ).toEqual([
    ['Delta Charter', '34673140123456', '916-555-0195', 1204, 'ACTIVE'],
    ['Sierra Charter', '34673140123457', '916-555-0196', 310, 'CLOSED - PERMANENTLY'],
  ])
})

test('without a column for the name new rows are left out', async () => {
  const { me, upload, apply } = await start()
  const { _id } = await upload('sites', files.sitesWithSuites())
  await me.send(mapImport, { params: { id: _id }, body: { mapping: { 'Office / Center': null } } })
  expect(await apply(_id)).toMatchObject({ changeset: null, created: 0 })
})

test('SIS sites with day numbers and booleans in words are mapped, previewed, saved and undone', async () => {
  const { app, me, upload, apply, preview, undo } = await start()
  const { db } = app.context
  const lodi = await app.make.site({ displayName: 'Lodi Resource Center' })
  const { _id } = await upload('sis_sites', files.sisExport())
  const state = await me.send(mapImport, { params: { id: _id }, body: { mapping: { Online: null } } })
  expect(fieldsOf(state)).toEqual({
    'SIS Site Name': 'name',
    Site: 'site',
    'Site ID': 'siteId',
    'Active Date': 'activeDate',
    'Inactive Date': 'inactiveDate',
    Summer: 'summer_district',
  })
  await me.send(mapImport, { params: { id: _id }, body: { mapping: { Online: 'online_education' } } })
  expect((await preview(_id)).counts).toEqual({ new: 2, changed: 0, unchanged: 0, conflicts: 0, errors: 0 })
  const { changeset } = await apply(_id)
  const stored = () =>
    db
      .selectFrom('sis_site')
      .select(['name', 'site', 'siteId', 'activeDate', 'inactiveDate', 'summer_district', 'online_education'])
      .orderBy('name')
      .execute()
  expect((await stored()).map((one) => Object.values(one).map(String))).toEqual([
    ['Lodi Day', lodi._id, '101', '2024-07-01', 'null', 'true', 'false'],
    ['Lodi Online', lodi._id, '102', '2025-07-01', '2026-06-30', 'false', 'true'],
  ])
  expect((await apply((await upload('sis_sites', files.sisExport()))._id)).changeset).toBeNull()
  await undo(changeset)
  expect(await stored()).toEqual([])
})

test('the folder of the old program is previewed, saved and undone as a ZIP file', { timeout: 60_000 }, async () => {
  const from = await startApp()
  await from.make.network()
  const answers = await readLegacyResponses(from)
  const packed = zip(
    [...answers].map(([name, answer]) => ({
      name: `old/${name}`,
      bytes: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)),
    })),
  )
  const { me, upload, apply, preview, undo } = await start()
  const { _id } = await upload('any', new File([new Uint8Array(packed)], 'old program.zip'))
  expect(await me.send(mapImport, { params: { id: _id }, body: { mapping: {} } })).toMatchObject({ kind: 'legacy', columns: [] })
  const { counts } = await preview(_id)
  expect(counts).toMatchObject({ changed: 0, errors: 0 })
  expect(counts.new).toBeGreaterThan(0)
  const { changeset, created } = await apply(_id)
  expect(created).toBe(counts.new)
  const names = async () => [
    (await me.send(listCharters)).map(({ _id: id, name }) => [id, name]).toSorted(),
    (await me.send(listSites)).map(({ _id: id, displayName }) => [id, displayName]).toSorted(),
    (await me.send(listPeople)).map(({ _id: id, name }) => [id, name]).toSorted(),
  ]
  const there = from.as(5)
  expect(await names()).toEqual([
    (await there.send(listCharters)).map(({ _id: id, name }) => [id, name]).toSorted(),
    (await there.send(listSites)).map(({ _id: id, displayName }) => [id, displayName]).toSorted(),
    (await there.send(listPeople)).map(({ _id: id, name }) => [id, name]).toSorted(),
  ])
  await undo(changeset)
  expect(await names()).toEqual([[], [], []])
})

test('a timestamp of the old program becomes its day in the time zone that the settings say', async () => {
  const { app, upload, apply } = await start()
  const site = { _id: '64f0c0ffee0123456789abcd', slug: 'old-site', name: 'Old Site', displayName: 'Old Site' }
  const toFolder = (lease_start: string) =>
    new File(
      [
        new Uint8Array(
          zip([{ name: 'old/sites_pop.json', bytes: Buffer.from(JSON.stringify([{ ...site, facility_info: { lease_start } }])) }]),
        ),
      ],
      'old program.zip',
    )
  const importing = async (timeZone: string, moment: string) => {
    await app.as(1).send(saveSettings, { body: { timeZone } })
    await apply((await upload('legacy', toFolder(moment)))._id)
    return (await app.context.db.selectFrom('facility').select('lease_start').where('site', '=', site._id).executeTakeFirst())?.lease_start
  }
  expect(await importing('America/Los_Angeles', '2026-01-01T03:00:00.000Z')).toBe('2025-12-31')
  expect(await importing('America/New_York', '2026-03-01T05:30:00.000Z')).toBe('2026-03-01')
  expect(await importing('America/Chicago', '2026-05-01T04:30:00.000Z')).toBe('2026-04-30')
})

test('a staff list with words of its own is recognized by its values: header, sites, roles, and names in capitals', async () => {
  const { app, me, upload, apply } = await start()
  await app.make.site({ displayName: 'Natomas Center' })
  await app.make.site({ displayName: 'Elk Grove Hub' })
  const state = await upload('any', files.rosterWithOwnWords())
  expect(state).toMatchObject({ kind: 'staff', headerLine: 4, rows: 4 })
  expect(fieldsOf(state)).toEqual({
    Staffer: 'full_name',
    'What they do': 'Title',
    'Based at': 'location',
    'Reach at': 'phone',
    '@ work': 'EmailAddress',
  })
  await apply(state._id)
  const people = await me.send(listPeople)
  expect(
    people.map(({ name, locations }) => [name, ...locations.map(({ role, site }) => `${role.name}, ${site.displayName}`)]).toSorted(),
  ).toEqual([
    ['Ana M. Alvarez', 'Principal, Natomas Center'],
    ['Ben Ng', 'Student Relations Manager, Elk Grove Hub'],
    ['JD Ochoa'],
    ['Rosa Tran', 'Counselor, Natomas Center'],
  ])
})

test('words of a status are recognized without a known header', async () => {
  const { upload } = await start()
  const state = await upload('charters', files.chartersWithOwnWords())
  expect(fieldsOf(state)).toMatchObject({ Nickname: 'abbreviation', 'State of charter': 'status', 'Head count': 'studentCount' })
  expect(state.values.filter(({ field }) => field === 'status').map(({ value, target }) => [value, target])).toEqual([
    ['Operating', 'ACTIVE'],
    ['Opening fall 2027', 'PENDING'],
    ['Surrendered 2024', 'CLOSED - PERMANENTLY'],
  ])
})
