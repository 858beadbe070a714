import { type Browser, type BrowserContext, chromium, devices, type Page } from '@playwright/test'

import playwright from '../../../playwright.config.ts'
import { signInWithForm } from '../../support/browser-pages.ts'
import type { Network } from '../../support/large-network.ts'
import { getMedian } from '../../support/percentile.ts'

/** A cheap phone with one bar of signal. */
const PROCESSOR = { rate: 4 }
const CONNECTION = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 }
const ROUNDS = 5

/** A page that is measured: it can be used once each of these selectors finds something that is not disabled. */
export interface PhonePage {
  readonly path: string
  readonly needs: readonly string[]
}

interface Opened {
  /** Milliseconds from the start of the navigation until the page can be used. */
  readonly ms: number
  /** Kilobytes of JavaScript, as sent, until then. */
  readonly scripts: number
}

/** Opens a page as a cheap phone does. The service worker is off, because the browser does not slow down its connection. */
const openPage = async (context: BrowserContext, { path, needs }: PhonePage, isCold: boolean): Promise<Opened> => {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  if (isCold) await session.send('Network.clearBrowserCache')
  await session.send('Network.emulateNetworkConditions', CONNECTION)
  await session.send('Emulation.setCPUThrottlingRate', PROCESSOR)
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => void (type === 'Script' && scripts.add(requestId)))
  session.on(
    'Network.loadingFinished',
    ({ requestId, encodedDataLength }) => void (bytes += scripts.has(requestId) ? encodedDataLength : 0),
  )
  await page.goto(path, { waitUntil: 'commit' })
  const ms = await page.waitForFunction(
    (selectors) => (selectors.every((selector) => document.querySelector(`main ${selector}:not(:disabled)`)) ? performance.now() : null),
    needs,
    { polling: 'raf', timeout: 60_000 },
  )
  const opened = { ms: (await ms.jsonValue()) ?? Number.NaN, scripts: bytes / 1024 }
  await page.close()
  return opened
}

const openContext = (browser: Browser, network: Network, state?: Awaited<ReturnType<BrowserContext['storageState']>>) =>
  browser.newContext({ ...devices['Pixel 5'], baseURL: network.url, serviceWorkers: 'block', ...(state ? { storageState: state } : {}) })

/** The longest time from a key or tap in a list to the next paint, as the browser counts it; its clock has steps of 8 ms. */
const measureInput = async (page: Page): Promise<number> => {
  await page.goto('/locations')
  const field = page.getByRole('textbox', { name: 'Search by name, address or city' })
  await page.locator('main a[href^="/location/"]').first().waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', PROCESSOR)
  await page.evaluate(() => {
    const found = { longest: 0 }
    Object.assign(self, { inputDelays: found })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.longest = Math.max(found.longest, duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
  await field.tap()
  for (const letter of 'lodi') {
    await page.keyboard.press(letter)
    await page.waitForTimeout(300)
  }
  for (let letter = 0; letter < 4; letter++) {
    await page.keyboard.press('Backspace')
    await page.waitForTimeout(300)
  }
  return page.evaluate(() => (self as unknown as { inputDelays: { longest: number } }).inputDelays.longest)
}

/** Each page as a cheap phone opens it, with an empty cache and with a full one, and the longest wait after a key in a list. */
export const measurePhone = async (network: Network, pages: readonly PhonePage[]) => {
  const browser = await chromium.launch(playwright.use?.launchOptions)
  try {
    const first = await openContext(browser, network)
    const page = await first.newPage()
    await signInWithForm(page, 'level10@sample.test')
    const state = await first.storageState()
    const input = await measureInput(page)
    await first.close()
    const opened: { readonly cold: Opened; readonly warm: Opened }[] = []
    for (const measured of pages) {
      const rounds: { readonly cold: Opened; readonly warm: Opened }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const context = await openContext(browser, network, state)
        const cold = await openPage(context, measured, true)
        rounds.push({ cold, warm: await openPage(context, measured, false) })
        await context.close()
      }
      const toMedian = (form: 'cold' | 'warm'): Opened => ({
        ms: getMedian(rounds.map((round) => round[form].ms)),
        scripts: getMedian(rounds.map((round) => round[form].scripts)),
      })
      opened.push({ cold: toMedian('cold'), warm: toMedian('warm') })
    }
    return { opened, input }
  } finally {
    await browser.close()
  }
}
