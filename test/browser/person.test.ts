import type { BrowserContext } from '@playwright/test'

import { formatPhone, toTelUrl } from '../../src/contract/phones.ts'
import { isClosed, STATUS_LABELS } from '../../src/contract/status.ts'
import { listPeople, readPerson } from '../../src/records/people/contract.ts'
import type { Person } from '../../src/records/people/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { timeBeforeNotFound } from './not-found-page.ts'
import { factsIn, findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

const findPerson = async (context: BrowserContext, what: string, is: (person: Person) => boolean): Promise<Person> =>
  findRecord(await sendCall(context, listPeople), what, is)

test('a person’s page shows their contact information and sites', async ({ page, context }) => {
  await test.step('a person shows phone, email, chat, fax, roles and HR number first', async () => {
    const person = await findPerson(context, 'person with everything', ({ phone, email, fax, sql_person_id, locations }) =>
      [phone, email, fax, sql_person_id, locations[0] ?? null].every((part) => part !== null),
    )
    const [phone, email] = [person.phone ?? '', person.email ?? '']
    await visit(page, `/staff/${person.slug}`)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
    await expect(page).toHaveTitle(`${person.name} - Homeroom`)
    await expect(main.getByRole('link', { name: formatPhone(phone), exact: true }).first()).toHaveAttribute('href', toTelUrl(phone))
    await expect(main.getByRole('link', { name: email })).toHaveAttribute('href', `mailto:${email}`)
    await expect(main.getByRole('link', { name: 'Start a chat' })).toHaveAttribute('href', new RegExp(encodeURIComponent(email)))
    expect(Object.fromEntries(await factsIn(page, 'main'))).toMatchObject({
      Phone: formatPhone(phone),
      Email: email,
      Roles: person.roles.map(({ name }) => name).join(', '),
      Fax: formatPhone(person.fax ?? ''),
      'HR number': person.sql_person_id,
    })
    for (const what of ['phone number', 'email address', 'fax number'])
      await expect(main.getByRole('button', { name: `Copy ${what}` })).toBeVisible()
    await expect(page.getByText(new RegExp(`^Changed .+ by ${person.updatedBy}$`))).toBeVisible()
  })

  await test.step('each of their sites is listed once with roles, status and phone, open ones first', async () => {
    const { slug } = await findPerson(
      context,
      'person at open and closed sites',
      ({ sites }) => sites.some(({ status }) => isClosed(status)) && sites.some(({ status }) => !isClosed(status)),
    )
    const person = await sendCall(context, readPerson, { slug })
    await visit(page, `/staff/${slug}`)
    const rows = page.getByRole('region', { name: /^Where to find/ }).getByRole('listitem')
    await expect(rows).toHaveCount(person.sites.length)
    for (const { site, role } of person.locations) {
      const row = rows.filter({ has: page.locator(`a[href="/location/${site.slug}"]`) })
      await expect(row).toContainText(role.name)
      await expect(row).toContainText(STATUS_LABELS[site.status])
      await expect(row).toContainText(site.address.phone ? formatPhone(site.address.phone) : 'No number on file')
    }
    const closed = await rows.evaluateAll((all) => all.map((row) => /Closed - /.test(row.textContent ?? '')))
    expect(closed).toEqual(closed.toSorted((a, b) => Number(a) - Number(b)))
    const details = page.getByRole('region', { name: 'Details' })
    for (const { site } of person.locations.slice(0, 3)) {
      if (site.region)
        await expect(details.getByRole('link', { name: site.region.name, exact: true })).toHaveAttribute(
          'href',
          `/region/${site.region.slug}`,
        )
      if (site.charter)
        await expect(details.getByRole('link', { name: site.charter.name, exact: true })).toHaveAttribute(
          'href',
          `/charter/${site.charter.slug}`,
        )
    }
  })
})

test('a person with empty fields and no site shows messages for these', { tag: '@all' }, async ({ page, context }) => {
  const person = await findPerson(context, 'person', () => true)
  await page.route(`**/people_sites_slug/${person.slug}`, async (route) => {
    const response = await route.fetch()
    const bare = { phone: null, email: null, fax: null, sql_person_id: null, sites: [], roles: [], locations: [] }
    await route.fulfill({ response, json: { ...((await response.json()) as Person), ...bare } })
  })
  await visit(page, `/staff/${person.slug}`)
  await expect(page.getByText('No locations to display')).toBeVisible()
  await expect(page.getByText('No role assigned')).toBeVisible()
  expect(Object.fromEntries(await factsIn(page, 'main'))).toEqual({
    Phone: 'No number on file',
    Email: 'None provided',
    Roles: 'None provided',
    Region: 'None provided',
    Charter: 'None provided',
    Fax: 'No number on file',
    'HR number': 'None provided',
  })
  await expectAccessible(page)
})

test('the page opens by _id too, and has a way back to the list', { tag: '@all' }, async ({ page, context }) => {
  await test.step('the page opens by _id too', async () => {
    const person = await findPerson(context, 'person', () => true)
    await visit(page, `/staff/${person._id}`)
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
  })

  await test.step('back goes to the previous list, with its search', async () => {
    const person = await findPerson(context, 'registrar', ({ roles }) => roles.some(({ name }) => name === 'Registrar'))
    await visit(page, '/support')
    await page.getByRole('main').getByRole('textbox').fill(person.name)
    await expect(page).toHaveURL(/\?.+/)
    const list = page.url()
    await page.getByRole('link', { name: person.name, exact: true }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Student Support', exact: true }).click()
    await expect(page).toHaveURL(list)
  })
})

test('a missing person leads to the not-found page after 2 seconds', { tag: '@all' }, async ({ page, pageErrors }) => {
  pageErrors.expect(/404 \(Not Found\)/)
  pageErrors.expect(/people_sites_slug\/:slug failed/)
  expect(await timeBeforeNotFound(page, '/staff/nobody-of-that-name', 'This person could not be found.')).toBeGreaterThan(1900)
})

test('axe finds nothing on the page of a person', async ({ page, context }) => {
  test.slow()
  for (const [what, measure] of [
    ['the longest name', ({ name }: Person) => name.length],
    ['the most sites', ({ locations }: Person) => locations.length],
  ] as const)
    await test.step(`axe finds nothing on the page of the person with ${what}`, async () => {
      const people = await sendCall(context, listPeople)
      const most = Math.max(...people.map(measure))
      const person = findRecord(people, 'person', (one) => measure(one) === most)
      await visit(page, `/staff/${person.slug}`)
      await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
      await expectAccessible(page)
    })
})
