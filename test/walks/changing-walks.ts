import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'

import { DAY_MS, formatDay, formatMomentDay } from '../../src/contract/dates.ts'
import { TIMEOUT_MS } from './walk-browser.ts'
import {
  browser,
  DIALOG,
  download,
  downloads,
  expectElement,
  expectText,
  fill,
  followLink,
  named,
  open,
  press,
  pressAction,
  readFirstName,
  readHeading,
  select,
  waitFor,
  waitUntilLoaded,
} from './walk.ts'

/** Walks that change records, after the one that signs in. */
export const defineChangingWalks = (isPhone: boolean): void => {
  describe('changing', () => {
    const openSite = async (query = ''): Promise<string> => {
      await open('/locations')
      const path = await followLink('/location/')
      await readHeading()
      await waitUntilLoaded()
      if (query !== '') await open(`${path}${query}`)
      return path.replace('/location/', '')
    }
    const openCharter = async (): Promise<string> => {
      await open('/charters')
      const path = await followLink('/charter/')
      await readHeading()
      await waitUntilLoaded()
      return path.replace('/charter/', '')
    }

    test('an invalid field of a site is named, and the form is saved once it is corrected', async () => {
      await openSite('?edit=1')
      await fill('City', 'Springs Walk')
      await fill('ZIP code', '12')
      await press('button', 'Save Changes')
      await expectText('Enter exactly five digits')
      await fill('ZIP code', '93536')
      await press('button', 'Save Changes')
      await waitFor('page without the form', () => !location.search.includes('edit'))
      await expectText('Springs Walk')
    })

    test('the history of a site restores an earlier value', async () => {
      await openSite()
      await pressAction('History')
      await expectElement('//*[@role="dialog"][contains(., "Springs Walk")]')
      await press('button', 'Restore City', DIALOG)
      await expectText('City was restored to ')
    })

    test('the facility of a site is edited', async () => {
      const slug = await openSite()
      await open(`/location/fac/${slug}`)
      await pressAction('Edit')
      await browser.click('input[name="lease_start"]')
      // WebKit moves on to the day and the year only at a slash.
      await browser.type('07/01/2024')
      await fill('Base rent', '$4,200 a month')
      await press('button', 'Save Changes')
      await expectText('07/01/2024')
      await expectText('$4,200 a month')
    })

    test('a person is edited', async () => {
      await open('/leadership')
      await followLink('/staff/')
      await pressAction('Edit Info')
      await fill('Phone', '(209) 555-0142 x12')
      await press('button', 'Save Changes')
      await expectText('209-555-0142')
      await expectElement('main [href^="tel:"]')
    })

    test('someone who is not in HR is added and gets a role at a site', async () => {
      await open('/add_staff')
      await press('button', 'Add someone who is not in HR')
      await fill('Name', 'Juniper Walker')
      await fill('Email', 'juniper.walker@walks.test')
      await press('button', 'Add', DIALOG)
      await expectText('Juniper Walker')
      await waitUntilLoaded()
      const slug = await openSite()
      await open(`/location/staff/${slug}`)
      await press('button', 'Add Staff')
      await fill('Search staff', 'Juniper Walker')
      await press('button', 'Select Juniper Walker', DIALOG)
      await select('Role', 'Registrar')
      await press('button', 'Save', DIALOG)
      await expectElement(named('link', 'Juniper Walker', '//main'))
    })

    test('a date in a charter affair becomes a deadline, which is handled', async () => {
      const slug = await openCharter()
      const text = `Visit on ${formatMomentDay(new Date(Date.now() + 12 * DAY_MS), 'America/Los_Angeles')}`
      await open(`/charter_affair/${slug}?edit=1`)
      await browser.fill('textarea[name="overview.oversight_date"]', text)
      await press('button', 'Submit Changes')
      await expectElement(named('button', 'Edit Charter Affair'))
      await expectText(text)
      await waitUntilLoaded()
      await open(`/deadlines?charter=${slug}`)
      await press('button', 'Handled', `//main//li[contains(., "${text}")]`)
      await expectText('Handled by you just now')
      await waitUntilLoaded()
      await open(`/deadlines?charter=${slug}&state=handled`)
      await expectText('Handled by you today')
    })

    test('a change is suggested and accepted', async () => {
      await openSite()
      await pressAction('Request a Change')
      await browser.fill('input[name="address.phone"]', '661-555-0187')
      await fill('Why should this change? (optional)', 'The old number is out of service.')
      await press('button', 'Send Suggestion')
      await press('link', 'See it')
      await press('button', 'Accept')
      await press('button', 'Save and Answer')
      await expectText('1 accepted.')
    })

    test('a change is planned for a later day', async () => {
      await openSite()
      await pressAction('Edit Site')
      await fill('Address line 1', '99 Walk Street')
      await press('button', 'Save for Later')
      const day = await waitFor('day', () => document.querySelector<HTMLInputElement>('[role=dialog] input[type=date]')?.value)
      expect(day).toMatch(/^\d{4}-07-01$/)
      await press('button', `Save for ${formatDay(day)}`, DIALOG)
      await expectText(`1 change planned for ${formatDay(day)}.`)
    })

    test('a change is requested in words, and is in the list of requests', async () => {
      await openSite()
      await pressAction('Request a Change')
      await press('button', 'Just describe it')
      await fill('What should change?', 'The phone number is wrong.')
      await press('button', 'Send Request')
      await expectText('Your request was saved')
      await waitUntilLoaded()
      await open('/requests')
      await expectText('The phone number is wrong.')
    })

    test('a list is edited in Excel, uploaded and saved', async () => {
      await open('/locations')
      const name = await readFirstName('/location/')
      const file = await download('Sites', async () => {
        if (isPhone) await press('button', 'Tools', '//main')
        await press('button', 'Edit in Excel')
        await press('button', 'All 30 sites')
      })
      const [first, ...others] = (await readXlsx(file)).sheets
      const [header = [], ...rows] = first?.rows ?? []
      const edited = rows.map((row) => (row.includes(name) ? row.map((cell, at) => (header[at] === 'City' ? 'Falls Walk' : cell)) : row))
      const sheets = [
        { name: first?.name ?? 'Sites', rows: [header, ...edited] },
        ...others.map((sheet) => ({ name: sheet.name, rows: sheet.rows })),
      ]
      const path = join(downloads, 'edited.xlsx')
      await writeFile(path, await writeXlsx({ sheets }))
      await open('/locations')
      if (isPhone) await press('button', 'Tools', '//main')
      await press('button', 'Edit in Excel')
      await browser.upload('input[type=file]', path)
      await expectText('Check the changes')
      await press('button', 'Save 1 change')
      await expectText('1 change is saved')
    })

    test('one field of two selected sites is changed and undone', async () => {
      await open(isPhone ? '/locations?show=cards' : '/locations?show=table')
      if (isPhone) {
        await press('button', 'Tools', '//main')
        await press('button', 'Select', '//main')
      }
      for (const row of [1, 2])
        await browser.click(
          `(//main//input[@type="checkbox"][starts-with(@aria-label, "Select ")][not(starts-with(@aria-label, "Select all"))])[${row}]`,
        )
      await press('button', 'Change…')
      await browser.fill('[role=dialog] input[role=combobox]', 'City')
      await browser.click('//*[@role="option"][normalize-space()="City"]')
      await fill('New value', 'Valley Walk')
      await press('button', 'Change 2 sites', DIALOG)
      await expectText('2 sites changed.')
      await press('button', 'Undo')
      await expectText('2 sites changed back.')
    })

    test('a brand is added', async () => {
      await open('/addbrand')
      await fill('Brand name', 'Juniper Walks')
      await fill('Website', 'https://juniper.example')
      await fill('Enrollments URL', 'https://juniper.example/enroll')
      await press('button', 'Add Brand')
      await waitFor('brand', () => location.pathname.startsWith('/brand'))
      await expectText('Juniper Walks')
    })

    test('a site becomes a favorite and is on the home page', async () => {
      await openSite()
      const name = await readHeading()
      await pressAction(isPhone ? 'Add to favorites' : 'Favorite')
      await waitUntilLoaded()
      await open('/')
      await expectText(name)
    })

    test('unsaved changes survive a reload and are restored', async () => {
      await open('/addbrand')
      await fill('Brand name', 'Half a name')
      await browser.reload()
      await press('button', 'Restore')
      const readValues = () => browser.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value))
      await expect.poll(readValues, { timeout: TIMEOUT_MS }).toContain('Half a name')
    })

    test('a permission is granted and removed', async () => {
      await open('/permissions')
      await fill('Make someone an administrator', 'new.admin@walks.test')
      await press('button', 'Make Admin: new.admin@walks.test')
      await press('button', 'Make Admin', DIALOG)
      await expectText('is now a level ')
      await press('button', 'Remove Admin: new.admin@walks.test')
      await press('button', 'Remove Admin', DIALOG)
      await expectText('is no longer an administrator.')
    })
  })
}
