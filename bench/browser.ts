import { brotliCompressSync, constants } from 'node:zlib'

import { type Browser, chromium, type Page } from '@playwright/test'

import playwright from '../playwright.config.ts'
import type { Network } from './network.ts'

const withPage = async <T>(network: Network, work: (page: Page) => Promise<T>): Promise<T> => {
  const browser: Browser = await chromium.launch(playwright.use?.launchOptions)
  try {
    const page = await browser.newPage({ baseURL: network.url, viewport: { width: 1440, height: 900 } })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Login Using O365' }).click()
    await page.locator('input[name=login]').fill('level10@sample.test')
    await page.locator('input[name=login]').press('Enter')
    await page.getByText('Welcome, ').waitFor()
    return await work(page)
  } finally {
    await browser.close()
  }
}

/** What the first page fetches for later it has fetched by then, in milliseconds. */
const SETTLED = 2500

/** Bytes of JavaScript, as brotli, that the first page after sign-in fetches: what it needs, and the palette it fetches ahead. */
export const firstPageWeight = (network: Network): Promise<number> =>
  withPage(network, async (page) => {
    const scripts = new Map<string, Promise<Buffer>>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body())
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.waitForTimeout(SETTLED)
    await page.waitForLoadState('networkidle')
    const bodies = await Promise.all(scripts.values())
    const packed = bodies.map((body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length)
    return packed.reduce((sum, length) => sum + length, 0)
  })

/** Milliseconds of script that one letter in the filter of the site list costs: the median of several, the list's own drawing included. */
export const keystroke = (network: Network): Promise<number> =>
  withPage(network, async (page) => {
    await page.goto('/locations')
    const field = page.getByRole('textbox', { name: 'Name, address or city' })
    await page.getByText('Showing all').waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const script = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000
    }
    await field.focus()
    const took: number[] = []
    for (const letter of 'center lodi re') {
      const before = await script()
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      await page.waitForTimeout(150)
      took.push((await script()) - before)
    }
    return Math.round((took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0) * 10) / 10
  })
