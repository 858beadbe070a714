import { isActive, isClosed, STATUS_LABELS } from '../../src/contract/status.ts'
import { listBrands, viewBrand } from '../../src/records/brands/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { factsIn, findRecord, sendCall } from './records.ts'

test.use({ level: 10 })
const cards = 'main article'

test('a brand lists, filters and searches its charters, and its view shows every field', async ({ page, context }) => {
  test.slow()
  await test.step('a brand lists its charters, starting on Active', async () => {
    const brand = findRecord(await sendCall(context, listBrands), 'brand with charters', ({ charters }) =>
      charters.some(({ status }) => isActive(status)),
    )
    const active = brand.charters.filter(({ status }) => isActive(status))
    await visit(page, `/brand/${brand._id}`)
    await expect(page.getByRole('heading', { level: 1, name: brand.brandName })).toBeVisible()
    await expect(page).toHaveTitle(`${brand.brandName} - Homeroom`)
    await expect(page.getByRole('button', { name: 'Active', exact: true })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.locator(cards)).toHaveCount(active.length)
    for (const charter of active) {
      const card = page.locator(cards).filter({ has: page.getByRole('link', { name: charter.name, exact: true }) })
      await expect(card.getByRole('link')).toHaveAttribute('href', `/charter/${charter.slug}`)
      await expect(card).toContainText(STATUS_LABELS[charter.status])
      if (charter.abbreviation) await expect(card).toContainText(charter.abbreviation)
      if (charter.studentCount !== null) await expect(card).toContainText(charter.studentCount.toLocaleString('en-US'))
      await expect(card).toContainText(`${charter.siteCount} site`)
    }
  })

  await test.step('with no charter of the chosen type it shows an empty message that names the filter, and can show all', async () => {
    const brand = findRecord(
      await sendCall(context, listBrands),
      'brand without closed charters',
      ({ charters }) => charters.length > 0 && !charters.some(({ status }) => isClosed(status)),
    )
    await visit(page, `/brand/${brand._id}`)
    await page.getByRole('button', { name: 'Closed', exact: true }).click()
    await expect(page).toHaveURL(/\?status=closed$/)
    await expect(page.getByRole('heading', { name: 'No charters to display', exact: true })).toBeVisible()
    await expect(page.getByText('No closed charters.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all charters', exact: true }).click()
    await expect(page.locator(cards)).toHaveCount(brand.charters.length)
  })

  await test.step('its charters are searched by name and abbreviation, and the search is in the URL', async () => {
    const brand = findRecord(await sendCall(context, listBrands), 'brand with several charters', ({ charters }) => charters.length > 2)
    const one = findRecord(brand.charters, 'active charter', ({ status }) => isActive(status))
    await visit(page, `/brand/${brand._id}`)
    await page.getByRole('textbox', { name: 'Name or abbreviation', exact: true }).fill(one.name.toUpperCase())
    await expect(page.locator(cards)).toHaveCount(1)
    await expect(page.getByRole('status').filter({ hasText: 'match' })).toHaveText(`1 of ${brand.charters.length} match`)
    await expect(page).toHaveURL(/[?&]q=/)
    await page.reload()
    await expect(page.locator(cards)).toHaveCount(1)
  })

  await test.step('the brand view shows every field, by _id and by slug', async () => {
    const { _id } = findRecord(
      await sendCall(context, listBrands),
      'brand with both addresses',
      (one) => one.websiteUrl !== null && one.EnrollmentsUrl !== null,
    )
    const brand = await sendCall(context, viewBrand, { id: _id })
    await visit(page, `/brand/${_id}`)
    await page.getByRole('link', { name: 'View Brand', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/brandview/${_id}$`))
    await expect(page).toHaveTitle(`Brand view, ${brand.brandName} - Homeroom`)
    const facts = Object.fromEntries(await factsIn(page, 'main'))
    expect(brand.websiteUrl).toContain(facts['Website'])
    expect(facts['Website']).not.toBe('')
    expect(brand.EnrollmentsUrl).toContain(facts['Enrollments URL'])
    expect(facts['Status']).toBe(STATUS_LABELS[brand.status])
    await expect(page.getByRole('link', { name: facts['Website'] ?? '', exact: true })).toHaveAttribute('href', brand.websiteUrl ?? '')
    if (brand.brandPhoto) await expect(page.getByRole('img', { name: `Photo of ${brand.brandName}`, exact: true })).toBeVisible()
    if (brand.brandIcon) await expect(page.getByRole('img', { name: `Icon of ${brand.brandName}`, exact: true })).toBeVisible()
    await expect(page.getByText(new RegExp(`^Changed .* by ${brand.updatedBy}$`))).toBeVisible()

    await visit(page, `/brandview/${brand.slug}`)
    await expect(page.getByRole('heading', { level: 1, name: brand.brandName })).toBeVisible()
    await visit(page, `/brand/${brand.slug}`)
    await expect(page.getByRole('heading', { level: 1, name: brand.brandName })).toBeVisible()
  })

  await test.step('axe finds nothing on the brand, on its empty list and on its view', async () => {
    const brand = findRecord(await sendCall(context, listBrands), 'brand with charters', ({ charters }) => charters.length > 0)
    for (const path of [`/brand/${brand._id}`, `/brand/${brand._id}?q=no-such-charter`, `/brandview/${brand._id}`]) {
      await visit(page, path)
      await expect(page.getByRole('heading', { level: 1, name: brand.brandName })).toBeVisible()
      await expectAccessible(page)
    }
  })
})
