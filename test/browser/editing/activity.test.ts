import { applyBulkChange } from '../../../src/features/changing/changesets/contract.ts'
import { createCheck } from '../../../src/features/changing/checks/contract.ts'
import { readActivity } from '../../../src/features/finding/activity/contract.ts'
import { readSite, updateSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { letters, newSite, sendCall } from '../records.ts'

test.use({ level: 5 })

test('each entry is shown once while others save, and new ones are shown on request', { tag: '@all' }, async ({ page, context }) => {
  test.slow()
  const tag = letters()
  const sites: string[] = []
  for (let n = 0; n < 53; n++) sites.push((await newSite(context, { displayName: `Quartz ${tag} ${n}` }))._id)
  const save = (n: number, phone: string) => sendCall(context, updateSite, { id: sites[n] ?? '' }, { address: { phone } })
  await page.clock.install()
  await visit(page, `/activity?q=${tag}`)
  const names = page
    .getByRole('main')
    .getByRole('listitem')
    .getByRole('link', { name: new RegExp(tag) })
  await expect(names).toHaveCount(50)
  // Saves a site that is already listed and one that is not, before more are shown.
  await save(52, '6615550101')
  await save(0, '6615550102')
  await page.getByRole('button', { name: 'Show more', exact: true }).click()
  await expect(names).toHaveCount(53)
  expect(new Set(await names.allTextContents()).size).toBe(53)
  await expect(page.getByRole('button', { name: 'Show more', exact: true })).toHaveCount(0)

  const top = await names.first().textContent()
  await page.clock.fastForward(21_000)
  const news = page.getByRole('button', { name: '2 new', exact: true })
  await expect(news).toBeVisible()
  // Nothing moves without user action.
  expect(await names.first().textContent()).toBe(top)
  await news.click()
  await expect(names.first()).toContainText(`${tag} 0`)
  await expect(news).toHaveCount(0)
  await expectAccessible(page)
})

test('filters are in the URL, and a download applies them', async ({ page, context }) => {
  const tag = letters()
  const site = await newSite(context, { displayName: `Quartz ${tag}` })
  await sendCall(context, createCheck, {}, { kind: 'site', _id: site._id })
  await visit(page, '/activity')
  await page.getByLabel('Person or record', { exact: true }).fill(tag)
  const entries = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: tag, has: page.locator('time') })
  await expect(entries).toHaveCount(1)
  await expect(page).toHaveURL(new RegExp(`q=${tag}`))
  await page.getByRole('button', { name: 'Checks', exact: true }).click()
  await expect(entries).toContainText('Everything is right')
  await expect(page).toHaveURL(/kind=check/)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Checks', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(entries).toHaveCount(1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Workbook', exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^Activity .*\.xlsx$/)
  await page.getByRole('button', { name: 'Suggestions', exact: true }).click()
  await expect(page.getByText('No activity matches')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear filters', exact: true }).click()
  await expect(page).toHaveURL(/\/activity$/)
})

test('a value is restored, and a change of several records is undone as one', async ({ page, context }) => {
  const tag = letters()
  const [one, other] = [
    await newSite(context, { displayName: `Quartz ${tag} A` }),
    await newSite(context, { displayName: `Quartz ${tag} B` }),
  ]
  await sendCall(context, applyBulkChange, {}, { kind: 'site', ids: [one._id, other._id], changes: { 'address.city': 'Acampo' } })
  await visit(page, `/activity?q=${tag}`)
  const many = page.getByRole('main').getByRole('listitem').filter({ hasText: 'changed 2 sites' })
  await many.getByRole('button', { name: /^Show 2 / }).click()
  await expect(many.getByRole('list')).toContainText('Acampo')
  await many.getByRole('button', { name: /^Undo: / }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo all of this?', exact: true })
  await expect(dialog.getByRole('list', { name: 'What is restored', exact: true })).toContainText(one.address.city ?? '')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('The earlier values are back.')).toBeVisible()
  for (const { _id } of [one, other]) expect((await sendCall(context, readSite, { slug: _id })).address.city).toBe(one.address.city)
  await expect(page.getByText('undid changes of 2 sites')).toBeVisible()
  await expect(many.getByRole('button', { name: /^Undo: / })).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the time is above the sentence, and touch targets are large', { tag: '@all' }, async ({ page, context }) => {
    const site = await newSite(context)
    await sendCall(context, updateSite, { id: site._id }, { address: { phone: '6615550103' } })
    const { entries } = await sendCall(context, readActivity)
    expect(entries.length).toBeGreaterThan(0)
    await visit(page, `/activity?record=${site.slug}`)
    const entry = page.getByRole('main').getByRole('listitem').filter({ hasText: site.displayName }).first()
    const [time, sentence] = [await entry.locator('time').boundingBox(), await entry.getByRole('paragraph').first().boundingBox()]
    expect((time?.y ?? 0) + (time?.height ?? 0), 'the time ends above the sentence').toBeLessThanOrEqual(sentence?.y ?? 0)
    for (const button of await entry.getByRole('button').all())
      expect((await button.boundingBox())?.height, 'height of a button').toBeGreaterThanOrEqual(44)
    await expectAccessible(page)
  })
})
