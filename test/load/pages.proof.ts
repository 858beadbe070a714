// The cost of a page in a browser: Lighthouse (desktop) for home, the site list and a site; bytes and requests until the first list with an empty
// cache; and script time while scrolling through a list of 10,000 sites. `--sites N` for another size of that list.

import { type BrowserContext, chromium, type Page } from '@playwright/test'

import { type Network, startNetwork } from '../../bench/network.ts'
import playwright from '../../playwright.config.ts'
import { getFreePort } from '../support/free-port.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'
import { CATEGORIES, measureScores } from './pages/lighthouse.ts'

const { sites: manySites } = readNumberOptions({ sites: 10_000 })

/** A separate browser with a signed-in user, which other programs can control through a port. */
const withBrowser = async <T>(network: Network, work: (context: BrowserContext, port: number) => Promise<T>): Promise<T> => {
  const profile = await createTemporaryFolder()
  const port = await getFreePort()
  const options = playwright.use?.launchOptions ?? {}
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
    baseURL: network.url,
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    await page.goto('/login')
    await page.getByRole('button', { name: 'Login Using O365' }).click()
    await page.locator('input[name=login]').fill('level10@sample.test')
    await page.locator('input[name=login]').press('Enter')
    await page.getByText('Welcome, ').waitFor()
    await page.close()
    return await work(context, port)
  } finally {
    await context.close()
    await removeFolder(profile)
  }
}

/** Requests, bytes over the wire and milliseconds until the first list is shown, with an empty cache. */
const untilFirstList = async (context: BrowserContext): Promise<{ requests: number; bytes: number; milliseconds: number }> => {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  let requests = 0
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ request }) => void (requests += request.url.startsWith('http') ? 1 : 0))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  const began = Date.now()
  await page.goto('/locations')
  await page.getByText('Showing all').waitFor()
  const milliseconds = Date.now() - began
  const seen = { requests, bytes, milliseconds }
  await page.close()
  return seen
}

const metric = async (page: Page): Promise<(name: string) => Promise<number>> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return async (name) => ((await session.send('Performance.getMetrics')).metrics.find((one) => one.name === name)?.value ?? 0) * 1000
}

const SCREENS = 200

/** Scrolls a list from beginning to end in steps; returns the milliseconds of script and of all page work per step, and the height. */
const scroll = async (context: BrowserContext, address: string): Promise<{ script: number; work: number; height: number }> => {
  const page = await context.newPage()
  await page.goto(address)
  await page.getByText('Showing all').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(3000)
  const read = await metric(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const [script, work] = [await read('ScriptDuration'), await read('TaskDuration')]
  await page.evaluate(async (steps) => {
    for (let step = 1; step <= steps; step++) {
      scrollTo(0, (document.documentElement.scrollHeight * step) / steps)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }
  }, SCREENS)
  const spent = { script: (await read('ScriptDuration')) - script, work: (await read('TaskDuration')) - work, height }
  await page.close()
  return { script: spent.script / SCREENS, work: spent.work / SCREENS, height }
}

await runProof('pages', async ({ log, report, expectAtMost, expectAtLeast }) => {
  const small = await startNetwork(300, 0, log)
  try {
    const sites = small.db.selectFrom('site').select(['slug', 'displayName']).where('status', '=', 'ACTIVE').orderBy('slug')
    const site = await sites.executeTakeFirstOrThrow()
    const pages = [
      { name: 'Home', path: '/', heading: 'Who or what are you looking for?' },
      { name: 'The site list', path: '/locations', heading: 'Resource Centers' },
      { name: 'A site', path: `/location/${site.slug}`, heading: site.displayName },
    ]
    await withBrowser(small, async (context, port) => {
      for (const { name, path, heading } of pages) {
        const found = await measureScores({ address: `${small.url}${path}`, heading }, port, log)
        expectAtLeast(`${name}, Lighthouse score for ${CATEGORIES.performance}`, found.performance, 95)
        expectAtLeast(`${name}, Lighthouse score for ${CATEGORIES.accessibility}`, found.accessibility, 100)
        expectAtLeast(`${name}, Lighthouse score for ${CATEGORIES['best-practices']}`, found['best-practices'], 100)
      }
      const first = await untilFirstList(context)
      report('Requests for the first list of 300 sites, with an empty cache', first.requests)
      report('Bytes over the wire for it', `${Math.round(first.bytes / 1024).toLocaleString('en-US')} kB`)
    })
  } finally {
    await small.stop()
  }

  const large = await startNetwork(manySites, 0, log)
  try {
    await withBrowser(large, async (context) => {
      for (const [name, address] of [
        ['cards', '/locations'],
        ['table', '/locations?show=table'],
      ] as const) {
        const { script, work, height } = await scroll(context, address)
        report(`${manySites.toLocaleString('en-US')} sites as ${name}: height of the list`, `${height.toLocaleString('en-US')} px`)
        expectAtMost(`The same, scrolled to its end in ${SCREENS} steps: script per step`, Math.round(script * 10) / 10, 50, 'ms')
        report('The same: all work of the page per step', `${Math.round(work * 10) / 10} ms`)
      }
    })
  } finally {
    await large.stop()
  }
})
