import { readFile } from 'node:fs/promises'

import { readAffairHistory } from '../../src/features/changing/history/contract.ts'
import { listDeadlineTexts } from '../../src/features/deadlines/deadlines/contract.ts'
import { readCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { listCharters } from '../../src/records/charters/contract.ts'
import { readWorkbook } from '../support/workbooks.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.describe('level 1', () => {
  test.use({ level: 1 })

  test('finds who read a charter affair, opens the event, and downloads the trail', async ({ page, context }) => {
    // The last charter, since other tests read the first ones at the same time.
    const { _id, name } = findRecord((await sendCall(context, listCharters)).toReversed(), 'charter', () => true)
    await sendCall(context, readCharterAffair, { id: _id })
    await visit(page, '/')
    await page.locator('#menu').getByRole('button', { name: 'Management', exact: true }).click()
    await page.locator('#menu').getByRole('link', { name: 'Audit Trail', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Audit Trail', exact: true })).toBeVisible()
    const rows = page.locator('main').getByRole('listitem')
    await expect(page.getByRole('button', { name: 'Signed in', exact: true }).first()).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('Charter affair read')
    await page.getByRole('textbox', { name: 'Person, record, address or value', exact: true }).fill(_id)
    await expect(page).toHaveURL(/kind=charter_affair\.read/)
    const row = rows.filter({ has: page.getByRole('button', { name: 'Charter affair read', exact: true }), hasText: name })
    await row.first().getByRole('button', { name: 'Charter affair read', exact: true }).press('Enter')
    await expect(page).toHaveURL(/open=\d+/)
    await expect(row.first()).toContainText('level1@sample.test')
    await expect(row.first().getByRole('link', { name: 'Open the charter affair', exact: true })).toBeVisible()
    await expectAccessible(page)
    await row.first().getByRole('button', { name: 'Only this person', exact: true }).click()
    await expect(page).toHaveURL(/actor=level1/)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download Workbook', exact: true }).click(),
    ])
    const [sheet] = await readWorkbook(await readFile(await file.path()))
    expect(
      sheet?.rows.map((one) => one['Record']),
      'the records of the rows',
    ).toContain(_id)
    await page.getByRole('textbox', { name: 'Person, record, address or value', exact: true }).fill('nothing has this')
    await expect(page.getByRole('heading', { name: 'No events to display', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Clear search and filters', exact: true }).click()
    await expect(page.getByRole('button', { name: 'File downloaded', exact: true }).first()).toBeVisible()
  })

  test('loads earlier events by scrolling', { tag: '@all' }, async ({ page, context }) => {
    const charters = (await sendCall(context, listCharters)).slice(0, 40)
    for (const call of [readCharterAffair, readAffairHistory, listDeadlineTexts])
      for (const { _id } of charters) await sendCall(context, call, { id: _id })
    await visit(page, '/audit?kind=charter_affair.read&each=true')
    const rows = page.getByRole('button', { name: 'Charter affair read', exact: true })
    await expect(rows.first()).toBeVisible()
    const first = await rows.count()
    await page.getByRole('button', { name: 'Show Earlier Events', exact: true }).scrollIntoViewIfNeeded()
    await expect.poll(() => rows.count()).toBeGreaterThan(first)
  })
})
