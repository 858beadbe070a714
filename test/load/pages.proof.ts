// The cost of a page in a browser: Lighthouse (desktop) for home, the site list and a site; bytes and requests until the first list with an empty
// cache; script time while scrolling through a list of 10,000 sites (`--sites N` for another size); and how long a cheap phone takes for the same pages of
// 1,000 sites, and for a key in the list.

import { type BrowserContext, chromium } from '@playwright/test'

import playwright from '../../playwright.config.ts'
import { openPageTimer, signInWithForm } from '../support/browser-pages.ts'
import { getFreePort } from '../support/free-port.ts'
import { type Network, startNetwork } from '../support/large-network.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'
import { openTemporaryFolder } from '../support/temporary-folder.ts'
import { CATEGORIES, measureScores } from './pages/lighthouse.ts'
import { measurePhone } from './pages/phone.ts'

const { sites: manySites } = readNumberOptions({ sites: 10_000 })

/** A separate browser with a signed-in user, which other programs can control through a port. */
const withBrowser = async (network: Network, work: (context: BrowserContext, port: number) => Promise<void>): Promise<void> => {
  await using profile = await openTemporaryFolder()
  const port = await getFreePort()
  const options = playwright.use?.launchOptions ?? {}
  const context = await chromium.launchPersistentContext(profile.path, {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
    baseURL: network.url,
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    await signInWithForm(page, 'level10@sample.test')
    await page.close()
    await work(context, port)
  } finally {
    await context.close()
  }
}

/** Requests and bytes over the wire until the first list is shown, with an empty cache. */
const loadFirstList = async (context: BrowserContext): Promise<{ requests: number; bytes: number }> => {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  let requests = 0
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ request }) => void (requests += request.url.startsWith('http') ? 1 : 0))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await page.goto('/locations')
  await page.getByText('Showing all').waitFor()
  const loaded = { requests, bytes }
  await page.close()
  return loaded
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const STEPS = 200

/** Scrolls a list from beginning to end in steps; returns the milliseconds of script and of all page work per step, and the height. */
const scroll = async (context: BrowserContext, address: string): Promise<{ script: number; work: number; height: number }> => {
  const page = await context.newPage()
  await page.goto(address)
  await page.getByText('Showing all').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(3000)
  const readTimer = await openPageTimer(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const [script, work] = [await readTimer('ScriptDuration'), await readTimer('TaskDuration')]
  await page.evaluate(async (steps) => {
    for (let step = 1; step <= steps; step++) {
      scrollTo(0, (document.documentElement.scrollHeight * step) / steps)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }
  }, STEPS)
  const perStep = {
    script: ((await readTimer('ScriptDuration')) - script) / STEPS,
    work: ((await readTimer('TaskDuration')) - work) / STEPS,
  }
  await page.close()
  return { ...perStep, height }
}

await runProof('pages', async ({ log, report, expectAtMost, expectAtLeast }) => {
  {
    await using small = await startNetwork(300, 0, log)
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
        for (const category of CATEGORIES) {
          const required = category === 'performance' ? 95 : 100
          expectAtLeast(`${name}, Lighthouse score for ${category.replace('-', ' ')}`, found[category], required)
        }
      }
      const first = await loadFirstList(context)
      report('Requests for the first list of 300 sites, with an empty cache', first.requests)
      report('Bytes over the wire for it', `${Math.round(first.bytes / 1024).toLocaleString('en-US')} kB`)
    })
  }

  {
    await using network = await startNetwork(1000, 0, log)
    const { slug } = await network.db
      .selectFrom('site')
      .select('slug')
      .where('status', '=', 'ACTIVE')
      .orderBy('slug')
      .executeTakeFirstOrThrow()
    const pages = [
      { name: 'Home', path: '/', needs: ['input'], wanted: { cold: 1.8, warm: 0.6, scripts: 120 } },
      {
        name: 'The site list',
        path: '/locations',
        needs: ['input', 'a[href^="/location/"]'],
        wanted: { cold: 2.2, warm: 1, scripts: 150 },
      },
      {
        name: 'A site',
        path: `/location/${slug}`,
        needs: ['h1', 'a[href^="tel:"]'],
        wanted: { cold: undefined, warm: 0.8, scripts: undefined },
      },
    ] as const
    const { opened, input } = await measurePhone(network, pages)
    for (const [at, { cold, warm }] of opened.entries()) {
      const { name, wanted } = pages[at] as (typeof pages)[number]
      const reportWanted = (what: string, value: string, most: string | undefined): void =>
        report(`${name} on a cheap phone, ${what}${most === undefined ? '' : `; wanted are ${most}`}`, value)
      reportWanted('with an empty cache', formatSeconds(cold.ms), wanted.cold && `${wanted.cold} s`)
      reportWanted('with a full one', formatSeconds(warm.ms), `${wanted.warm} s`)
      reportWanted('JavaScript until it can be used', `${Math.round(cold.scripts)} kB`, wanted.scripts && `${wanted.scripts} kB`)
    }
    report('The longest wait after a key in the list of 1,000 sites on a cheap phone; wanted are 100 ms', `${input} ms`)
  }

  await using large = await startNetwork(manySites, 0, log)
  await withBrowser(large, async (context) => {
    for (const [name, address] of [
      ['cards', '/locations'],
      ['table', '/locations?show=table'],
    ] as const) {
      const { script, work, height } = await scroll(context, address)
      report(`${manySites.toLocaleString('en-US')} sites as ${name}: height of the list`, `${height.toLocaleString('en-US')} px`)
      expectAtMost(`The same, scrolled to its end in ${STEPS} steps: script per step`, Math.round(script * 10) / 10, 50, 'ms')
      report('The same: all work of the page per step', `${Math.round(work * 10) / 10} ms`)
    }
  })
})
