import { describe, expect, test } from 'vitest'

import { defineChangingWalks } from './changing-walks.ts'
import { TIMEOUT_MS } from './walk-browser.ts'
import {
  browser,
  DIALOG,
  download,
  expectElement,
  expectHeading,
  expectNoDialog,
  expectPath,
  expectQuery,
  expectText,
  fill,
  followLink,
  open,
  press,
  pressAction,
  readFirstName,
  readHeading,
  readRows,
  select,
  setNetwork,
  startWalks,
  waitFor,
  waitUntilLoaded,
} from './walk.ts'

// The most common tasks in the other browser engines, which reveal what only Chromium tolerates.

/**
 * The walks in one engine, in a window of a width. On a phone lists are cards, so the walks through tables are skipped there; a bulk change begins with
 * the selection of cards.
 */
export const defineWalks = (engine: 'Firefox' | 'WebKit', width: number): void => {
  const isPhone = width < 745
  startWalks(engine, width)

  test('someone signs in with their work account', async () => {
    await open('/login')
    await press('button', 'Login Using O365')
    await browser.fill('input[name=login]', 'level1@sample.test')
    await browser.pressEnter()
    await expectText('Welcome, ')
    // What is still loading when a page is left counts as an error of the next one.
    await waitUntilLoaded()
  })

  describe('finding', () => {
    const search = async (text: string) => {
      await browser.pressControl('k')
      await browser.fill('input[role=combobox]', text)
      await expectElement(`//*[@role="row"][contains(., "${text}")]`)
      await browser.pressEnter()
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
      await waitFor('person', () => location.pathname.startsWith('/staff/'))
      await expectHeading(name)
    })

    test('a list is searched and filtered, and keeps both when the user returns from a record', async () => {
      await open('/locations')
      await browser.fill('main search input', 'center')
      await expectQuery('q=center')
      await press('button', 'Active')
      await expectQuery('status=active')
      await followLink('/location/')
      expect(await readHeading()).not.toBe('')
      await browser.goBack()
      await expectPath('/locations')
      await expectQuery('q=center')
      await expectQuery('status=active')
    })

    test.skipIf(isPhone)('a table is sorted by a column in both directions', async () => {
      await open('/locations?show=table')
      const readNames = () =>
        browser.evaluate(() => [...document.querySelectorAll('main tbody tr')].map(({ textContent }) => textContent.trim()))
      await press('button', 'Name', '//thead')
      await expectQuery('sort=name')
      await expectElement('th[aria-sort=ascending]')
      const ascending = await readNames()
      expect(ascending.length, 'rows of the table').toBeGreaterThan(5)
      await press('button', 'Name', '//thead')
      await expectQuery('sort=-name')
      await expect.poll(readNames, { timeout: TIMEOUT_MS }).not.toEqual(ascending)
    })

    test.skipIf(isPhone)('a filtered list is copied as a table', async () => {
      await open('/locations?show=table&status=active')
      await press('button', 'Copy', '//main')
      await press('button', 'Copy as a table')
      await browser.click('main search input')
      await browser.pressControl('v')
      const readSearch = () => browser.evaluate(() => document.querySelector<HTMLInputElement>('main search input')?.value)
      await expect.poll(readSearch, { timeout: TIMEOUT_MS }).toMatch(/^Name/)
    })

    test('a list is downloaded as an Excel workbook', async () => {
      await open('/charters')
      const name = await readFirstName('/charter/')
      const rows = await readRows(
        await download('Charters', async () => {
          if (isPhone) await press('button', 'Tools', '//main')
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
      if (isPhone) await press('button', 'Tools', '//main')
      await press('button', 'Views', '//main')
      await press('button', 'Save this view')
      await fill('Name', 'Closed in a walk')
      await press('button', 'Save view')
      await expectNoDialog()
      await open('/')
      await press('link', 'Closed in a walk', '//main')
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
      await browser.goBack()
      await expectPath(path)
    })
  })

  describe('deadlines', () => {
    test('each view shows deadlines with their dates', async () => {
      await open('/deadlines')
      await expectElement('main time[datetime]')
      const overdue = () => [...document.querySelectorAll('main [data-state=overdue]')].map(({ textContent }) => textContent)
      expect(await waitFor('overdue deadline', overdue)).toContainEqual(expect.stringMatching(/\d days? overdue/))
      await open('/deadlines?view=month')
      await waitFor('month', (year) => document.querySelector('main')?.textContent.includes(year), String(new Date().getFullYear()))
      await open('/deadlines?view=year')
      await waitFor('quarter of the year', () => / – \w{3}/.test(document.querySelector('main')?.textContent ?? ''))
      await open('/deadlines?view=sort-out')
      await expectElement('//main//h2')
    })

    test('a list is printed whole, in light colors', async () => {
      await open('/deadlines')
      await expectElement('main time[datetime]')
      await browser.evaluate(() => {
        window.print = () => {
          dispatchEvent(new Event('beforeprint'))
          document.body.dataset['printed'] = document.documentElement.dataset['mantineColorScheme'] ?? ''
          dispatchEvent(new Event('afterprint'))
        }
      })
      await pressAction('Print')
      expect(await waitFor('print', () => document.body.dataset['printed'])).toBe('light')
    })
  })

  defineChangingWalks(isPhone)

  describe('the account', () => {
    test('an API token is created', async () => {
      await open('/account')
      await press('button', 'Create a Token')
      await fill('Name', 'Timetable')
      await press('button', 'Create Token')
      await press('button', 'Done')
      await expectText('Timetable')
    })

    // Firefox reports requests without a network as errors of the page.
    test.skipIf(engine === 'Firefox')('without a network the copy finds a person to call', async () => {
      await open('/account')
      await browser.click('//input[@role="switch"]/parent::*[contains(., "Keep the directory on this device")]//input')
      await expectText('On this device: 30 sites')
      await waitFor('service worker', () => navigator.serviceWorker.controller !== null)
      setNetwork(false)
      try {
        await open('/leadership')
        await expectText('Offline, as of')
        const name = await readFirstName('/staff/')
        await browser.pressControl('k')
        await browser.fill('input[role=combobox]', name)
        await expectElement(`//*[@role="row"][contains(., "${name}")]//a[starts-with(@href, "tel:")]`)
      } finally {
        setNetwork(true)
      }
      await open('/account')
      await expectText('On this device: 30 sites')
    })

    test('signing out ends the session, and nothing stays on the device', async () => {
      await open('/account')
      await press('button', 'Sign Out Everywhere')
      await press('button', 'Sign Out Everywhere', DIALOG)
      await expectPath('/login')
      const stored = () => indexedDB.databases().then((databases) => [...databases.map(({ name }) => name), ...Object.keys(localStorage)])
      await expect
        .poll(() => browser.evaluate(stored), { timeout: TIMEOUT_MS })
        .not.toContainEqual(expect.stringMatching(/^homeroom(\.copy)?$/))
    })
  })
}
