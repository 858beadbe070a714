import puppeteer, { type Page } from 'puppeteer-core'

import { findFirefox } from '../../scripts/browsers.mjs'
import { isXPath, TIMEOUT_MS, type WalkBrowser } from './walk-browser.ts'

/** Firefox, driven by puppeteer over WebDriver BiDi. */
export const startFirefox = async ({ width, downloads }: { width: number; downloads: string }): Promise<WalkBrowser> => {
  const executablePath = findFirefox()
  if (executablePath === undefined) throw new Error('Firefox is not installed: install the package firefox-esr')
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': downloads, 'browser.download.useDownloadDir': true },
  })
  let page: Page
  let errors: string[] = []
  const locate = (selector: string) => page.locator(isXPath(selector) ? `::-p-xpath(${selector})` : selector)
  return {
    begin: async () => {
      errors = []
      page = await browser.newPage()
      page.setDefaultTimeout(TIMEOUT_MS)
      await page.setViewport({ width, height: 900 })
      page.on('pageerror', (error) => errors.push(error instanceof Error ? error.message : String(error)))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      // A form with unsaved changes asks before it is left.
      page.on('dialog', (dialog) => void dialog.accept())
    },
    end: async () => {
      await page.close()
      return errors
    },
    open: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    goBack: async () => void (await page.goBack()),
    evaluate: (run, ...args) => page.evaluate(run as never, ...args),
    click: (selector) => locate(selector).click(),
    fill: (selector, text) => locate(selector).fill(text),
    type: (text) => page.keyboard.type(text),
    pressEnter: () => page.keyboard.press('Enter'),
    pressControl: async (letter) => {
      await page.keyboard.down('Control')
      await page.keyboard.press(letter as 'k')
      await page.keyboard.up('Control')
    },
    upload: async (selector, path) => {
      const input = await page.locator(selector as 'input').waitHandle()
      await input.uploadFile(path)
    },
    close: () => browser.close(),
  }
}
