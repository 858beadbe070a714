import type { Page } from '@playwright/test'

import { formatDay, toIsoDay } from '../../../src/contract/dates.ts'
import { listDeadlineTexts } from '../../../src/features/deadlines/deadlines/contract.ts'
import { addDays, formatDistance } from '../../../src/features/deadlines/deadlines/rules.ts'
import { updateFacility } from '../../../src/records/facility/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { input, isReadOnly, open, recorded, submit } from '../affair-form.ts'
import { expect, test } from '../fixtures.ts'
import { newSite, sendCall } from '../records.ts'

test.use({ level: 5 })

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')
const field = (page: Page, path: string) => page.locator(`[data-field="${path}"]`)

test('a date in words is read while typing; one that is not recognized is set by hand and shown on the page', async ({ page, context }) => {
  const charter = await recorded(context, { overview: { oversight_date: '1/15/2031', fol_visit: 'Third Thursday' } })
  await open(page, charter)
  const oversight = field(page, 'overview.oversight_date')
  await expect(oversight).toContainText('Read as 01/15/2031')
  await input(page, 'overview.oversight_date').fill('Visit on March 3, 2031 at 9:00 AM')
  await expect(oversight).toContainText(`Read as 03/03/2031 · ${formatDistance('2031-03-03', TODAY)}`)
  await input(page, 'overview.wasc_visit_date').fill('June 2031')
  await expect(field(page, 'overview.wasc_visit_date')).toContainText('Read as June 2031, counts as 06/30/2031')
  await input(page, 'overview.dass_due_date').fill('3/4/31 or 4/3/31')
  await expect(field(page, 'overview.dass_due_date')).toContainText('03/04/2031?')

  // The text is saved: the date is set immediately.
  const visit = field(page, 'overview.fol_visit')
  await expect(visit).toContainText('No date found: set it by hand')
  await expectAccessible(page)
  await visit.getByRole('button', { name: /^set it by hand/ }).click()
  await expect(visit.getByLabel('Date of Overview, FOL visit').last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(visit.getByRole('button', { name: /^set it by hand/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await visit.locator('input[type=date]').fill('2031-06-24')
  await page.keyboard.press('Enter')
  await expect(visit).toContainText('Set by hand: 06/24/2031')

  // The text is not saved yet: the date is saved together with it.
  await field(page, 'overview.dass_due_date')
    .getByRole('button', { name: /^04\/03\/2031/ })
    .click()
  await expect(field(page, 'overview.dass_due_date')).toContainText('Set by hand with the next save: 04/03/2031')
  await submit(page).click()
  await isReadOnly(page)
  await expect
    .poll(async () =>
      (await sendCall(context, listDeadlineTexts, { id: charter.slug })).map((text) => `${text.field} ${text.date}`).toSorted(),
    )
    .toEqual(['dass_due_date 2031-04-03', 'fol_visit 2031-06-24', 'oversight_date 2031-03-03', 'wasc_visit_date 2031-06-30'])
  const group = (label: string) => page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })
  await expect(group('FOL visit').first()).toContainText(`Set by hand: 06/24/2031 · ${formatDistance('2031-06-24', TODAY)}`)
  await expect(group('DASS due date').first()).toContainText(formatDistance('2031-04-03', TODAY))
  await page.getByLabel('Only fields with a deadline').check()
  await expect(page.getByText('Charter type', { exact: true })).toBeHidden()
  await expect(group('FOL visit').first()).toBeVisible()
  await expectAccessible(page)
})

test('a board term and the end of a lease are read too', { tag: '@all' }, async ({ page, context }) => {
  const charter = await recorded(context)
  await open(page, charter)
  await input(page, 'authorizer_board_member.new.board_term').fill('07/01/2025 to 06/30/2031')
  await expect(field(page, 'authorizer_board_member.new.board_term')).toContainText('Read as 06/30/2031')
  const site = await newSite(context)
  const end = addDays(TODAY, 214)
  await sendCall(context, updateFacility, { id: site._id }, { lease_end: end })
  await page.goto(`/location/fac/${site.slug}?edit=1`)
  await expect(field(page, 'lease_end')).toContainText(`Read as ${formatDay(end)} · in 214 days`)
})
