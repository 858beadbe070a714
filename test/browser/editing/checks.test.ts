import { readUser } from '../../../src/features/access/session/contract.ts'
import { readCheckSettings, saveCheckSettings } from '../../../src/features/changing/checks/contract.ts'
import { createProposal } from '../../../src/features/changing/requests/contract.ts'
import { listSiteSummaries, readSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

test.use({ level: 5 })

const DAY_MS = 86_400_000

test('the link in an email asks before a due check is recorded, which can be undone', async ({ page, context }) => {
  const site = await newSite(context)
  const { name } = await sendCall(context, readUser)
  await page.clock.setFixedTime(Date.now() + 200 * DAY_MS)
  await visit(page, `/location/${site.slug}?check=right`)
  const strip = page.getByRole('region', { name: 'Last check', exact: true })
  const right = strip.getByRole('button', { name: 'Everything is right', exact: true })
  await expect(strip).toContainText(/Not checked since \d\d\/\d\d\/\d{4}\. Is everything on this page still right\?/)
  await expect(right).toBeFocused()
  await expect(page).toHaveURL(/\/location\/[^?]+$/)
  // Opening the link has changed nothing.
  expect((await sendCall(context, readSite, { slug: site.slug })).checkedAt).toBe(site.checkedAt)
  await expectAccessible(page)
  await right.press('Enter')
  const undo = strip.getByRole('button', { name: 'Undo', exact: true })
  await expect(strip).toContainText('Checked just now by you.')
  await expect(undo).toBeFocused()
  const checked = await sendCall(context, readSite, { slug: site.slug })
  expect(checked.checkedAt).not.toBe(site.checkedAt)
  expect(checked.version).toBe(site.version)
  await undo.click()
  await expect(right).toBeFocused()
  expect((await sendCall(context, readSite, { slug: site.slug })).checkedAt).toBe(site.checkedAt)
  await right.click()
  await expect(undo).toBeFocused()
  await page.getByRole('button', { name: 'History', exact: true }).click()
  const history = page.getByRole('dialog')
  await expect(history).toContainText(`${name} checked the site`)
  await expect(history).toContainText(`${name} undid the check of the site`)
  await expectAccessible(page)
  await visit(page, `/location/${site.slug}?check=wrong`)
  await expect(page.getByRole('heading', { level: 1, name: 'Suggest changes', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
  await expect(strip).toBeVisible()
})

test('a check asks first if suggested changes are pending', { tag: '@all' }, async ({ page, context }) => {
  const site = await newSite(context)
  await sendCall(
    context,
    createProposal,
    {},
    { record: { kind: 'site', _id: site._id }, changes: { 'address.phone': '6615550187', finance_id: '4711' } },
  )
  await visit(page, `/location/${site.slug}`)
  const strip = page.getByRole('region', { name: 'Last check', exact: true })
  await expect(strip.getByRole('link', { name: '2 suggested changes waiting', exact: true })).toBeVisible()
  await strip.getByRole('button', { name: 'Everything is right', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '2 suggested changes wait', exact: true })
  await expect(dialog).toContainText('Decide them, or check the rest?')
  await dialog.getByRole('button', { name: 'Check the rest', exact: true }).click()
  await expect(strip).toContainText('Checked just now by you.')
  await page.reload()
  await strip.getByRole('button', { name: 'Everything is right', exact: true }).click()
  await dialog.getByRole('link', { name: 'Decide them', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Suggested changes to ${site.displayName}`, exact: true })).toBeVisible()
  await page.goBack()
  await strip.getByRole('button', { name: 'Everything is right', exact: true }).click()
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
})

test('lists, the region page and the coverage board show what was not checked', { tag: '@all' }, async ({ page, context }) => {
  const sites = await sendCall(context, listSiteSummaries)
  const isOld = ({ checkedAt }: { checkedAt: string | null }) => checkedAt === null || Date.parse(checkedAt) < Date.now() - 180 * DAY_MS
  const ohio = sites.filter(({ status, region }) => !status.startsWith('CLOSED') && region?.slug === 'ohio')
  const old = ohio.filter(isOld)
  await visit(page, '/region/ohio')
  const share = page.getByRole('region', { name: 'Checked within 180 days', exact: true })
  await expect(share).toContainText(`${ohio.length - old.length} of ${ohio.length}`)
  await share.getByRole('link').click()
  await expect(page).toHaveURL(/\/locations\?region=ohio&unchecked=180$/)
  await expect(page.getByText(new RegExp(`^${old.length} of \\d+ match`))).toBeVisible()
  await expectAccessible(page)
  await visit(page, '/coverage?region=ohio')
  await expect(share).toContainText(`${ohio.length - old.length} of ${ohio.length}`)
})

test('the interval of a kind is set; an empty one turns it off', { tag: '@all' }, async ({ page, context }) => {
  const before = await sendCall(context, readCheckSettings)
  await visit(page, '/settings')
  const row = page.getByRole('list', { name: 'Kinds of records', exact: true }).getByRole('listitem').filter({ hasText: 'Charters' })
  await expect(row).toContainText('Not checked')
  await row.getByRole('button', { name: 'Change the checks of Charters', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Checks: Charters', exact: true })
  const days = dialog.getByLabel('Days after which a check is due', { exact: true })
  await expect(days).toBeFocused()
  await days.fill('4000')
  await expect(dialog.getByText('Enter a number of days from 1 to 3650')).toBeVisible()
  await days.fill('365')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save Changes', exact: true }).click()
  await expect(row).toContainText('Checked every 365 days')
  const charter = findRecord(
    await sendCall(context, listSiteSummaries),
    'with a charter',
    (site) => site.charter !== null && !site.status.startsWith('CLOSED'),
  ).charter
  await visit(page, `/charter/${charter?.slug}`)
  await expect(page.getByRole('region', { name: 'Last check', exact: true })).toBeVisible()
  await visit(page, `/charterview/${charter?.slug}?check=wrong`)
  await expect(page.getByRole('heading', { level: 1, name: 'Suggest changes', exact: true })).toBeVisible()
  await visit(page, `/charter/${charter?.slug}?check=wrong`)
  await expect(page).toHaveURL(/\/charterview\/.*edit=suggest/)
  await sendCall(context, saveCheckSettings, {}, { intervals: before.intervals })
})
