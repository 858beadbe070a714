import type { BrowserContext, Page } from '@playwright/test'

import { formatDay } from '../../src/contract/dates.ts'
import { formatPhone } from '../../src/contract/phones.ts'
import { ORIENTATION_DAYS } from '../../src/records/enrollment/fields.ts'
import { listRoles } from '../../src/records/people/contract.ts'
import { listSites, readSite } from '../../src/records/sites/contract.ts'
import type { Site } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { timeBeforeNotFound } from './not-found-page.ts'
import { factsIn, findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

const NONE = 'None provided'
const findSite = async (context: BrowserContext, what: string, is: (site: Site) => boolean): Promise<Site> =>
  findRecord(await sendCall(context, listSites), what, is)
const openPage = async (page: Page, path: string, site: Site): Promise<Record<string, string>> => {
  await visit(page, path)
  await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
  return Object.fromEntries(await factsIn(page, 'main'))
}
const oneLine = (text: string | null): string => text?.replace(/\s+/g, ' ').trim() ?? NONE

test.describe('the facility page', () => {
  test('shows every field of the lease and the premises', async ({ page, context }) => {
    await test.step('shows every field of the lease and the premises, dates as MM/DD/YYYY', async () => {
      const site = await findSite(context, 'site with a lease that ends', ({ facility_info }) => facility_info.lease_end !== null)
      const facility = site.facility_info
      const facts = await openPage(page, `/location/fac/${site.slug}`, site)
      expect(facts).toMatchObject({
        'Lease holder': oneLine(facility.lease_holder),
        'Agreement type': oneLine(facility.agreement_type),
        'Lease term': oneLine(facility.leaseTerm),
        'Lease start': facility.lease_start ? formatDay(facility.lease_start) : NONE,
        'Lease end': expect.stringMatching(new RegExp(`^${formatDay(facility.lease_end ?? '')}`)),
        'Option to renew': oneLine(facility.option_renew),
        'Base rent': oneLine(facility.base_rent),
        'Lease notes': oneLine(facility.lease_notes),
        'Original lease holder': oneLine(facility.original_lease_holder),
        'Original lease holder released': oneLine(facility.original_lease_holder_released),
        Guarantor: oneLine(facility.guarantor),
        'Original guarantor released': oneLine(facility.original_guarantor_released),
        County: oneLine(facility.county),
        'APN (parcel number)': oneLine(facility.apn),
        'Square footage': oneLine(facility.sq_footage),
        'Second phone': facility.phone_2 ? formatPhone(facility.phone_2) : 'No number on file',
        Partnership: facility.partnership ? 'Yes' : 'No',
        'Signage language': oneLine(facility.signage_language),
        'Facility notes': oneLine(facility.fac_notes),
      })
      expect(facts['Lease end']).toMatch(/^\d\d\/\d\d\/\d{4}/)
      await expect(page.getByText(new RegExp(`^Facility changed .+ by ${facility.updatedBy}$`))).toBeVisible()
      await expect(page).toHaveTitle(`Facility, ${site.displayName} - Homeroom`)
    })

    await test.step('an open-ended lease shows Open Ended', async () => {
      const site = await findSite(context, 'site with an open-ended lease', ({ facility_info }) => facility_info.lease_end_open)
      expect((await openPage(page, `/location/fac/${site.slug}`, site))['Lease end']).toBe('Open Ended')
    })
  })
})

test.describe('the enrollment page', () => {
  test('shows texts, programs, addresses and orientation', async ({ page, context }) => {
    await test.step('shows texts, program types, addresses and their status', async () => {
      const site = await findSite(
        context,
        'site with programs and addresses',
        ({ enrollment_info: one }) => one.programTypes.length > 0 && one.registrationEmail.length > 0 && one.interestEmail.length > 0,
      )
      const enrollment = site.enrollment_info
      const facts = await openPage(page, `/location/enrollment/${site.slug}`, site)
      expect(facts).toMatchObject({
        About: oneLine(enrollment.about),
        'More about': oneLine(enrollment.moreAbout),
        'Program types': enrollment.programTypes.map(({ name }) => name).join(''),
        'Registration email': enrollment.registrationEmail.join(''),
        'Interest email': enrollment.interestEmail.join(''),
        'Primary email status': enrollment.primaryEmailstatus,
        'Additional email status': enrollment.addtionalEmailstatus,
      })
      for (const address of [...enrollment.registrationEmail, ...enrollment.interestEmail])
        await expect(page.getByRole('link', { name: address }).first()).toHaveAttribute('href', `mailto:${address}`)
      await expect(page.getByText(/^Enrollment changed /)).toBeVisible()
    })

    await test.step('shows orientation: link, dates with times, recurring days, blackout dates', async () => {
      const sites = await sendCall(context, listSites)
      const orientationOf = (site: Site) => site.enrollment_info.orientation
      const dated = findRecord(sites, 'site with orientation dates', (one) => orientationOf(one).selected_dates.length > 0)
      const dates = orientationOf(dated).selected_dates.map(
        ({ date, start_time, end_time }) => `${formatDay(date)} ${start_time} to ${end_time}`,
      )
      expect((await openPage(page, `/location/enrollment/${dated.slug}`, dated))['Selected dates']).toBe(dates.join(''))

      const isSet = (one: Site) => ORIENTATION_DAYS.filter((day) => orientationOf(one).recurring_dates[day].set)
      const recurring = findRecord(sites, 'site with recurring orientation', (one) => isSet(one).length > 0)
      const days = isSet(recurring).map((day) => {
        const { start_time, end_time } = orientationOf(recurring).recurring_dates[day]
        return `${day} ${start_time} to ${end_time}`
      })
      expect((await openPage(page, `/location/enrollment/${recurring.slug}`, recurring))['Recurring days']).toBe(days.join(''))

      const blackout = findRecord(sites, 'site with blackout dates and a link', (one) => orientationOf(one).blackout_dates.length > 0)
      expect((await openPage(page, `/location/enrollment/${blackout.slug}`, blackout))['Blackout dates']).toBe(
        orientationOf(blackout).blackout_dates.map(formatDay).join(''),
      )

      const linked = findRecord(
        sites,
        'site with an orientation link',
        (one) => orientationOf(one).virtual_orientation_link?.startsWith('https:') ?? false,
      )
      await openPage(page, `/location/enrollment/${linked.slug}`, linked)
      const link = orientationOf(linked).virtual_orientation_link ?? ''
      await expect(page.locator(`main a[href="${link}"]`)).toBeVisible()
    })
  })

  test('shows that a field is empty', { tag: '@all' }, async ({ page, context }) => {
    const site = await findSite(context, 'site', () => true)
    await page.route('**/siteslugprograms/**', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as Site
      const unset = { set: false, start_time: '', end_time: '' }
      const enrollment_info: Site['enrollment_info'] = {
        ...answer.enrollment_info,
        about: null,
        moreAbout: null,
        programTypes: [],
        registrationEmail: [],
        interestEmail: [],
        orientation: {
          virtual_orientation_link: null,
          selected_dates: [],
          recurring_dates: { Monday: unset, Tuesday: unset, Wednesday: unset, Thursday: unset, Friday: unset },
          blackout_dates: [],
        },
      }
      await route.fulfill({ response, json: { ...answer, enrollment_info } })
    })
    const facts = await openPage(page, `/location/enrollment/${site.slug}`, site)
    const empty = Object.entries(facts).filter(([, text]) => text === NONE)
    expect(empty.map(([label]) => label)).toEqual(
      expect.arrayContaining([
        'About',
        'More about',
        'Program types',
        'Registration email',
        'Interest email',
        'Selected dates',
        'Blackout dates',
      ]),
    )
  })
})

