import { formatMomentDay } from '../../src/contract/dates.ts'
import { formatPhone, toTelUrl } from '../../src/contract/phones.ts'
import { isClosed, STATUS_LABELS } from '../../src/contract/status.ts'
import { listCharters, readCharter, viewCharter } from '../../src/records/charters/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { factsIn, findRecord, sendCall } from './records.ts'

test.use({ level: 10 })
const TIME_ZONE = 'America/Los_Angeles'
const cards = 'main article'

test('a charter shows its facts and its filtered sites, by slug and by _id', async ({ page, context }) => {
  await test.step('a charter shows its status, brand, phone, students with the date of the count, and website', async () => {
    const charter = findRecord(
      await sendCall(context, listCharters),
      'charter with a count, a number and a website',
      (one) => one.studentCount !== null && one.charterContactnumber !== null && one.charterWebsite !== null && one.abbreviation !== null,
    )
    await visit(page, `/charter/${charter.slug}`)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1, name: charter.name })).toBeVisible()
    await expect(page).toHaveTitle(`${charter.name} - Homeroom`)
    await expect(main.getByText(STATUS_LABELS[charter.status]).first()).toBeVisible()
    await expect(main.getByText(charter.abbreviation ?? '', { exact: true })).toBeVisible()
    await expect(main.getByRole('link', { name: charter.brandName })).toHaveAttribute('href', `/brand/${charter.brand}`)
    const phone = charter.charterContactnumber ?? ''
    await expect(main.getByRole('link', { name: formatPhone(phone), exact: true }).first()).toHaveAttribute('href', toTelUrl(phone))
    const facts = new Map(await factsIn(page, 'main'))
    const day = formatMomentDay(charter.studentCountUpdatedAt ?? '', TIME_ZONE)
    expect(facts.get('Students')).toBe(`${charter.studentCount?.toLocaleString('en-US')} as of ${day}`)
    expect(charter.charterWebsite).toContain(facts.get('Website'))
  })

  await test.step('it is found by its _id as well as by its slug', async () => {
    const charter = findRecord(await sendCall(context, listCharters), 'charter', () => true)
    for (const path of ['charter', 'charterview']) {
      await visit(page, `/${path}/${charter._id}`)
      await expect(page.getByRole('heading', { level: 1, name: charter.name })).toBeVisible()
    }
  })

  await test.step('it lists its sites, open ones first, each with its principal and a link', async () => {
    const { slug } = findRecord(
      await sendCall(context, listCharters),
      'charter with active and closed sites',
      ({ sites }) => sites.some(({ status }) => isClosed(status)) && sites.some(({ status }) => !isClosed(status)),
    )
    const charter = await sendCall(context, readCharter, { slug })
    await visit(page, `/charter/${slug}`)
    await expect(page.locator(cards)).toHaveCount(charter.sites.length)
    await expect(page.getByRole('heading', { name: `Sites ${charter.sites.length}`, exact: true })).toBeVisible()
    for (const site of charter.sites) {
      const card = page.locator(cards).filter({ has: page.getByRole('link', { name: site.displayName, exact: true }) })
      const principal = site.principal ? `Principal: ${site.principal.name}` : 'No principal assigned'
      await expect(card.getByText(principal)).toHaveCount(site.principal || site.vacant.includes('Principal') ? 1 : 0)
      await expect(card.getByRole('link', { name: site.displayName, exact: true })).toHaveAttribute('href', `/location/${site.slug}`)
    }
    const open = charter.sites.filter(({ status }) => !isClosed(status)).map(({ displayName }) => displayName)
    const shown = await page.locator(`${cards} a[href^="/location/"]`).allTextContents()
    expect(shown.slice(0, open.length).toSorted()).toEqual(open.toSorted())
  })

  await test.step('its Active and Closed toggles exclude each other, can be turned off, and are in the URL', async () => {
    const charter = findRecord(
      await sendCall(context, listCharters),
      'charter with active and closed sites',
      ({ sites }) => sites.some(({ status }) => isClosed(status)) && sites.some(({ status }) => !isClosed(status)),
    )
    const closed = charter.sites.filter(({ status }) => isClosed(status)).length
    await visit(page, `/charter/${charter.slug}`)
    const active = page.getByRole('button', { name: /^Active \d/ })
    const shut = page.getByRole('button', { name: /^Closed \d/ })
    await expect(page.locator(cards)).toHaveCount(charter.sites.length)
    await shut.click()
    await expect(page.locator(cards)).toHaveCount(closed)
    await expect(page).toHaveURL(/\?status=closed$/)
    await active.click()
    await expect(shut).toHaveAttribute('aria-pressed', 'false')
    await expect(page.locator(cards)).toHaveCount(charter.sites.length - closed)
    await page.reload()
    await expect(page.locator(cards)).toHaveCount(charter.sites.length - closed)
    await active.click()
    await expect(page.locator(cards)).toHaveCount(charter.sites.length)
  })
})

