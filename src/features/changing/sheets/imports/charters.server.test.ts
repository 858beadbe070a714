import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import { createImporter } from '../../../../../test/support/charter-import.ts'
import { viewCharter } from '../../../../records/charters/contract.ts'
import { readSite } from '../../../../records/sites/contract.ts'
import { archiveRecord, restoreRecord } from '../../archive/contract.ts'

const { context, make, as, importing, stored, historyLength, editSite } = await createImporter()

test('each row becomes a charter and its site, and the API returns every imported field', async () => {
  await importing(
    'CDSCode\tStatusType\tCounty\tDistrict\tSchool\tStreet\tCity\tZip\tState\tPhone\tExt\tFaxNumber\tWebSite\tCharter\tCharterNum\tGSoffered\tLatitude\tLongitude\n' +
      '01100170112607\tActive\tAlameda\tA District\tHarbor "Light" Charter\t1515 Webster St.\tOakland\t94612-3355\tCA\t(510) 555-0101\t22\t(510) 555-0102\twww.harbor.example\tY\t0811\tK-12\t37.806\t-122.26\n',
    { name: 'pubschls.txt' },
  )
  const { charter, site } = await stored('01100170112607')
  expect(await as(10).send(viewCharter, { params: { id: charter.slug } })).toMatchObject({
    name: 'Harbor "Light" Charter',
    slug: 'harbor-light-charter',
    brandName: 'Independent',
    status: 'ACTIVE',
    charterWebsite: 'www.harbor.example',
    charterContactnumber: '510-555-0101',
    charter_number: '0811',
    charter_grade_levels: 'K-12',
    directory_id: '01100170112607',
    sites: [{ _id: site._id }],
    updatedBy: 'Import of pubschls.txt',
  })
  expect(await as(10).send(readSite, { params: { slug: 'harbor-light-charter' } })).toMatchObject({
    name: 'Harbor "Light" Charter',
    displayName: 'Harbor "Light" Charter',
    category: null,
    status: 'ACTIVE',
    charter: { _id: charter._id },
    region: { name: 'California' },
    address: {
      address_1: '1515 Webster St.',
      city: 'Oakland',
      state: 'CA',
      zip: '94612-3355',
      phone: '510-555-0101 x22',
      fax: '5105550102',
    },
    latitude: 37.806,
    longitude: -122.26,
    directory_id: '01100170112607',
    facility_info: { county: 'Alameda' },
    updatedBy: 'Import of pubschls.txt',
  })
})

test('a workbook imports the same schools as the CSV file it was made from, even where ids became numbers', async () => {
  const header = ['NCES_ID', 'SCHOOL_NAME', 'STATE', 'ZIP', 'LATITUDE', 'GRADES']
  await importing(`${header.join(',')}\n063583019001,Zero First,CA,95401,38.44,09-12\n480009519002,Text,TX,78701,,KG-05\n`)
  const rows = [
    ['Public schools, 2026'],
    [],
    header,
    [63583019001, 'Zero First', 'CA', 95401, 38.44, '09-12'],
    ['480009519002', 'Text', 'TX', '78701', null, 'KG-05'],
  ]
  const outcome = await importing(await writeXlsx({ sheets: [{ name: 'Schools', rows }] }), { name: 'schools.xlsx' })
  expect(outcome).toMatchObject({ added: 0, changed: 0, unchanged: 2, refused: [] })
})

test('columns with other names can be mapped', async () => {
  const args = ['--map', 'My School=name', '--map', 'code=Directory ID (CDS or NCES code)', '--map', 'Where=state']
  expect(await importing('Code;My School;Where;Town\n951;Mapped;OH;Lima\n', { args })).toMatchObject({ added: 1 })
  expect((await stored('951')).site).toMatchObject({ displayName: 'Mapped', state: 'OH' })
})

