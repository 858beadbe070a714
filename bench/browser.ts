import { brotliCompressSync, constants } from 'node:zlib'

import { chromium, type Page } from '@playwright/test'
import { sql } from 'kysely'

import playwright from '../playwright.config.ts'
import { openPageTimer, type PageTimer, signInWithForm, waitUntilLoaded } from '../test/support/browser-pages.ts'
import type { Network } from '../test/support/large-network.ts'
import { getMedian } from '../test/support/percentile.ts'

const withPage = async <T>(network: Network, work: (page: Page) => Promise<T>, level = 10): Promise<T> => {
  const browser = await chromium.launch(playwright.use?.launchOptions)
  try {
    const page = await browser.newPage({ baseURL: network.url, viewport: { width: 1440, height: 900 } })
    await signInWithForm(page, `level${level}@sample.test`)
    return await work(page)
  } finally {
    await browser.close()
  }
}

/** The first page has finished prefetching after this time. */
const PREFETCH_MS = 2500

/** Bytes of JavaScript (brotli) that the first page after sign-in loads: its own code, and the palette, which it prefetches. */
export const measureFirstPageBytes = (network: Network): Promise<number> =>
  withPage(network, async (page) => {
    const scripts = new Map<string, Promise<Buffer>>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body())
    })
    await page.goto('/')
    await waitUntilLoaded(page)
    await page.waitForTimeout(PREFETCH_MS)
    await waitUntilLoaded(page)
    const bodies = await Promise.all(scripts.values())
    const compressedSizes = bodies.map((body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length)
    return compressedSizes.reduce((sum, length) => sum + length, 0)
  })

/** Milliseconds of script per letter typed into the focused field: the median of several. */
const measureKeystroke = async (page: Page, readTimer: PageTimer): Promise<number> => {
  const durations: number[] = []
  for (const letter of 'center lodi re') {
    const before = await readTimer('ScriptDuration')
    await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    await page.waitForTimeout(150)
    durations.push((await readTimer('ScriptDuration')) - before)
  }
  return Math.round(getMedian(durations) * 10) / 10
}

const MEMBERS = 40
const DISTRICTS = 60

/** Milliseconds of script to open the form of a charter affair with 40 members and 60 districts, and for one letter in it. */
export const measureAffairForm = (network: Network): Promise<{ opening: number; letter: number }> =>
  withPage(
    network,
    async (page) => {
      const slug = await page.evaluate(
        async ({ members, districts }) => {
          const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' }
          const charters = (await (await fetch('/locations-api/charters_pop', { headers })).json()) as { slug: string }[]
          const slugOfFirst = charters[0]?.slug ?? ''
          const post = (part: string, body: object) =>
            fetch(`/locations-api/charter_affair/${slugOfFirst}/${part}`, { method: 'POST', headers, body: JSON.stringify(body) })
          const text = 'Third Tuesday of the month, six in the evening'
          for (let at = 0; at < members; at++) await post('member', { board_member_name: `Member ${at}`, charter_voting_notes: text })
          for (let at = 0; at < districts; at++) await post('district', { center_name: `Center ${at}`, center_locations: text })
          return slugOfFirst
        },
        { members: MEMBERS, districts: DISTRICTS },
      )
      const readTimer = await openPageTimer(page)
      const opens: number[] = []
      for (let round = 0; round < 5; round++) {
        await page.goto(`/charter_affair/${slug}`)
        await page.getByRole('button', { name: 'Edit Charter Affair' }).waitFor()
        await page.waitForTimeout(1000)
        const before = await readTimer('ScriptDuration')
        // Playwright's role query would run its own script over the whole page.
        await page.evaluate(() =>
          [...document.querySelectorAll('button')].find((one) => one.textContent === 'Edit Charter Affair')?.click(),
        )
        await page.waitForTimeout(2000)
        opens.push((await readTimer('ScriptDuration')) - before)
      }
      await page.locator('textarea[name="overview.county"]').focus()
      const letter = await measureKeystroke(page, readTimer)
      return { opening: Math.round(getMedian(opens)), letter }
    },
    5,
  )

/** Milliseconds of script per letter typed into the filter of the site list, including rendering: the median of several. */
export const measureListKeystroke = (network: Network): Promise<number> =>
  withPage(network, async (page) => {
    await page.goto('/locations')
    const field = page.getByRole('textbox', { name: 'Search by name, address or city' })
    await page.getByText('Showing all').waitFor()
    const readTimer = await openPageTimer(page)
    await field.focus()
    return measureKeystroke(page, readTimer)
  })

const SUGGESTIONS = 1000

/** How long a filter of `/requests` takes with 1,000 open suggestions, and the longest task while scrolling through them, in milliseconds. */
export const measureRequests = async (network: Network): Promise<{ filter: number; longestTask: number }> => {
  await sql`
    with sent as (
      insert into request (kind, site, location, text, name, email, "openFields", "createdAt")
      select 'change', _id, "displayName", 'Suggested: Phone', 'Sender ' || n, 'sender' || n || '@network.test', 1, now() - n * interval '1 hour'
      from (select _id, "displayName", row_number() over (order by _id) as n from site limit ${SUGGESTIONS}) as site returning _id, site),
    proposed as (insert into proposal (_id, kind, record) select _id, 'site', site from sent returning _id)
    insert into proposal_field (proposal, path, position, before, suggested)
    select _id, 'address.address_2', 0, 'null', to_jsonb('Suite ' || row_number() over (order by _id)) from proposed`.execute(network.db)
  return withPage(
    network,
    async (page) => {
      await page.goto('/requests')
      await page
        .getByRole('status')
        .filter({ hasText: /Showing all|match/ })
        .first()
        .waitFor()
      const press = (label: string): Promise<number> =>
        page.evaluate(async (name) => {
          const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(name))
          const startedAt = performance.now()
          const pressed = button?.getAttribute('aria-pressed')
          button?.click()
          while (button?.getAttribute('aria-pressed') === pressed) await new Promise((done) => requestAnimationFrame(done))
          await new Promise((done) => requestAnimationFrame(done))
          return performance.now() - startedAt
        }, label)
      const presses: number[] = []
      for (let round = 0; round < 6; round++) presses.push(await press('Suggestions'))
      const longestTask = await page.evaluate(async () => {
        let longest = 0
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
        }).observe({ type: 'longtask' })
        for (let before = -1; before !== scrollY;) {
          for (let step = 0; step < 20; step++) {
            before = scrollY
            scrollBy(0, 120)
            await new Promise((done) => requestAnimationFrame(done))
          }
          await new Promise((done) => setTimeout(done, 50))
        }
        return longest
      })
      return { filter: Math.round(Math.max(...presses)), longestTask: Math.round(longestTask) }
    },
    5,
  )
}
