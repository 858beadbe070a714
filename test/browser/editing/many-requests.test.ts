import { sql } from 'kysely'

import { type ServerWithDatabase, startServerWithDatabase } from '../../support/server-with-database.ts'
import { expect, signIn, test as base } from '../fixtures.ts'

const PROPOSALS = 1000

/** A server of the test's own, with many suggestions for its sites. */
const test = base.extend<{ server: ServerWithDatabase }>({
  server: async ({}, provide) => {
    const server = await startServerWithDatabase()
    await sql`
      with sent as (
        insert into request (kind, site, location, text, name, email, "openFields", "createdAt")
        select 'change', (select _id from site order by _id limit 1), 'Site', 'Suggested: Phone', 'Sender ' || n, 'sender' || n || '@network.test', 1,
          now() - n * interval '1 hour'
        from generate_series(1, ${PROPOSALS}) as n returning _id, site),
      proposed as (insert into proposal (_id, kind, record) select _id, 'site', site from sent returning _id)
      insert into proposal_field (proposal, path, position, before, suggested)
      select _id, 'address.address_2', 0, 'null', to_jsonb('Suite ' || row_number() over (order by _id)) from proposed`.execute(server.db)
    await provide(server)
    await server.stop()
  },
  baseURL: async ({ server }, provide) => provide(server.url),
})

test('1,000 open suggestions: filters answer in 300 ms, and scrolling is not held up', { tag: '@all' }, async ({ page }) => {
  test.setTimeout(150_000)
  await signIn(page, 'level5@sample.test')
  await page.goto('/requests')
  await expect(page.getByText(`Showing all ${PROPOSALS.toLocaleString('en-US')}`)).toBeVisible()
  const rows = page.getByRole('list', { name: 'Requests', exact: true }).getByRole('listitem')
  await expect(rows.first()).toBeVisible()

  /** From a press to the frame in which the rows are other ones. */
  const press = (label: string) =>
    page.evaluate(async (name) => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(name))
      const first = document.querySelector('main [data-row-link]')
      const start = performance.now()
      button?.click()
      const isDone = () => button?.getAttribute('aria-pressed') === 'true' && document.querySelector('main [data-row-link]') === first
      while (!isDone()) await new Promise((done) => requestAnimationFrame(done))
      await new Promise((done) => requestAnimationFrame(done))
      return performance.now() - start
    }, label)
  await press('Suggestions')
  await page.getByRole('button', { name: /^Suggestions/ }).click()
  expect(await press('Suggestions'), 'milliseconds of a filter').toBeLessThan(300)

  // Down to the last row, while long tasks are counted.
  const longest = await page.evaluate(async () => {
    let longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })
    const started = performance.now()
    for (let before = -1; before !== window.scrollY && performance.now() - started < 60_000;) {
      for (let step = 0; step < 20; step++) {
        before = window.scrollY
        window.scrollBy(0, 120)
        await new Promise((done) => requestAnimationFrame(done))
      }
      await new Promise((done) => setTimeout(done, 50))
    }
    return longest
  })
  await expect(rows).toHaveCount(PROPOSALS)
  expect(longest, 'milliseconds of the longest task while scrolling').toBeLessThan(100)
})