test.describe('the staff page', () => {
  test('groups people into Leadership and Student Support, each once with their roles', async ({ page, context }) => {
    const site = await findSite(context, 'site with many people', ({ people }) => people.length > 8)
    const roles = await sendCall(context, listRoles)
    await openPage(page, `/location/staff/${site.slug}`, site)
    for (const [group, title] of [
      ['LEADERSHIP', 'Leadership'],
      ['STUDENT_SUPPORT', 'Student Support'],
    ] as const) {
      const names = new Set(roles.filter((role) => role.group === group).map((role) => role.name))
      const people = site.people.filter(({ role_match }) => names.has(role_match.name))
      const each = new Set(people.map(({ person }) => person._id)).size
      await expect(page.getByRole('heading', { name: `${title} ${each}` })).toBeVisible()
      const rows = page.getByRole('list', { name: title }).getByRole('listitem')
      await expect(rows).toHaveCount(each)
      for (const { person, role_match } of people)
        await expect(rows.filter({ has: page.locator(`a[href="/staff/${person.slug}"]`) })).toContainText(role_match.name)
    }
  })

  test('shows that no one is assigned at a site without staff', { tag: '@all' }, async ({ page, context }) => {
    const site = await findSite(context, 'site', () => true)
    await page.route('**/siteslugprograms/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as Site), people: [] } })
    })
    await openPage(page, `/location/staff/${site.slug}`, site)
    await expect(page.getByText('Vacant')).toHaveCount(2)
    await expectAccessible(page)
  })
})

