import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readXlsx } from 'hucre/xlsx'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

import { findFirefox } from '../../scripts/firefox.mjs'
import { getFreePort } from '../support/free-port.ts'
import { startProgram } from '../support/server-process.ts'

export const TIMEOUT_MS = 20_000

let url = ''
/** The folder of downloaded files. */
export let downloads = ''
let browser: Browser
/** The page of the current test. */
export let page: Page
let stopServer: () => Promise<void>
let errors: string[] = []

/** Finds it by its label, or by its text without the shortcut. Querying the browser's accessibility tree would be a hundred times slower. */
export const find = (role: 'button' | 'link', name: string, within = '') =>
  page.locator(
    `::-p-xpath(${within}//${role === 'button' ? 'button' : 'a'}[starts-with(normalize-space(), "${name}") or starts-with(@aria-label, "${name}")][not(ancestor::*[@inert])])`,
  )
export const press = (role: 'button' | 'link', name: string, within?: string) => find(role, name, within).click()
export const DIALOG = '//*[@role="dialog"]'
/** The label of a required field ends with an asterisk. */
export const fill = (label: string, text: string) =>
  page.locator(`::-p-xpath(//*[@id = //label[normalize-space()="${label}" or normalize-space()="${label} *"]/@for])`).fill(text)
/** Selects the option with this text. */
export const select = async (label: string, text: string) => {
  const value = await page
    .locator(
      `::-p-xpath(//select[@id = //label[starts-with(normalize-space(), "${label}")]/@for or @aria-label="${label}"]//option[.="${text}"])`,
    )
    .map((option) => (option as HTMLOptionElement).value)
    .wait()
  await page
    .locator(`::-p-xpath(//select[@id = //label[starts-with(normalize-space(), "${label}")]/@for or @aria-label="${label}"])`)
    .fill(value)
}
export const expectText = (text: string) =>
  page
    .waitForFunction((wanted) => document.body.textContent.includes(wanted), {}, text)
    .catch((error: unknown) => {
      throw new Error(`The page does not show "${text}"`, { cause: error })
    })
export const expectElement = (selector: string) => page.locator(selector).wait()
export const readHeading = () =>
  page
    .locator('main h1')
    .map(({ textContent }) => textContent.trim())
    .wait()
export const open = (path: string) => page.goto(`${url}${path}`)
export const expectQuery = (part: string) => page.waitForFunction((wanted) => location.search.includes(wanted), {}, part)
export const expectPath = (path: string) => page.waitForFunction((wanted) => location.pathname === wanted, {}, path)
/** Follows the first link of the page whose URL has this prefix. */
export const followLink = async (prefix: string): Promise<string> => {
  const selector = `main a[href^="${prefix}"]`
  const path = await page
    .locator(selector)
    .map((link) => new URL((link as HTMLAnchorElement).href).pathname)
    .wait()
  await page.locator(selector).click()
  await expectPath(path)
  return path
}

/** The name of the first record that a list links to under this prefix. */
export const readFirstName = (prefix: string): Promise<string> =>
  page
    .locator(`main a[href^="${prefix}"]`)
    .map((link) => link.textContent.trim())
    .wait()
/** Does what downloads a file, and returns its bytes. */
export const download = async (name: string, start: () => Promise<unknown>): Promise<Buffer> => {
  const before = new Set(await readdir(downloads))
  await start()
  // Firefox creates an empty file of the final name, and moves the complete one over it.
  const readComplete = async () => {
    const file = (await readdir(downloads)).find((found) => !before.has(found) && found.startsWith(name) && found.endsWith('.xlsx'))
    return file === undefined ? Buffer.alloc(0) : readFile(join(downloads, file))
  }
  await expect.poll(async () => (await readComplete()).length, { timeout: TIMEOUT_MS }).toBeGreaterThan(0)
  return readComplete()
}
export const readRows = async (bytes: Buffer) => (await readXlsx(bytes)).sheets[0]?.rows ?? []

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

/** Starts a server and Firefox for the tests of a file. Each test gets its own page, which must report no error. */
export const runInFirefox = (): void => {
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
    downloads = join(folder, 'downloads')
    await mkdir(downloads)
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': downloads, 'browser.download.useDownloadDir': true },
    })
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
}
