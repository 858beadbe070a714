import type { Page } from '@playwright/test'

import { readCharterAffair } from '../../../src/records/charter-affairs/contract.ts'
import { listCharters } from '../../../src/records/charters/contract.ts'
import { readSite, type Site } from '../../../src/records/sites/contract.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

/** The notice across the page, which screen readers announce. */
const notice = (page: Page, text: string | RegExp) => page.locator('[aria-live="polite"]').filter({ hasText: text })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

const edit = async (page: Page, site: Site, label: string, value: string): Promise<void> => {
  await visit(page, `/location/${site.slug}`)
  await page.getByRole('button', { name: 'Edit Site', exact: true }).click()
  await page.getByLabel(label).fill(value)
}

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('a save of a site, of its facility and of its staff is answered, and undone', async ({ page, context }) => {
    const site = await newSite(context)
    const read = () => sendCall(context, readSite, { slug: site.slug })
    await edit(page, site, 'City', 'Palmdale')
    await page.keyboard.press('Control+s')
    await expect(notice(page, 'Saved.')).toBeVisible()
    expect((await read()).address.city).toBe('Palmdale')
    await undo(page).click()
    await expect(notice(page, 'Undone.')).toBeVisible()
    expect((await read()).address.city).toBe(site.address.city)

    await visit(page, `/location/fac/${site.slug}?edit=1`)
    await page.getByLabel('County').fill('Kern')
    await page.keyboard.press('Control+s')
    await expect(notice(page, 'Saved.')).toBeVisible()
    await undo(page).click()
    await expect(notice(page, 'Undone.')).toBeVisible()
    expect((await read()).facility_info.county).toBeNull()
  })

  test('a save is a check only if all of the form was on the screen', async ({ page, context }) => {
    const site = await newSite(context)
    const read = async () => (await sendCall(context, readSite, { slug: site.slug })).checkedAt
    const before = await read()
    await edit(page, site, 'City', 'Palmdale')
    await page.keyboard.press('Control+s')
    await expect(notice(page, 'Saved.')).toBeVisible()
    expect(await read()).toBe(before)

    await edit(page, site, 'City', 'Rosamond')
    for (const field of await page.locator('form [data-field]').all()) {
      await field.scrollIntoViewIfNeeded()
      // What is on the screen is known once a frame has been drawn.
      await field.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    }
    await page.keyboard.press('Control+s')
    // The notice of the save before may still be there.
    await expect.poll(read).not.toBe(before)
    await expect(notice(page, 'Saved.')).toBeVisible()
    // Undo takes the check back as well.
    await undo(page).click()
    await expect(notice(page, 'Undone.')).toBeVisible()
    await expect.poll(read).toBe(before)
  })
})

test.describe('level 5', () => {
  test.use({ level: 5 })

  test('a member added to a charter affair can be undone', { tag: '@all' }, async ({ page, context }) => {
    const { _id, slug } = findRecord((await sendCall(context, listCharters)).toReversed(), 'charter', () => true)
    const names = async () =>
      (await sendCall(context, readCharterAffair, { id: _id })).charter_affair_info[0]?.authorizer_board_member.map(
        ({ board_member_name }) => board_member_name,
      )
    await visit(page, `/charter_affair/${slug}?edit=1`)
    const row = page.getByRole('group', { name: 'Add New Member', exact: true })
    await row.getByRole('textbox').first().fill('Undone County Office')
    await row.getByRole('button', { name: /^Add/ }).click()
    await expect(notice(page, 'The board member was added.')).toBeVisible()
    const added = (await names())?.length ?? 0
    await undo(page).click()
    await expect(notice(page, 'Undone.')).toBeVisible()
    expect((await names())?.length ?? 0).toBe(added - 1)
  })
})
