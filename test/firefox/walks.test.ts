import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'

import { DAY_MS, formatMomentDay } from '../../src/contract/dates.ts'
import {
  DIALOG,
  download,
  downloads,
  expectElement,
  expectPath,
  expectQuery,
  expectText,
  fill,
  find,
  followLink,
  open,
  page,
  press,
  readFirstName,
  readHeading,
  readRows,
  select,
  TIMEOUT_MS,
  runInFirefox,
} from './driver.ts'

// The most common tasks in a second browser engine, which reveal what only Chromium tolerates.

runInFirefox()

test('someone signs in with their work account', async () => {
  await open('/login')
  await press('button', 'Login Using O365')
  await page.locator('input[name=login]').fill('level1@sample.test')
  await page.keyboard.press('Enter')
  await expectText('Welcome, ')
})

describe('finding', () => {
  const search = async (text: string) => {
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.locator('input[role=combobox]').fill(text)
    await page.locator(`[role=row] ::-p-text(${text})`).wait()
    await page.keyboard.press('Enter')
  }

  test('the search window finds a page and opens it', async () => {
    await open('/')
    await expectText('Welcome, ')
    await search('Regions & States')
    await expectPath('/regions')
  })

  test('the search window finds a person and opens their page', async () => {
    await open('/leadership')
    const name = await readFirstName('/staff/')
    await search(name)
    await page.waitForFunction(() => location.pathname.startsWith('/staff/'))
    expect(await readHeading()).toBe(name)
  })

  test('a list is searched and filtered, and keeps both when the user returns from a record', async () => {
    await open('/locations')
    await page.locator('main search input').fill('center')
    await expectQuery('q=center')
    await press('button', 'Active')
    await expectQuery('status=active')
    await followLink('/location/')
    expect(await readHeading()).not.toBe('')
    await page.goBack()
    await expectPath('/locations')
    await expectQuery('q=center')
    await expectQuery('status=active')
  })

  test('a table is sorted by a column in both directions', async () => {
    await open('/locations?show=table')
    const readNames = () => page.$$eval('main tbody tr', (rows) => rows.map(({ textContent }) => textContent.trim()))
    await press('button', 'Name', '//thead')
    await expectQuery('sort=name')
    await expectElement('th[aria-sort=ascending]')
    const ascending = await readNames()
    expect(ascending.length, 'rows of the table').toBeGreaterThan(5)
    await press('button', 'Name', '//thead')
    await expectQuery('sort=-name')
    await expect.poll(readNames, { timeout: TIMEOUT_MS }).not.toEqual(ascending)
  })

  test('a filtered list is copied as a table', async () => {
    await open('/locations?show=table&status=active')
    await press('button', 'Copy', '//main')
    await press('button', 'Copy as a table')
    await page.locator('main search input').click()
    await page.keyboard.down('Control')
    await page.keyboard.press('v')
    await page.keyboard.up('Control')
    const readSearch = () =>
      page
        .locator('main search input')
        .map((input) => input.value)
        .wait()
    await expect.poll(readSearch, { timeout: TIMEOUT_MS }).toMatch(/^Name/)
  })

  test('a list is downloaded as an Excel workbook', async () => {
    await open('/charters')
    const name = await readFirstName('/charter/')
    const rows = await readRows(
      await download('Charters', async () => {
        await press('button', 'Download list')
        await press('button', 'Excel workbook')
      }),
    )
    expect(rows.slice(1).map(([first]) => first)).toContain(name)
  })

  test('an export is downloaded with a row for each site', async () => {
    await open('/downloads')
    await select('Export', 'Facilities')
    const rows = await readRows(await download('Facilities', () => press('button', 'Download', '//main')))
    expect(rows, 'the header and 30 sites').toHaveLength(31)
  })

  test('a list is saved as a view and opened from the home page', async () => {
    await open('/locations?status=closed')
    await press('button', 'Views', '//main')
    await press('button', 'Save this view')
    await fill('Name', 'Closed in Firefox')
    await press('button', 'Save view')
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
    await open('/')
    await press('link', 'Closed in Firefox', '//main')
    await expectPath('/locations')
    await expectQuery('status=closed')
  })

  test('the coverage board is filtered by region', async () => {
    await open('/coverage')
    await select('Region', 'California')
    await expectQuery('region=california')
    await followLink('/location/')
  })

  test.each([
    ['/regions', '/region/'],
    ['/brand', '/brand/'],
    ['/support', '/staff/'],
  ])('%s leads to a record and back', async (path, prefix) => {
    await open(path)
    await followLink(prefix)
    await page.goBack()
    await expectPath(path)
  })
})