test.describe('SIS sites', () => {
  const withSis = ({ sis_sites }: Site): boolean => sis_sites.length > 1

  test('are shown as cards, or as an empty message', { tag: '@all' }, async ({ page, context }) => {
    await test.step('are cards with name, ids and status; a trailing slash is ignored', async () => {
      const site = await findSite(context, 'site with SIS sites', withSis)
      await visit(page, `/location/${site.slug}/sis/`)
      await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
      const cards = page.getByRole('list', { name: 'SIS sites' }).getByRole('listitem')
      await expect(cards).toHaveCount(site.sis_sites.length)
      for (const [at, sis] of site.sis_sites.entries()) {
        await expect(cards.nth(at)).toContainText(sis.name)
        await expect(cards.nth(at)).toContainText(sis.status ? 'Active' : 'Inactive')
      }
    })

    await test.step('a location without SIS sites shows an empty message', async () => {
      const site = await findSite(context, 'site without SIS sites', ({ sis_sites }) => sis_sites.length === 0)
      await visit(page, `/location/${site.slug}/sis`)
      await expect(page.getByRole('heading', { name: 'No SIS sites to display' })).toBeVisible()
      await expectAccessible(page)
    })
  })

  for (const level of [7, 10])
    test.describe(`at level ${level}`, () => {
      test.use({ level })

      test('cannot be opened: the cards are not links, and the URL leads home', { tag: '@all' }, async ({ page, context }) => {
        const site = await findSite(context, 'site with SIS sites', withSis)
        await visit(page, `/location/${site.slug}/sis`)
        await expect(page.getByText(site.sis_sites[0]?.name ?? '', { exact: true })).toBeVisible()
        await expect(page.locator('main a[href*="/sis/"]')).toHaveCount(0)
        await visit(page, `/location/${site.slug}/sis/${site.sis_sites[0]?._id}`)
        await expect(page).toHaveURL(/:\d+\/$/)
      })
    })

  test.describe('at level 6', () => {
    test.use({ level: 6 })

    test('the card opens the SIS site with every field', { tag: '@all' }, async ({ page, context }) => {
      const site = await findSite(context, 'site with SIS sites', withSis)
      const sis = findRecord(site.sis_sites, 'SIS site', () => true)
      await visit(page, `/location/${site.slug}/sis`)
      await page.getByRole('link', { name: sis.name, exact: true }).first().click()
      await expect(page).toHaveURL(new RegExp(`/location/${site.slug}/sis/${sis._id}$`))
      await expect(page.getByRole('heading', { level: 1, name: sis.name })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: site.displayName }).last()).toHaveAttribute(
        'href',
        `/location/${site.slug}`,
      )
      const yes = (value: boolean) => (value ? 'Yes' : 'No')
      expect(Object.fromEntries(await factsIn(page, 'main'))).toEqual({
        'SISLC ID': oneLine(sis.sislc_id),
        'Site ID': oneLine(sis.siteId),
        'Home site ID': oneLine(sis.homeSiteId),
        'Charter ID': oneLine(sis.charterId),
        'Charter name': oneLine(sis.charterName),
        'Active date': sis.activeDate ? formatDay(sis.activeDate) : NONE,
        'Inactive date': sis.inactiveDate ? formatDay(sis.inactiveDate) : NONE,
        'Active site': yes(sis.activeSite),
        Types: sis.type_array.join(', ') || NONE,
        'Summer district': yes(sis.summer_district),
        Intersession: yes(sis.intersession),
        'Home study': yes(sis.home_study),
        'Non-ADA students': yes(sis.nonAdaStudents),
        'Online education': yes(sis.online_education),
        SGI: yes(sis.sgi),
      })
      await expectAccessible(page)
    })

    test('a SIS site of another location is not found under this one', { tag: '@all' }, async ({ page, context }) => {
      const sites = await sendCall(context, listSites)
      const site = findRecord(sites, 'site with SIS sites', withSis)
      const other = findRecord(sites, 'another site with SIS sites', (one) => one._id !== site._id && withSis(one))
      const path = `/location/${site.slug}/sis/${other.sis_sites[0]?._id}`
      expect(await timeBeforeNotFound(page, path, 'This SIS site could not be found.')).toBeGreaterThan(1900)
    })
  })
})

test('axe finds nothing on the pages of a site, whose tabs count staff and SIS sites', async ({ page, context }) => {
  test.slow()
  for (const [name, path] of [
    ['overview', (slug: string) => `/location/${slug}`],
    ['facility page', (slug: string) => `/location/fac/${slug}`],
    ['enrollment page', (slug: string) => `/location/enrollment/${slug}`],
    ['staff page', (slug: string) => `/location/staff/${slug}`],
    ['list of SIS sites', (slug: string) => `/location/${slug}/sis`],
  ] as const)
    await test.step(`axe finds nothing on the ${name} of a site`, async () => {
      const site = await findSite(context, 'site with people and SIS sites', (one) => one.people.length > 3 && one.sis_sites.length > 1)
      await visit(page, path(site.slug))
      await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
      await expectAccessible(page)
    })

  await test.step('the tabs are links and count staff and SIS sites', async () => {
    const { slug } = await findSite(context, 'site with people and SIS sites', (one) => one.people.length > 3 && one.sis_sites.length > 1)
    const site = await sendCall(context, readSite, { slug })
    await openPage(page, `/location/${site.slug}`, site)
    const tabs = page.getByRole('navigation', { name: `Pages of ${site.displayName}` }).getByRole('link')
    const people = new Set(site.people.map(({ person }) => person._id)).size
    await expect(tabs).toHaveText(['Overview', 'Facility', 'Enrollment', `Staff ${people}`, `SIS ${site.sis_sites.length}`])
    await expect(tabs.first()).toHaveAttribute('aria-current', 'page')
    await tabs.nth(4).click()
    await expect(page).toHaveURL(new RegExp(`/location/${slug}/sis$`))
    await expect(page).toHaveTitle(`SIS, ${site.displayName} - Homeroom`)
  })
})
