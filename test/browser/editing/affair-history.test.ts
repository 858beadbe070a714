import type { BrowserContext } from '@playwright/test'

import { addMember, readCharterAffair, removeMember, saveCharterAffair } from '../../../src/records/charter-affairs/contract.ts'
import { listCharters } from '../../../src/records/charters/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newCharter, sendCall } from '../records.ts'

/** A new charter with an affair, so that changes affect no other test. */
const makeAffair = async (context: BrowserContext) => {
  const charter = await newCharter(context)
  const save = (sections: object) => sendCall(context, saveCharterAffair, { id: charter._id }, sections)
  const affair = async () =>
    findRecord((await sendCall(context, readCharterAffair, { id: charter._id })).charter_affair_info, 'affair', () => true)
  await save({ overview: { fein: '12-345', county: 'Kern', notes: 'Old' }, mou: { finance: 'Once' } })
  return { charter, save, affair, drawerName: `History of the charter affair of ${charter.name}` }
}

test.describe('level 5', () => {
  test.use({ level: 5 })

  test('restores a single text or a whole section, and the page shows it', async ({ page, context }) => {
    const { charter, save, affair, drawerName } = await makeAffair(context)
    await save({ overview: { fein: '67-890', notes: 'New' }, mou: { finance: 'Twice' } })
    await save({ overview: { county: 'Yolo' } })
    await visit(page, `/charter_affair/${charter.slug}`)
    await page.getByRole('button', { name: 'History', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: drawerName })
    const field = drawer.getByLabel('Field', { exact: true })
    await field.selectOption({ label: 'Overview, FEIN' })
    await expect(drawer.getByText('Overview, Notes:')).toHaveCount(0)
    await drawer.getByRole('button', { name: 'Restore Overview, FEIN: 12-345' }).click()
    await expect(drawer.getByRole('status')).toHaveText('Overview, FEIN was restored to 12-345.')
    expect((await affair()).overview).toMatchObject({ fein: '12-345', county: 'Yolo', notes: 'New' })
    await expect(page.locator('#overview')).toContainText('12-345')
    await expect(drawer.getByRole('button', { name: 'Restore Overview, FEIN: 67-890' })).toBeVisible()

    await field.selectOption({ label: 'Any field' })
    const twoSections = drawer.getByRole('listitem').filter({ hasText: 'Restore the section MOUs Overview' }).first()
    await twoSections.getByRole('button', { name: 'Restore the section Overview' }).click()
    await expect(drawer.getByRole('status')).toHaveText('The section Overview was restored.')
    expect(await affair()).toMatchObject({ overview: { fein: '12-345', county: 'Kern', notes: 'Old' }, mou: { finance: 'Twice' } })
  })

  test('restores a removed board member; the open drawer is accessible', { tag: '@all' }, async ({ page, context }) => {
    const { charter, affair, drawerName } = await makeAffair(context)
    await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Wendell Obi' })
    const member = findRecord((await affair()).authorizer_board_member, 'member', () => true)
    await sendCall(context, removeMember, { id: charter._id, memberId: member._id })
    await visit(page, `/charter_affair/${charter.slug}?history=1`)
    const drawer = page.getByRole('dialog', { name: drawerName })
    await expect(drawer.getByText('removed the board member Wendell Obi')).toBeVisible()
    await drawer.getByRole('button', { name: 'Restore the board member Wendell Obi' }).click()
    await expect(drawer.getByRole('status')).toHaveText('The board member Wendell Obi was restored.')
    await drawer.getByRole('button', { name: 'Close' }).click()
    await expect(
      page.getByRole('table', { name: 'Authorizer Board Members' }).getByRole('rowheader', { name: 'Wendell Obi' }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await expect(drawer.getByText('removed the board member Wendell Obi')).toBeVisible()
    await expectAccessible(page)
  })

  test('sees no history if there is no affair yet', { tag: '@all' }, async ({ page, context }) => {
    const { slug } = findRecord(
      await sendCall(context, listCharters),
      'charter without an affair',
      (one) => one.charter_affair_info.length === 0,
    )
    await visit(page, `/charter_affair/${slug}?history=1`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'History', exact: true })).toHaveCount(0)
  })
})

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('reads the history of an affair and cannot restore anything', { tag: '@all' }, async ({ page, context }) => {
    const { slug, name } = findRecord(await sendCall(context, listCharters), 'charter affair', (one) => one.charter_affair_info.length > 0)
    await visit(page, `/charter_affair/${slug}?history=1`)
    const drawer = page.getByRole('dialog', { name: `History of the charter affair of ${name}` })
    await expect(drawer.getByRole('listitem').first()).toBeVisible()
    await expect(drawer.getByRole('button', { name: /Restore/ })).toHaveCount(0)
  })
})