describe('changing', () => {
  const openSite = async (query = ''): Promise<string> => {
    await open('/locations')
    const path = await followLink('/location/')
    // Firefox reports requests that are aborted by navigation.
    await readHeading()
    await page.waitForNetworkIdle()
    if (query !== '') await open(`${path}${query}`)
    return path.replace('/location/', '')
  }
  const openCharter = async (): Promise<string> => {
    await open('/charters')
    const path = await followLink('/charter/')
    await readHeading()
    await page.waitForNetworkIdle()
    return path.replace('/charter/', '')
  }

  test('an invalid field of a site is named, and the form is saved once it is corrected', async () => {
    await openSite('?edit=1')
    await fill('City', 'Firefox Springs')
    await fill('Zip', '12')
    await press('button', 'Save Changes')
    await expectText('Enter exactly five digits')
    await fill('Zip', '93536')
    await press('button', 'Save Changes')
    await page.waitForFunction(() => !location.search.includes('edit'))
    await expectText('Firefox Springs')
  })

  test('the history of a site restores an earlier value', async () => {
    await openSite()
    await press('button', 'History')
    await expectElement('[role=dialog] ::-p-text(Firefox Springs)')
    await press('button', 'Restore City', DIALOG)
    await expectText('City was restored to ')
  })

  test('the facility of a site is edited', async () => {
    const slug = await openSite()
    await open(`/location/fac/${slug}`)
    await press('button', 'Edit')
    await page.locator('input[name="lease_start"]').click()
    await page.keyboard.type('07012024')
    await fill('Base rent', '$4,200 a month')
    await press('button', 'Save Changes')
    await expectText('07/01/2024')
    await expectText('$4,200 a month')
  })

  test('a person is edited', async () => {
    await open('/leadership')
    await followLink('/staff/')
    await press('button', 'Edit Info')
    await fill('Phone', '(209) 555-0142 x12')
    await press('button', 'Save Changes')
    await expectText('209-555-0142')
    await expectElement('main [href^="tel:"]')
  })

  test('someone who is not in HR is added and gets a role at a site', async () => {
    await open('/add_staff')
    await press('button', 'Add someone who is not in HR')
    await fill('Name', 'Juniper Walker')
    await fill('Email', 'juniper.walker@firefox.test')
    await press('button', 'Add', DIALOG)
    await expectText('Juniper Walker')
    await page.waitForNetworkIdle()
    const slug = await openSite()
    await open(`/location/staff/${slug}`)
    await press('button', 'Add Staff')
    await fill('Search staff', 'Juniper Walker')
    await press('button', 'Select Juniper Walker', DIALOG)
    await select('Role', 'Registrar')
    await press('button', 'Save', DIALOG)
    await find('link', 'Juniper Walker', '//main').wait()
  })

  test('a date in a charter affair becomes a deadline, which is handled', async () => {
    const slug = await openCharter()
    const text = `Visit on ${formatMomentDay(new Date(Date.now() + 12 * DAY_MS), 'America/Los_Angeles')}`
    await open(`/charter_affair/${slug}?edit=1`)
    await page.locator('textarea[name="overview.oversight_date"]').fill(text)
    await press('button', 'Submit Changes')
    await find('button', 'Edit Charter Affair').wait()
    await expectText(text)
    await page.waitForNetworkIdle()
    await open(`/deadlines?charter=${slug}`)
    await press('button', 'Handled', `//main//li[contains(., "${text}")]`)
    await expectText('Handled by you just now')
    await page.waitForNetworkIdle()
    await open(`/deadlines?charter=${slug}&state=handled`)
    await expectText('Handled by you today')
  })

  test('a change is suggested and accepted', async () => {
    await openSite()
    await press('button', 'Request a Change')
    await page.locator('input[name="address.phone"]').fill('661-555-0187')
    await fill('Why should this change? (optional)', 'The old number is out of service.')
    await press('button', 'Send suggestion')
    await press('link', 'See it')
    await press('button', 'Accept')
    await press('button', 'Save and answer')
    await expectText('1 accepted.')
  })

  test('a change is requested in words, and is in the list of requests', async () => {
    await openSite()
    await press('button', 'Request a Change')
    await press('button', 'Just describe it')
    await fill('What should change?', 'The phone number is wrong.')
    await press('button', 'Send Request')
    await expectText('Your request was saved')
    await page.waitForNetworkIdle()
    await open('/requests')
    await expectText('The phone number is wrong.')
  })

  test('a list is edited in Excel, uploaded and saved', async () => {
    await open('/locations')
    const name = await readFirstName('/location/')
    const file = await download('Sites', async () => {
      await press('button', 'Edit in Excel')
      await press('button', 'All 30 sites')
    })
    const [first, ...others] = (await readXlsx(file)).sheets
    const [header = [], ...rows] = first?.rows ?? []
    const edited = rows.map((row) => (row.includes(name) ? row.map((cell, at) => (header[at] === 'City' ? 'Firefox Falls' : cell)) : row))
    const sheets = [
      { name: first?.name ?? 'Sites', rows: [header, ...edited] },
      ...others.map((sheet) => ({ name: sheet.name, rows: sheet.rows })),
    ]
    const path = join(downloads, 'edited.xlsx')
    await writeFile(path, await writeXlsx({ sheets }))
    await open('/locations')
    await press('button', 'Edit in Excel')
    const input = await page.locator('input[type=file]').waitHandle()
    await input.uploadFile(path)
    await expectText('Check the changes')
    await press('button', 'Save 1 change')
    await expectText('1 change is saved')
  })

  test('one field of two selected sites is changed and undone', async () => {
    await open('/locations?show=table')
    for (const row of [1, 2]) await page.locator(`::-p-xpath((//main//tbody//input[@type="checkbox"])[${row}])`).click()
    await press('button', 'Change…')
    await page.locator('[role=dialog] input[role=combobox]').fill('City')
    await page.locator('::-p-xpath(//*[@role="option"][normalize-space()="City"])').click()
    await fill('New value', 'Firefox Valley')
    await press('button', 'Change 2 sites', DIALOG)
    await expectText('2 sites changed.')
    await press('button', 'Undo')
    await expectText('2 sites changed back.')
  })

  test('a brand is added', async () => {
    await open('/addbrand')
    await fill('Brand name', 'Juniper Firefox')
    await fill('Website', 'https://juniper.example')
    await fill('Enrollments URL', 'https://juniper.example/enroll')
    await press('button', 'Add Brand')
    await page.waitForFunction(() => location.pathname.startsWith('/brand'))
    await expectText('Juniper Firefox')
  })

  test('a site becomes a favorite and is on the home page', async () => {
    await openSite()
    const name = await readHeading()
    await press('button', 'Favorite')
    await page.waitForNetworkIdle()
    await open('/')
    await expectText(name)
  })

  test('unsaved changes survive a reload and are restored', async () => {
    await open('/addbrand')
    await fill('Brand name', 'Half a name')
    await page.reload()
    await press('button', 'Restore')
    const readValues = () => page.$$eval('input', (inputs) => inputs.map(({ value }) => value))
    await expect.poll(readValues, { timeout: TIMEOUT_MS }).toContain('Half a name')
  })

  test('a permission is granted and removed', async () => {
    await open('/permissions')
    await fill('Make someone an administrator', 'new.admin@firefox.test')
    await press('button', 'Make Admin: new.admin@firefox.test')
    await press('button', 'Make Admin', DIALOG)
    await expectText('is now a level ')
    await press('button', 'Remove Admin: new.admin@firefox.test')
    await press('button', 'Remove Admin', DIALOG)
    await expectText('is no longer an administrator.')
  })
})

describe('the account', () => {
  test('an API token is created', async () => {
    await open('/account')
    await press('button', 'Create a Token')
    await fill('Name', 'Timetable')
    await press('button', 'Create Token')
    await press('button', 'Done')
    await expectText('Timetable')
  })

  test('signing out ends the session', async () => {
    await open('/account')
    await press('button', 'Sign Out Everywhere')
    await press('button', 'Sign Out Everywhere', DIALOG)
    await expectPath('/login')
  })
})