test('the columns of California’s directory are recognized; those of districts, mailing addresses and people are not mixed with them', async () => {
  const headers =
    'CDSCode NCESDist NCESSchool StatusType County District School Street StreetAbr City Zip State MailStreet MailStrAbr MailCity MailZip MailState Phone Ext FaxNumber WebSite OpenDate ClosedDate Charter CharterNum FundingType DOC DOCType SOC SOCType EdOpsCode EdOpsName EILCode EILName GSoffered GSserved Virtual Magnet YearRoundYN FederalDFCDistrictID Latitude Longitude LastUpDate'
  const rows = [1, 2].map(
    (n) =>
      `0110017011260${n}\t0691051\t1094${n}\tActive\tAlameda\tAlameda County Office of Education\tSchool ${n}\t${n} Thackeray Avenue\t${n} Thackeray Ave.\tSan Leandro\t94577-4601\tCA\tPO Box ${n}\tPO Box ${n}\tHayward\t94541-1234\tCA\t(510) 795-${n}488\t\tNo Data\twww.school${n}.test\t${n}/28/2006\tNo Data\tY\t081${n}\tDirectly funded\t00\tCounty Office of Education (COE)\t65\tK-12 Schools (Public)\tTRAD\tTraditional\tELEMHIGH\tElementary-High Combination\tK-12\tK-8\tN\tN\tN\tNo Data\t37.70\t-122.1${n}\t6/18/2026\n`,
  )
  const { columns } = await importing(`${headers.replaceAll(' ', '\t')}\n${rows.join('')}`, { args: ['--dry-run'] })
  expect(Object.fromEntries(Object.entries(columns).filter(([, field]) => field !== null))).toEqual({
    CDSCode: 'directory_id',
    StatusType: 'status',
    County: 'county',
    School: 'name',
    Street: 'address_1',
    City: 'city',
    Zip: 'zip',
    State: 'state',
    Phone: 'phone',
    Ext: 'extension',
    FaxNumber: 'fax',
    WebSite: 'website',
    Charter: 'charter',
    CharterNum: 'charter_number',
    GSoffered: 'grades',
    Latitude: 'latitude',
    Longitude: 'longitude',
  })
})

test.each([
  ['', /is empty$/],
  ['\n\n \n', /is empty$/],
  ['NCES_ID,SCHOOL_NAME,STATE\n\n,,\n', /has a header and no rows below it$/],
])('a file of %j is reported in one line', async (content, message) => {
  await expect(importing(content)).rejects.toThrow(message)
})

test('only rows with Charter = Y are imported; the others are counted, not refused', async () => {
  const outcome = await importing('CDSCode,School,State,Charter\n701,Taken,CA,Y\n702,Not one,CA,N\n703,No Data,CA,No Data\n')
  expect(outcome).toMatchObject({ added: 1, unchanged: 0, refused: [] })
  expect(outcome.lines).toContain('2 rows are not charters and are left out')
})

test('a file that does not say the facility type of its sites leaves it empty, and the preview says so', async () => {
  const note = expect.stringContaining('does not say the facility type')
  const { lines } = await importing(['961,No Type,Open,,,CA,,,,,,'])
  expect(lines).toEqual(expect.arrayContaining([note]))
  expect((await stored('961')).site.category).toBeNull()
  expect((await importing(['961,No Type,Closed,,,CA,,,,,,'])).lines).not.toEqual(expect.arrayContaining([note]))
})

test('a blank phone and a blank ZIP code stay blank', async () => {
  await importing(['1001,Blank Phone,Open,,Fresno,CA,,,,,,'])
  expect((await stored('1001')).site).toMatchObject({ phone: null, zip: null, address_1: null, latitude: null })
})

test('duplicate names are imported, each with a slug that no record has or had', async () => {
  const old = await make.charter({ name: 'Twin School' })
  await context.db.insertInto('former_slug').values({ table: 'charter', slug: 'twin-school-2', record: old._id }).execute()
  await importing(['1101,Twin School,Open,,,TX,,,,,,', '1102,Twin School,Open,,,MI,,,,,,'])
  expect([(await stored('1101')).charter.slug, (await stored('1102')).charter.slug]).toEqual(['twin-school-3', 'twin-school-4'])
  expect([(await stored('1101')).site.slug, (await stored('1102')).site.slug]).toEqual(['twin-school', 'twin-school-2'])
})

