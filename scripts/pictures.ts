import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'

import { CHROMIUM_ARGUMENTS, findChromium } from './chromium.mjs'

// `npm run pictures [-- URL]`: makes the pictures of docs/users from a running server that has the sample network, light and dark. They are committed,
// so that no server needs a browser.

const [url = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const FOLDER = fileURLToPath(new URL('../docs/users/pictures/', import.meta.url))
const SIZE = { width: 1200, height: 750 }
const QUALITY = 58

/** A picture by its name: the page, and what is done on it. */
interface Picture {
  readonly path: string
  readonly prepare?: (page: Page) => Promise<void>
}

const tickRows = async (page: Page): Promise<void> => {
  for (const row of [0, 1, 2]) await page.locator(`[data-place="${row}"] input[type=checkbox]`).check({ force: true })
}

const PICTURES: Readonly<Record<string, Picture>> = {
  search: {
    path: '/',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search everything', exact: true }).fill('principal lodi')
      await page.getByRole('row').first().waitFor()
    },
  },
  table: { path: '/locations?view=table&status=active' },
  'change-many': {
    path: '/locations?view=table&status=active',
    prepare: async (page) => {
      await tickRows(page)
      await page.getByRole('button', { name: 'Change…', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('hours')
    },
  },
  site: { path: '/location/lodi-resource-center' },
  coverage: { path: '/coverage' },
  deadlines: { path: '/deadlines?view=year' },
}

const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('load')
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Lists and maps are drawn in steps; the stream of changes never ends, so the network is never idle.
  await page.waitForTimeout(2500)
}

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'Login Using O365', exact: true }).click()
  await page.locator('input[name=login]').fill('manager@sample.test')
  await page.locator('input[name=login]').press('Enter')
  await page.getByText('Welcome, ').waitFor()
}

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' })
const page = await context.newPage()
await signIn(page)
for (const [name, { path, prepare }] of Object.entries(PICTURES))
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${url}${path}`)
    await settle(page)
    await prepare?.(page)
    await page.waitForTimeout(800)
    const bytes = await sharp(await page.screenshot())
      .webp({ quality: QUALITY, effort: 6 })
      .toBuffer()
    writeFileSync(`${FOLDER}${name}${scheme === 'dark' ? '-dark' : ''}.webp`, bytes)
    process.stdout.write(`${name} ${scheme}: ${Math.round(bytes.length / 1000)} kB\n`)
  }
await browser.close()
