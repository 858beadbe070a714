import type { BrowserContext, Page } from '@playwright/test'

import { createDayFormat, formatDay, toIsoDay } from '../../../src/contract/dates.ts'
import { addDays } from '../../../src/features/deadlines/deadlines/rules.ts'
import { expectAccessible } from '../accessibility.ts'
import { recorded } from '../affair-form.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'

test.use({ level: 5 })

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')
const inDays = (days: number): string => formatDay(addDays(TODAY, days))
const longDay = createDayFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

/** A charter with a petition, two dates close to each other, and one that is overdue. */
const newTerms = async (context: BrowserContext) =>
  recorded(context, {
    overview: {
      charter_expiration_date: inDays(200),
      petition_submission_due_date: `Extended to ${inDays(100)}`,
      oversight_date: inDays(40),
      dass_due_date: inDays(42),
      fol_visit: inDays(-9),
    },
  })

const mark = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title}, `) })

test('the year is a grid operated by keyboard, with a card for each mark', async ({ page, context }) => {
  const charter = await newTerms(context)
  await visit(page, `/deadlines?view=year&charter=${charter.slug}`)
  const grid = page.getByRole('grid', { name: 'Deadlines by charter', exact: true })
  await expect(grid.getByRole('row')).toHaveCount(2)
  await expect(page.getByText('5 dates at 1 charter', { exact: false })).toContainText('1 overdue')
  await expect(mark(page, 'FOL visit')).toHaveAccessibleName(`FOL visit, ${charter.name}, ${inDays(-9)}, 9 days overdue`)
  await expect(mark(page, 'Petition submission due')).toHaveAccessibleName(
    `Petition submission due, ${charter.name}, ${inDays(100)}, in 100 days`,
  )
  await expectAccessible(page)

  await grid.getByRole('link', { name: charter.name }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(mark(page, 'FOL visit')).toBeFocused()
  const card = (name: string) => page.getByRole('group', { name, exact: true })
  await expect(card('FOL visit')).toContainText(`Read from FOL visit: ${inDays(-9)}`)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(mark(page, 'Petition submission due')).toBeFocused()
  await expect(card('Petition submission due')).toContainText(`The term ends 100 days later, on ${inDays(200)}.`)
  await expectAccessible(page, { resize: false })
  const [of, at] = [await mark(page, 'Petition submission due').boundingBox(), await card('Petition submission due').boundingBox()]
  expect(of && at && (at.y >= of.y + of.height || at.y + at.height <= of.y), 'the card does not cover its mark').toBe(true)
  await page.keyboard.press('Escape')
  await expect(card('Petition submission due')).toHaveCount(0)
  await expect(mark(page, 'Petition submission due')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card('Petition submission due').getByRole('link', { name: 'Petition submission due', exact: true })).toBeFocused()
  await card('Petition submission due').getByRole('button', { name: 'Handled', exact: true }).click()
  await expect(mark(page, 'Petition submission due')).toHaveAccessibleName(/, handled$/)

  await page.getByRole('button', { name: 'A quarter later', exact: true }).click()
  await expect(page).toHaveURL(/start=\d{4}-\d\d-01/)
  const table = page.getByRole('table', { name: 'Deadlines by charter, as a table', exact: true })
  await expect(table).toContainText('Petition: Petition submission due')
})

test('nearby marks of two kinds do not cover each other', { tag: '@all' }, async ({ page, context }) => {
  const charter = await newTerms(context)
  await visit(page, `/deadlines?view=year&charter=${charter.slug}`)
  const [first, second] = [await mark(page, 'Oversight visit').boundingBox(), await mark(page, 'DASS due').boundingBox()]
  expect(Math.abs((first?.y ?? 0) - (second?.y ?? 0)), 'one is above the other').toBeGreaterThan(18)
})

test('the year prints in landscape with fourteen charters per sheet', { tag: '@all' }, async ({ page }) => {
  await visit(page, '/deadlines?view=year')
  const rows = page.getByRole('grid', { name: 'Deadlines by charter', exact: true }).getByRole('row')
  await expect.poll(() => rows.count()).toBeGreaterThan(40)
  const charters = (await rows.count()) - 1
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(page.getByText(/^Sorted by next deadline\. Sheet \d+ of \d+$/)).toHaveCount(Math.ceil(charters / 14))
  await expect(page.getByRole('list', { name: 'Signs', exact: true })).toHaveCount(Math.ceil(charters / 14))
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: null })
  const pdf = (await page.pdf({ format: 'Letter', preferCSSPageSize: true })).toString('latin1')
  const boxes = [...pdf.matchAll(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]/g)].map(([, width, height]) => [
    Number(width),
    Number(height),
  ])
  expect(boxes.length, 'one sheet for fourteen charters').toBe(Math.ceil(charters / 14))
  for (const [width, height] of boxes) expect(width).toBeGreaterThan(height ?? 0)
})

test('arrow keys move through the days of the month', { tag: '@all' }, async ({ page, context }) => {
  const charter = await newTerms(context)
  const overdue = addDays(TODAY, -9)
  await visit(page, `/deadlines?view=month&charter=${charter.slug}&day=${overdue}`)
  const day = (iso: string) => page.getByRole('gridcell', { name: new RegExp(`^${longDay(iso)}(, today)?, `) })
  await expect(day(overdue)).toHaveAccessibleName(/, 1 deadline\b/)
  await expect(day(overdue)).toContainText('Overdue')
  const panel = page
    .getByRole('region')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
    .last()
  await expect(panel).toContainText('FOL visit')
  await expectAccessible(page)
  await day(overdue).focus()
  await page.keyboard.press('ArrowRight')
  await expect(day(addDays(overdue, 1))).toBeFocused()
  await expect(panel).toContainText('no deadlines')
  await page.keyboard.press('t')
  await expect(day(TODAY)).toBeFocused()
  await expect(page).not.toHaveURL(/day=/)
  await page.keyboard.press('PageDown')
  await expect(page).toHaveURL(/day=/)
  await page.keyboard.press('PageUp')
  await day(addDays(TODAY, 0)).click()
  await expect(day(TODAY)).toHaveAttribute('aria-selected', 'true')
})

test('on a phone the year is a list of charters that link to their deadlines', { tag: '@all' }, async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const charter = await newTerms(context)
  await visit(page, `/deadlines?view=year&q=${encodeURIComponent(charter.name)}`)
  const strip = page.getByRole('link', { name: new RegExp(charter.name) })
  await expect(strip).toContainText(`${inDays(-9)}, 9 days overdue`)
  await expectAccessible(page)
  await strip.click()
  await expect(page).toHaveURL(new RegExp(`charter=${charter.slug}`))
  await expect(page.getByRole('heading', { level: 2, name: /^Overdue/ })).toBeVisible()
})