test('the brand is Independent, created once; --brand names another, ignoring case, and creates it if it does not exist', async () => {
  const mine = await make.brand({ brandName: 'Bright Path' })
  await importing(['1201,One,Open,,,CA,,,,,,'])
  await importing(['1202,Two,Open,,,CA,,,,,,'])
  await importing(['1203,Three,Open,,,CA,,,,,,'], { args: ['--brand', 'BRIGHT path'] })
  const planned = await importing(['1204,Four,Open,,,CA,,,,,,'], { args: ['--brand', 'New Ways'] })
  const brandOf = async (id: string) => (await stored(id)).charter.brand
  expect(await brandOf('1201')).toBe(await brandOf('1202'))
  expect(await brandOf('1203')).toBe(mine._id)
  expect(planned.lines).toContain('To add               1 (1 charter, 1 site, the brand New Ways)')
  const named = await context.db
    .selectFrom('brand')
    .select(['brandName', 'slug', 'status', 'updatedBy'])
    .where('_id', '=', await brandOf('1204'))
    .execute()
  expect(named).toEqual([{ brandName: 'New Ways', slug: 'new-ways', status: 'ACTIVE', updatedBy: expect.stringMatching(/^Import of /) }])
})

test('--brand moves charters of an earlier import to the brand; without it they stay', async () => {
  const row = ['1251,Moved,Open,,,CA,,,,,,']
  await importing(row)
  expect(await importing(row, { args: ['--brand', 'Movers'] })).toMatchObject({ changed: 1 })
  const { charter } = await stored('1251')
  expect(await importing(row)).toMatchObject({ changed: 0, unchanged: 1 })
  expect((await stored('1251')).charter).toEqual(charter)
})

test('importing the same file again changes nothing: no version, no time, no history', async () => {
  const rows = ['1301,Again,New,1 St,Austin,TX,78701,512-555-0100,TRAVIS,KG-05,30.1,-97.7', '1302,And again,Open,,,MI,,,,,,']
  await importing(rows)
  const before = [await stored('1301'), await stored('1302'), await historyLength()]
  const again = await importing(rows)
  expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  expect([await stored('1301'), await stored('1302'), await historyLength()]).toEqual(before)
})

test('a later file changes only what differs, and the history names that file', async () => {
  await importing(['1401,Old Name,Open,1 St,Austin,TX,78701,,TRAVIS,KG-05,30.1,-97.7', '1402,Untouched,Open,,,TX,,,,,,'])
  const before = await stored('1401')
  const untouched = await stored('1402')
  const outcome = await importing(['1401,Old Name,Closed,1 St,Austin,TX,78701,,HAYS,KG-05,30.2,-97.7', '1402,Untouched,Open,,,TX,,,,,,'], {
    name: 'spring.csv',
  })
  expect(outcome.lines).toContain('To change            1 (Status 1, County 1, Latitude 1)')
  expect(outcome.lines).toContain(
    '  row 2  Old Name: Status: ACTIVE -> CLOSED - PERMANENTLY; County: TRAVIS -> HAYS; Latitude: 30.1 -> 30.2',
  )
  const after = await stored('1401')
  expect(after.charter).toMatchObject({
    ...before.charter,
    status: 'CLOSED - PERMANENTLY',
    version: 2,
    updatedBy: 'Import of spring.csv',
    updatedAt: after.charter.updatedAt,
  })
  expect(after.site).toMatchObject({ status: 'CLOSED - PERMANENTLY', latitude: 30.2, version: before.site.version + 1 })
  expect(after.facility).toMatchObject({ county: 'HAYS', version: before.facility.version + 1 })
  expect(await stored('1402')).toEqual(untouched)
})

test('a charter that is renamed keeps its slug', async () => {
  await importing(['1501,First Name,Open,,,CA,,,,,,'])
  await importing(['1501,Second Name,Open,,,CA,,,,,,'])
  const { charter, site } = await stored('1501')
  expect([charter.name, site.name, site.displayName]).toEqual(['Second Name', 'Second Name', 'Second Name'])
  expect([charter.slug, site.slug]).toEqual(['first-name', 'first-name'])
})