test('a charter without sites shows an empty message', { tag: '@all' }, async ({ page, context }) => {
  const { slug } = findRecord(await sendCall(context, listCharters), 'charter', () => true)
  // Every charter of the sample network has sites, so the test removes them from the response.
  await page.route(`**/charterbyslug/${slug}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), sites: [] } })
  })
  await visit(page, `/charter/${slug}`)
  await expect(page.getByRole('heading', { name: 'No locations to display', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Closed/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('the charter view shows every field, and has a way back', { tag: '@all' }, async ({ page, context }) => {
  await test.step('the charter view shows every field, who changed it and when', async () => {
    const { slug } = findRecord(
      await sendCall(context, listCharters),
      'charter with school types',
      ({ schoolTypeUrls }) => schoolTypeUrls.length > 1,
    )
    const charter = await sendCall(context, viewCharter, { id: slug })
    await visit(page, `/charter/${slug}`)
    await page.getByRole('link', { name: 'View Charter', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/charterview/${slug}$`))
    await expect(page).toHaveTitle(`Charter view, ${charter.name} - Homeroom`)
    const facts = new Map(await factsIn(page, 'main'))
    const none = 'None provided'
    expect(Object.fromEntries(facts)).toMatchObject({
      Abbreviation: charter.abbreviation ?? none,
      Brand: charter.brandName,
      Status: STATUS_LABELS[charter.status],
      'Contact number': charter.charterContactnumber ? formatPhone(charter.charterContactnumber) : 'No number on file',
      'School type URLs': charter.schoolTypeUrls.map(({ name }) => name).join(''),
      'Charter number': charter.charter_number ?? none,
      'Grade levels': charter.charter_grade_levels ?? none,
      Slug: charter.slug,
      Sites: charter.sites.length === 1 ? '1 site' : `${charter.sites.length} sites`,
    })
    for (const { name, url } of charter.schoolTypeUrls) {
      await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', new RegExp(url.replace(/^https?:\/\//, '')))
    }
    expect(facts.has('Directory ID')).toBe(charter.directory_id !== null)
    await expect(page.getByText(new RegExp(`^Changed .* by ${charter.updatedBy}$`))).toBeVisible()
    // Everyone sees the button; people who cannot edit see a message.
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  })

  await test.step('back from the view goes to the charter, and from there to the list with its filter', async () => {
    const charter = findRecord(await sendCall(context, listCharters), 'active charter', ({ status }) => !isClosed(status))
    await visit(page, '/charters?status=all')
    await page.getByRole('link', { name: charter.name, exact: true }).first().click()
    await page.getByRole('link', { name: 'View Charter', exact: true }).click()
    await expect(page).toHaveURL(/\/charterview\//)
    await page.getByRole('link', { name: charter.name }).click()
    await expect(page).toHaveURL(/\/charter\//)
    await page.getByRole('main').getByRole('link', { name: 'Charters', exact: true }).click()
    await expect(page).toHaveURL(/\/charters\?status=all$/)
  })
})

test('a missing charter leads to the not-found page after 2 seconds', { tag: '@all' }, async ({ page, pageErrors }) => {
  pageErrors.expect(/404 \(Not Found\)/)
  pageErrors.expect(/charterbyslug\/:slug failed: Problem: Charter could not be found/)
  await visit(page, '/charter/no-such-charter')
  await expect(page.getByText('This charter could not be found.')).toBeVisible()
  await expect(page).toHaveURL(/\/404$/)
  await expect(page.getByRole('heading', { name: 'Page could not be found', exact: true })).toBeVisible()
})

test('axe finds nothing on the charter and its view', async ({ page, context }) => {
  test.slow()
  const charter = findRecord(await sendCall(context, listCharters), 'charter with sites', ({ sites }) => sites.length > 1)
  for (const path of [`/charter/${charter.slug}`, `/charterview/${charter.slug}`]) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1, name: charter.name })).toBeVisible()
    await expectAccessible(page)
  }
})
