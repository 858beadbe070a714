import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { findFirefox } from '../../scripts/firefox.mjs'
import { getFreePort } from '../support/free-port.ts'
import { startProgram } from '../support/server-process.ts'

// The most common tasks in a second browser engine, which reveal what only Chromium tolerates.

const TIMEOUT_MS = 20_000

let url = ''
let browser: Browser
let page: Page
let stopServer: () => Promise<void>
let errors: string[] = []

/** Finds it by its label, or by its text without the shortcut. Querying the browser's accessibility tree would be a hundred times slower. */
const press = (role: 'button' | 'link', name: string) =>
  page
    .locator(
      `::-p-xpath(//${role === 'button' ? 'button' : 'a'}[starts-with(normalize-space(), "${name}") or @aria-label="${name}"][not(ancestor::*[@inert])])`,
    )
    .click()
/** The label of a required field ends with an asterisk. */
const fill = (label: string, text: string) =>
  page.locator(`::-p-xpath(//*[@id = //label[normalize-space()="${label}" or normalize-space()="${label} *"]/@for])`).fill(text)
const expectText = (text: string) =>
  page
    .waitForFunction((wanted) => document.body.textContent.includes(wanted), {}, text)
    .catch((error: unknown) => {
      throw new Error(`The page does not show "${text}"`, { cause: error })
    })
const expectElement = (selector: string) => page.locator(selector).wait()
const readHeading = () =>
  page
    .locator('main h1')
    .map(({ textContent }) => textContent.trim())
    .wait()
const open = (path: string) => page.goto(`${url}${path}`)
const expectQuery = (part: string) => page.waitForFunction((wanted) => location.search.includes(wanted), {}, part)
const expectPath = (path: string) => page.waitForFunction((wanted) => location.pathname === wanted, {}, path)
/** Follows the first link of the page whose URL has this prefix. */
const followLink = async (prefix: string): Promise<string> => {
  const selector = `main a[href^="${prefix}"]`
  const path = await page
    .locator(selector)
    .map((link) => new URL((link as HTMLAnchorElement).href).pathname)
    .wait()
  await page.locator(selector).click()
  await expectPath(path)
  return path
}

const openPage = async (): Promise<Page> => {
  const opened = await browser.newPage()
  opened.setDefaultTimeout(TIMEOUT_MS)
  await opened.setViewport({ width: 1280, height: 900 })
  opened.on('pageerror', (error) => errors.push(error instanceof Error ? error.message : String(error)))
  opened.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  // A form with unsaved changes asks before it is left.
  opened.on('dialog', (dialog) => void dialog.accept())
  return opened
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-firefox-'))
  await chmod(folder, 0o711) // as root the database runs as another user, who needs access
  url = `http://127.0.0.1:${await getFreePort()}`
  const server = startProgram(process.execPath, ['src/main.server.ts'], {
    PORT: new URL(url).port,
    DATA_DIR: join(folder, 'data'),
    SAMPLE: '30',
  })
  stopServer = async () => {
    server.child.kill('SIGTERM')
    await server.ended
    await rm(folder, { recursive: true, force: true })
  }
  await server.waitForLine(/^Ready: /m)
  const executablePath = findFirefox()
  if (executablePath === undefined) throw new Error('Firefox is not installed: install the package firefox-esr')
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
})
afterAll(async () => {
  await browser?.close()
  await stopServer?.()
})
beforeEach(async () => {
  errors = []
  page = await openPage()
})
afterEach(async () => {
  await page.close()
  if (errors.length > 0) throw new Error(`Errors on the page:\n${errors.join('\n')}`)
})

test('someone signs in with their work account', async () => {
  await open('/login')
  await press('button', 'Login Using O365')
  await page.locator('input[name=login]').fill('level1@sample.test')
  await page.keyboard.press('Enter')
  await expectText('Welcome, ')
})

describe('finding', () => {
  test('the search window finds a page and opens it', async () => {
    await open('/')
    await expectText('Welcome, ')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.locator('input[role=combobox]').fill('Regions & States')
    await page.locator('[role=row] ::-p-text(Regions & States)').wait()
    await page.keyboard.press('Enter')
    await expectPath('/regions')
  })

  test('the list of sites leads to a site', async () => {
    await open('/locations')
    expect(await readHeading()).toBe('Resource Centers')
    await followLink('/location/')
    expect(await readHeading()).not.toBe('')
  })

  test('what is typed above a list is in its address', async () => {
    await open('/locations')
    await page.locator('main search input').fill('center')
    await expectQuery('q=center')
  })

  test('a list is shown as a table', async () => {
    await open('/locations?show=table')
    await expectElement('main [role=table], main table')
  })

  test.each([
    ['/regions', '/region/'],
    ['/charters', '/charter/'],
    ['/brand', '/brand/'],
    ['/leadership', '/staff/'],
    ['/support', '/staff/'],
  ])('%s leads to a record and back', async (path, prefix) => {
    await open(path)
    await followLink(prefix)
    await page.goBack()
    await expectPath(path)
  })

  test.each(['/coverage', '/usage', '/errors', '/downloads', '/accounts', '/settings', '/permissions'])('%s opens', async (path) => {
    await open(path)
    expect(await readHeading()).not.toBe('')
    expect(new URL(page.url()).pathname).toBe(path)
  })
})

describe('changing', () => {
  const openSite = async (query = ''): Promise<void> => {
    await open('/locations')
    const path = await followLink('/location/')
    // Firefox reports requests that are aborted by navigation.
    await readHeading()
    await page.waitForNetworkIdle()
    if (query !== '') await open(`${path}${query}`)
  }

  test('a wrong field is named, and what was typed is saved once it is right', async () => {
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

  test('the history of a site shows what changed', async () => {
    await openSite()
    await press('button', 'History')
    await expectElement('[role=dialog] ::-p-text(Firefox Springs)')
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

  test('a change is requested, and is in the list of requests', async () => {
    await openSite()
    await press('button', 'Request a Change')
    await press('button', 'Just describe it')
    await fill('What should change?', 'The phone number is wrong.')
    await press('button', 'Send Request')
    await expectText('Your request was saved')
    await open('/requests')
    await expectText('The phone number is wrong.')
  })

  test('a site becomes a favorite and is on home', async () => {
    await openSite()
    const name = await readHeading()
    await press('button', 'Favorite')
    await open('/')
    await expectText(name)
  })

  test('what was typed survives a reload', async () => {
    await open('/addbrand')
    await fill('Brand name', 'Half a name')
    await page.reload()
    await expectText('Restore')
  })
})

describe('the account', () => {
  test('a token is made', async () => {
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
    await page.locator('[role=dialog] ::-p-xpath(.//button[normalize-space()="Sign Out Everywhere"])').click()
    await expectPath('/login')
  })
})