test('a blank cell or a missing column never clears a stored value', async () => {
  await importing(['1601,Full,Pending,1 St,Austin,TX,78701,512-555-0100,TRAVIS,KG-05,30.1,-97.7'])
  const before = await stored('1601')
  expect(await importing(['1601,Full,,,,TX,,,,,,'])).toMatchObject({ unchanged: 1 })
  expect(await importing('NCES_ID,SCHOOL_NAME,STATE\n1601,Full,TX\n')).toMatchObject({ unchanged: 1 })
  expect(await stored('1601')).toEqual(before)
})

test('a value edited since the last import is kept and reported, now and later; the others are updated from the file', async () => {
  await importing(['1701,Edited,Open,1 St,Austin,TX,78701,512-555-0100,,,,'])
  const { site } = await stored('1701')
  await editSite(site._id, { phone: '512-555-0199' })
  const second = await importing(['1701,Edited,Open,2 St,Austin,TX,78701,512-555-0100,,,,'])
  expect(second.kept).toEqual([['phone', '512-555-0199', '512-555-0100']])
  const third = await importing(['1701,Edited,Open,3 St,Austin,TX,78701,512-555-0111,,,,'])
  expect(third.kept).toHaveLength(1)
  const after = await stored('1701')
  expect(after.site).toMatchObject({ phone: '512-555-0199', address_1: '3 St' })
  expect(after.charter.charterContactnumber).toBe('512-555-0111')
})

test('a value that someone cleared is not restored', async () => {
  await importing(['1751,Taken away,Open,,,TX,,512-555-0100,,,,'])
  await editSite((await stored('1751')).site._id, { phone: null })
  expect(await importing(['1751,Taken away,Open,,,TX,,512-555-0100,,,,'])).toMatchObject({
    unchanged: 1,
    kept: [['phone', null, '512-555-0100']],
  })
  expect((await stored('1751')).site.phone).toBeNull()
})

test('a site that was moved to another charter or region by hand stays there', async () => {
  await importing(['1801,Moved by hand,Open,,,TX,,,,,,'])
  const { site } = await stored('1801')
  const ohio = await make.region('Ohio')
  await editSite(site._id, { region: ohio._id })
  expect(await importing(['1801,Moved by hand,Open,,,TX,,,,,,'])).toMatchObject({
    unchanged: 1,
    kept: [['state', expect.anything(), 'TX']],
  })
  expect((await stored('1801')).site.region).toBe(ohio._id)
})

test('records that are not in the file, and those without a directory id, are unchanged', async () => {
  const other = await make.site({ displayName: 'Not in any directory' })
  await importing(['1901,In the file,Open,,,CA,,,,,,'])
  await importing(['1902,In the next file,Open,,,CA,,,,,,'])
  expect(await context.db.selectFrom('site').selectAll().where('_id', '=', other._id).execute()).toEqual([other])
  expect((await stored('1901')).charter.version).toBe(1)
})

test('the row of an archived site is refused, and imported once the site is restored', async () => {
  const file = (name: string): string[] => [`2201,${name},Open,,,CA,,,,,,`, '2202,Another,Open,,,CA,,,,,,']
  await importing(file('Old Name'))
  const before = await stored('2201')
  await as(6).send(archiveRecord, { body: { kind: 'site', _id: before.site._id, reason: 'Added twice' } })
  const outcome = await importing(file('New Name'))
  expect(outcome).toMatchObject({
    changed: 0,
    unchanged: 1,
    refused: [[2, 'This site is archived. Restore it first.', expect.any(String)]],
  })
  expect((await stored('2201')).charter).toEqual(before.charter)
  await as(6).send(restoreRecord, { params: { kind: 'site', id: before.site._id } })
  expect(await importing(file('New Name'))).toMatchObject({ changed: 1, refused: [] })
})
