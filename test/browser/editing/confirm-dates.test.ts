import type { Page } from '@playwright/test'

import { formatDay, toIsoDay } from '../../../src/contract/dates.ts'
import { listDeadlines } from '../../../src/features/deadlines/deadlines/contract.ts'
import { addDays } from '../../../src/features/deadlines/deadlines/rules.ts'
import { expectAccessible } from '../accessibility.ts'
import { input, isReadOnly, open, recorded, submit } from '../affair-form.ts'
import { expect, test } from '../fixtures.ts'
import { sendCall } from '../records.ts'

test.use({ level: 5 })

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')
const inDays = (days: number): string => formatDay(addDays(TODAY, days))
const UNCERTAIN = `${inDays(40)} or ${inDays(50)}`
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('a date that is not certain is confirmed with a click or a key, on every page that shows it', async ({ page, context }) => {
  const charter = await recorded(context, { overview: { oversight_date: UNCERTAIN, dass_due_date: UNCERTAIN, fol_visit: UNCERTAIN } })
  const read = async () => (await sendCall(context, listDeadlines)).filter((one) => one.charter?.slug === charter.slug)
  const date = (await read())[0]?.date ?? ''
  const day = formatDay(date)

  await test.step('with a click next to the field', async () => {
    await page.goto(`/charter_affair/${charter.slug}`)
    const field = page.locator('[data-field="overview.oversight_date"]')
    await expect(field).toContainText(`${day}?`)
    await expectAccessible(page)
    await button(page, `Confirm ${day} for Oversight visit`).click()
    await expect(field).toContainText(`Set by hand: ${day}`)
    await button(page, 'Undo').click()
    await expect(field).toContainText(`${day}?`)
    await button(page, `Confirm ${day} for Oversight visit`).click()
    await expect(field).toContainText(`Set by hand: ${day}`)
  })

  await test.step('with a key in the agenda, apart from certain ones', async () => {
    await page.goto(`/deadlines?charter=${charter.slug}`)
    const toConfirm = page.getByRole('region', { name: 'Dates to confirm 2', exact: true })
    await expect(toConfirm.getByRole('listitem')).toHaveCount(2)
    await expect(toConfirm).toContainText('?')
    await expect(page.getByRole('heading', { name: 'Next 90 days 1', exact: true })).toBeVisible()
    await expectAccessible(page)
    await toConfirm.getByRole('link', { name: 'DASS due', exact: true }).focus()
    await page.keyboard.press('c')
    await expect(page.getByRole('region', { name: 'Dates to confirm 1', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'FOL visit', exact: true })).toBeFocused()
    await expect(page.getByText(`DASS due: ${day} was confirmed.`)).toBeVisible()
  })

  await test.step('as another of its dates, among the dates to sort out', async () => {
    const other = date === addDays(TODAY, 40) ? inDays(50) : inDays(40)
    await page.goto(`/deadlines?view=sort-out&charter=${charter.slug}`)
    await expect(page.getByRole('heading', { name: 'Dates to confirm 1', exact: true })).toBeVisible()
    await button(page, `Confirm ${day} for FOL visit, ${charter.name}`).focus()
    await page.keyboard.press('c')
    await expect(page.getByText(`FOL visit: ${day} was confirmed.`)).toBeVisible()
    await button(page, 'Undo').click()
    await expect(button(page, `Confirm ${day} for FOL visit, ${charter.name}`)).toBeFocused()
    await button(page, `${other} for FOL visit, ${charter.name}`).last().click()
    await expect(page.getByRole('heading', { name: 'Nothing to sort out here', exact: true })).toBeVisible()
    expect((await read()).filter(({ proposed }) => proposed)).toEqual([])
    expect((await read()).find(({ title }) => title === 'FOL visit')).toMatchObject({ source: { text: UNCERTAIN, isByHand: true } })
  })

  await test.step('in the form, for a text that is not saved yet', async () => {
    await open(page, charter)
    await input(page, 'overview.wasc_visit_date').fill(UNCERTAIN)
    const hint = page.locator('[data-field="overview.wasc_visit_date"]')
    await expect(hint).toContainText(`${day}?`)
    await hint.getByRole('button', { name: /^Confirm / }).press('Enter')
    await expect(hint).toContainText(`Set by hand with the next save: ${day}`)
    await submit(page).click()
    await isReadOnly(page)
    await expect.poll(async () => (await read()).find(({ title }) => title === 'WASC visit')).toMatchObject({ date, proposed: false })
  })
})
