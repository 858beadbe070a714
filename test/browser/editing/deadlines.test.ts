import type { BrowserContext, Page } from '@playwright/test'

import { formatDay, toIsoDay } from '../../../src/contract/dates.ts'
import { createDeadline, listDeadlines, updateDeadline } from '../../../src/features/deadlines/deadlines/contract.ts'
import { addDays } from '../../../src/features/deadlines/deadlines/rules.ts'
import { saveCharterAffair } from '../../../src/records/charter-affairs/contract.ts'
import { updateFacility } from '../../../src/records/facility/contract.ts'
import { listPeople } from '../../../src/records/people/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { affairOf, input, isReadOnly, open, recorded, submit } from '../affair-form.ts'
import { baseUrl, expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')
const inDays = (days: number): string => formatDay(addDays(TODAY, days))
const row = (page: Page, title: string | RegExp) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })
const group = (page: Page, name: string) => page.getByRole('heading', { level: 2, name: new RegExp(`^${name} [\\d,]+$`) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A new charter whose affair has these texts, and the URL of its deadlines. */
const withTexts = async (context: BrowserContext, overview: Record<string, string>) => {
  const charter = await recorded(context, { overview })
  return { charter, address: `/deadlines?charter=${charter.slug}` }
}

/** The deadlines of a charter on the server. */
const deadlinesOf = async (context: BrowserContext, slug: string) => {
  const all = await sendCall(context, listDeadlines)
  return all.filter(({ charter }) => charter?.slug === slug)
}

test.describe('deadlines', () => {
  test.use({ level: 5 })

  test('a date typed in a charter affair is found, assigned, handled and opened again', async ({ page, context }) => {
    const charter = await recorded(context)
    await open(page, charter)
    await input(page, 'overview.oversight_date').fill(`Visit on ${inDays(12)}, 9 AM`)
    await submit(page).click()
    await isReadOnly(page)

    await visit(page, `/deadlines?charter=${charter.slug}`)
    const oversight = row(page, 'Oversight visit')
    await expect(group(page, 'Next 30 days')).toHaveText('Next 30 days 1')
    await expect(oversight).toContainText('in 12 days')
    await expect(oversight).toContainText(`Read from Oversight date: Visit on ${inDays(12)}, 9 AM`)
    await expect(oversight).toContainText('Oversight')
    await expectAccessible(page)

    const person = findRecord(await sendCall(context, listPeople), 'person', ({ leftAt }) => leftAt === null)
    await oversight.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Responsible', exact: true }).fill(person.name)
    await button(page, `Select ${person.name}`).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(oversight).toContainText(person.name)
    expect((await deadlinesOf(context, charter.slug))[0]).toMatchObject({ responsible: { _id: person._id }, responsibleFrom: 'deadline' })

    await oversight.getByRole('button', { name: 'Handled', exact: true }).click()
    await expect(oversight).toContainText('Handled by you just now')
    expect((await deadlinesOf(context, charter.slug))[0]?.state).toBe('handled')
    await oversight.getByRole('button', { name: 'Add a note', exact: true }).click()
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Report sent')
    await button(page, 'Save').click()
    await expect(oversight).toContainText('Note: Report sent')
    await oversight.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(oversight.getByRole('button', { name: 'Handled', exact: true })).toBeVisible()
    expect((await deadlinesOf(context, charter.slug))[0]).toMatchObject({ state: 'open', note: 'Report sent' })

    await oversight.getByRole('button', { name: 'History of Oversight visit', exact: true }).click()
    const history = page.getByRole('dialog', { name: 'History of Oversight visit', exact: true })
    await expect(history.getByRole('listitem')).toHaveText([
      /opened it again/,
      /noted “Report sent”/,
      /marked it as handled/,
      new RegExp(`assigned it to ${person.name}`),
      /typed “Visit on .*, 9 AM”, read as /,
    ])
    await expectAccessible(page, { resize: false })
    await page.keyboard.press('Escape')
    await expect(history).toHaveCount(0)
    await expect(oversight.getByRole('button', { name: 'History of Oversight visit', exact: true })).toBeFocused()

    // A handled deadline is no longer listed after a reload.
    await oversight.getByRole('button', { name: 'Handled', exact: true }).click()
    await expect(oversight).toContainText('Handled by you just now')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'No deadlines match', exact: true })).toBeVisible()
    await expect(page.getByText(`No open deadlines of ${charter.name}.`, { exact: true })).toBeVisible()
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('Handled')
    await expect(oversight).toContainText('Handled by you today')
  })

  test('is put off until a date, and operated by keyboard', { tag: '@all' }, async ({ page, context }) => {
    await test.step('is put off until a date with a reason', async () => {
      const { address } = await withTexts(context, { dass_due_date: inDays(3) })
      await visit(page, address)
      const dass = row(page, 'DASS due')
      await dass.getByRole('button', { name: 'Put off', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Put off', exact: true }).click()
      await expect(dialog).toContainText('Enter the day until which it is put off')
      await dialog.getByLabel('Until').fill(addDays(TODAY, 20))
      await dialog.getByRole('textbox', { name: 'Reason', exact: true }).fill('The county gave two weeks')
      await dialog.getByRole('button', { name: 'Put off', exact: true }).click()
      await expect(dialog).toHaveCount(0)
      await expect(dass).toContainText(`You put it off from ${inDays(3)}: The county gave two weeks`)
      await expect(group(page, 'Next 30 days')).toHaveText('Next 30 days 1')
      await expect(group(page, 'This week')).toHaveCount(0)
    })

    await test.step('is operated by keyboard', async () => {
      const { charter, address } = await withTexts(context, { oversight_date: inDays(2), dass_due_date: inDays(4), fol_visit: inDays(40) })
      await visit(page, address)
      const title = (name: string) => page.getByRole('link', { name, exact: true })
      await expect(title('FOL visit')).toBeVisible()
      await page.getByRole('textbox', { name: 'Title, text or charter', exact: true }).focus()
      await page.keyboard.press('ArrowDown')
      await expect(title('Oversight visit')).toBeFocused()
      await page.keyboard.press('j')
      await expect(title('DASS due')).toBeFocused()
      await page.keyboard.press('End')
      await expect(title('FOL visit')).toBeFocused()
      await page.keyboard.press('k')
      await expect(title('DASS due')).toBeFocused()
      await page.keyboard.press('h')
      await expect(row(page, 'DASS due')).toContainText('Handled by you just now')
      await expect(title('DASS due')).toBeFocused()
      await page.keyboard.press('u')
      await expect(row(page, 'DASS due').getByRole('button', { name: 'Handled', exact: true })).toBeVisible()
      await page.keyboard.press('p')
      await expect(page.getByRole('heading', { name: 'Put off this deadline', exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(title('DASS due')).toBeFocused()
      await page.keyboard.press('a')
      await expect(page.getByRole('searchbox', { name: 'Responsible', exact: true })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(title('DASS due')).toBeFocused()
      await page.keyboard.press('?')
      await expect(page.getByRole('heading', { name: 'Keyboard shortcuts', exact: true })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(title('DASS due')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(`/charter_affair/${charter.slug}?field=overview.dass_due_date`)
      await expect(page.locator('[data-field="overview.dass_due_date"]')).toBeFocused()
    })
  })

  test('added by a person can be changed and deleted', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/status of 412/)
    pageErrors.allow(/Someone else changed this/)
    const charter = await recorded(context)
    await visit(page, '/deadlines')
    await button(page, 'Add a deadline').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toContainText('Enter what is due')
    await expect(dialog).toContainText('Choose a charter or a site')
    await dialog.getByRole('combobox', { name: 'Charter or site', exact: true }).fill(charter.name)
    await page
      .getByRole('listbox', { name: 'Charter or site', exact: true })
      .getByRole('option', { name: charter.name, exact: true })
      .click()
    await dialog.getByRole('textbox', { name: 'Title', exact: true }).fill('Attendance report')
    await dialog.getByLabel('Date').fill(addDays(TODAY, 5))
    await dialog.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('Funding')
    await dialog.getByRole('checkbox', { name: 'Every year', exact: true }).check()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    expect(await deadlinesOf(context, charter.slug)).toMatchObject([
      { title: 'Attendance report', date: addDays(TODAY, 5), kind: 'funding', yearly: true },
    ])

    await visit(page, `/deadlines?charter=${charter.slug}`)
    const report = row(page, /^(First )?[Aa]ttendance report$/)
    await report.getByRole('button', { name: /^Edit (First a|A)ttendance report$/ }).click()
    await dialog.getByRole('textbox', { name: 'Title', exact: true }).fill('First attendance report')
    // Someone else saves it while the dialog is open: nothing typed is lost.
    const [stored] = await deadlinesOf(context, charter.slug)
    await sendCall(context, updateDeadline, { id: stored?._id ?? '' }, { note: 'From the county' })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByRole('alert')).toContainText('changed this deadline in the meantime')
    await expect(dialog.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('First attendance report')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(report).toContainText('First attendance report')
    await report.getByRole('button', { name: /^Edit (First a|A)ttendance report$/ }).click()
    await button(page, 'Delete this deadline').click()
    await button(page, 'Delete').click()
    await expect(report).toHaveCount(0)
    expect(await deadlinesOf(context, charter.slug)).toEqual([])
  })

  test('texts without a date, contradictions and views of lists', { tag: '@all' }, async ({ page, context }) => {
    await test.step('a text without a date gets one, and the next one is focused', async () => {
      const { charter } = await withTexts(context, { oversight_date: 'TBD', wasc_visit_date: 'Spring 2030', fol_visit: 'not this year' })
      await visit(page, `/deadlines?view=sort-out&charter=${charter.slug}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Dates to sort out', exact: true })).toBeVisible()
      const field = (name: string) => page.getByLabel(`Date of ${name}, ${charter.name}`, { exact: true })
      await expect(page.getByRole('heading', { name: 'Texts without a date 3', exact: true })).toBeVisible()
      await expectAccessible(page)
      await field('FOL visit').focus()
      await button(page, `Not a deadline: FOL visit, ${charter.name}`).click()
      await expect(field('Oversight date')).toBeFocused()
      await expect(page.getByText('FOL visit is not a deadline.')).toBeVisible()
      await button(page, 'Undo').click()
      await expect(field('FOL visit')).toBeFocused()
      await button(page, `Not a deadline: FOL visit, ${charter.name}`).click()
      await expect(field('Oversight date')).toBeFocused()
      await field('Oversight date').fill(addDays(TODAY, 30))
      await expect(row(page, 'Oversight date')).toContainText('in 30 days')
      await page.keyboard.press('Enter')
      await expect(field('WASC visit date')).toBeFocused()
      await expect(field('Oversight date')).toHaveCount(0)
      expect(await deadlinesOf(context, charter.slug)).toMatchObject([
        { date: addDays(TODAY, 30), source: { text: 'TBD', isByHand: true } },
      ])
      await field('WASC visit date').fill('2030-05-31')
      await button(page, `Set the date of WASC visit date, ${charter.name}`).click()
      await expect(page.getByRole('heading', { name: 'Nothing to sort out here', exact: true })).toBeVisible()
    })

    await test.step('a chosen value is written into the other section', async () => {
      const charter = await recorded(context, {
        overview: { funding_expiration: '06/30/2029' },
        funding: { funding_expiration: 'June 30, 2028' },
      })
      await page.goto(`/deadlines?view=sort-out&charter=${charter.slug}`)
      const contradiction = page.getByRole('listitem').filter({ hasText: 'Funding determination expires: two dates' })
      await expect(contradiction).toContainText('Typed by you')
      await contradiction.getByRole('button', { name: 'Keep 06/30/2028 of Funding', exact: true }).click()
      await expect(contradiction).toHaveCount(0)
      const affair = await affairOf(context, charter)
      expect([affair.overview.funding_expiration, affair.funding.funding_expiration]).toEqual(['June 30, 2028', 'June 30, 2028'])
    })

    await test.step('a value that someone else has changed is not overwritten', async () => {
      const charter = await recorded(context, {
        overview: { fy_audit: '06/30/2029' },
        funding: { fy_audit: '06/30/2028' },
      })
      await page.goto(`/deadlines?view=sort-out&charter=${charter.slug}`)
      const contradiction = page.getByRole('listitem').filter({ hasText: 'Fiscal year audit: two dates' })
      await expect(contradiction).toBeVisible()
      await sendCall(context, saveCharterAffair, { id: charter._id }, { overview: { fy_audit: '06/30/2030' } })
      await contradiction.getByRole('button', { name: 'Keep 06/30/2028 of Funding', exact: true }).click()
      await expect(contradiction.getByRole('alert')).toContainText('changed by someone else in the meantime')
      expect((await affairOf(context, charter)).overview.fy_audit).toBe('06/30/2030')
    })

    await test.step('lists are saved as views', async () => {
      const { charter, address } = await withTexts(context, { dass_due_date: inDays(3) })
      await page.goto(address)
      await button(page, 'Views').click()
      await page.getByRole('button', { name: 'Save this view…', exact: true }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Deadlines of ${charter.name}`)
      await button(page, 'Save view').click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.goto('/')
      await page.getByRole('link', { name: new RegExp(`Deadlines of ${charter.name}`) }).click()
      await expect(row(page, 'DASS due')).toBeVisible()
      await expect(page).toHaveURL(address)
    })
  })

  test(
    'that are next are shown on the pages of charter, site, brand and region, and on the home page',
    { tag: '@all' },
    async ({ page, context }) => {
      const { charter, address } = await withTexts(context, { dass_due_date: inDays(3) })
      const site = await newSite(context, { charter: charter._id })
      await sendCall(context, updateFacility, { id: site._id }, { lease_end: addDays(TODAY, 9) })
      await visit(page, `/charter/${charter.slug}`)
      const card = page.getByRole('region', { name: 'Deadlines', exact: true })
      await expect(card.getByRole('listitem')).toHaveText([/DASS due.*in 3 days/, /Lease ends.*in 9 days/])
      await card.getByRole('link', { name: 'All deadlines', exact: true }).click()
      await expect(page).toHaveURL(address)
      await visit(page, `/location/${site.slug}`)
      await expect(card.getByRole('listitem')).toHaveText([/Lease ends.*in 9 days/])
      await card.getByRole('link', { name: 'All deadlines', exact: true }).click()
      await expect(row(page, 'Lease ends')).toBeVisible()
      await button(page, `Remove site ${site.displayName}`).click()
      await expect(page).toHaveURL('/deadlines')
      await button(page, 'Site').click()
      await expectAccessible(page)
      await page.getByRole('combobox', { name: 'Site', exact: true }).fill(site.displayName)
      await page.getByRole('option', { name: site.displayName, exact: true }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL(`/deadlines?site=${site.slug}`)
      await expect(button(page, `Site: ${site.displayName}`)).toBeFocused()
      await expect(row(page, 'Lease ends')).toBeVisible()

      await visit(page, `/location/fac/${site.slug}`)
      await expect(page.getByText(/^in 9 days/)).toBeVisible()

      const all = card.getByRole('link', { name: 'All deadlines', exact: true })
      await visit(page, `/brand/${charter.brand}`)
      await expect(all).toHaveAttribute('href', `/deadlines?brand=${charter.brand}`)
      await visit(page, '/region/california')
      await expect(all).toHaveAttribute('href', '/deadlines?region=california')
      // A user who manages deadlines but has none sees the next deadlines of all charters.
      await visit(page, '/')
      const [first] = await sendCall(context, listDeadlines).then((rows) => rows.filter(({ state }) => state === 'open'))
      const next = page.getByRole('region', { name: 'Next deadlines', exact: true })
      await expect(next.getByRole('listitem')).toHaveCount(5)
      await expect(next.getByRole('listitem').first()).toContainText(formatDay(first?.date ?? ''))
    },
  )
})

test.describe('on a phone', () => {
  test.use({ level: 5, viewport: { width: 390, height: 844 } })

  test('one button is near the thumb, and the rest in a sheet at the bottom', async ({ page, context }) => {
    const { charter, address } = await withTexts(context, { dass_due_date: inDays(3) })
    await visit(page, address)
    const dass = row(page, 'DASS due')
    await dass
      .getByRole('button', { name: 'Assign', exact: true })
      .or(dass.getByRole('button', { name: 'Handled', exact: true }))
      .waitFor()
    await expectAccessible(page)
    await dass.getByRole('button', { name: 'More actions for DASS due', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'DASS due', exact: true })).toBeVisible()
    await expectAccessible(page, { resize: false })
    await button(page, 'Put off').click()
    await page.getByLabel('Until').fill(addDays(TODAY, 20))
    await page.getByRole('dialog').getByRole('button', { name: 'Put off', exact: true }).click()
    await expect(dass).toContainText('Put off')
    expect((await deadlinesOf(context, charter.slug))[0]).toMatchObject({ state: 'snoozed', snoozedUntil: addDays(TODAY, 20) })
  })
})

test.describe('at level 10', () => {
  test.use({ level: 10 })

  test('only leases are shown, without actions and without a menu entry', { tag: '@all' }, async ({ page, context, stateOf, browser }) => {
    const officer = await browser.newContext({ storageState: await stateOf(5), baseURL: baseUrl() })
    const charter = await recorded(officer, { overview: { dass_due_date: inDays(3) } })
    const site = await newSite(officer, { charter: charter._id })
    await sendCall(officer, updateFacility, { id: site._id }, { lease_end: addDays(TODAY, 9) })
    await sendCall(officer, createDeadline, {}, { title: 'Fire drill', date: addDays(TODAY, 4), kind: 'lease', site: site._id })
    await officer.close()
    await visit(page, `/deadlines?charter=${charter.slug}`)
    await expect(row(page, 'Lease ends')).toBeVisible()
    await expect(row(page, 'Fire drill')).toBeVisible()
    await expect(row(page, 'DASS due')).toHaveCount(0)
    await expect(button(page, 'Handled')).toHaveCount(0)
    await expect(button(page, 'Add a deadline')).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Deadlines/ })).toHaveCount(0)
    await visit(page, '/deadlines?view=sort-out')
    await expect(page.getByRole('heading', { level: 1, name: 'Deadlines', exact: true })).toBeVisible()
    expect((await sendCall(context, listDeadlines)).every(({ charter: of }) => of === null)).toBe(true)
  })
})
