import type { BrowserContext, Page } from '@playwright/test'

import { listPlannedChanges } from '../../../src/features/changing/changesets/contract.ts'
import { createPerson, listRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const ROLE = 'Regional SRM'
const newPerson = (context: BrowserContext, name: string) =>
  sendCall(context, createPerson, {}, { name, email: `${letters()}@school.example` })

const setUp = async (context: BrowserContext, count = 3) => {
  const word = letters()
  const role = findRecord(await sendCall(context, listRoles), ROLE, ({ name }) => name === ROLE)
  const [ruth, irene, noelle] = [
    await newPerson(context, `Ruth ${word}`),
    await newPerson(context, `Irene ${word}`),
    await newPerson(context, `Noelle ${word}`),
  ]
  const sites = []
  for (let at = 0; at < count; at++) {
    const site = await newSite(context, { displayName: `Reorg ${word} ${at}` })
    await sendCall(context, addSiteStaff, { id: site._id }, { person: ruth._id, role_match: role._id })
    sites.push(site)
  }
  return { word, ruth, irene, noelle, sites }
}
const readHolders = async (context: BrowserContext, sites: readonly { _id: string }[]) => {
  const holders = []
  for (const { _id } of sites) {
    const { people } = await sendCall(context, readSite, { slug: _id })
    holders.push(people.filter(({ role_match }) => role_match.name === ROLE).map(({ person }) => person.name.split(' ')[0]))
  }
  return holders
}
const choose = async (page: Page, button: RegExp | string, name: string) => {
  await page.getByRole('button', { name: typeof button === 'string' ? new RegExp(`^${button}:`) : button }).click()
  await page.getByRole('searchbox').fill(name)
  await page.getByRole('button', { name: `Select ${name}`, exact: true }).click()
}

test('a person’s sites are given to others as one change, with counts before and after, and given back', async ({ page, context }) => {
  const { ruth, irene, noelle, sites } = await setUp(context)
  await visit(page, `/staff/${ruth.slug}`)
  await page.getByRole('link', { name: 'Give Sites To…', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Give ${ruth.name}’s sites to someone else`, exact: true })).toBeVisible()
  await expect(page.getByText(`${ruth.name} is ${ROLE} of 3 sites.`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Change Sites/ })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Choose who gets them').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^To:/ })).toBeFocused()
  await choose(page, 'To', irene.name)
  await expect(page.getByText('3 sites now, 0 after')).toBeVisible()
  await expect(page.getByText('0 sites now, 3 after')).toBeVisible()
  await choose(page, `New ${ROLE} of ${sites[1]!.displayName}`, noelle.name)
  await page.getByRole('checkbox', { name: `Change ${ROLE} of ${sites[2]!.displayName}`, exact: true }).click()
  await expect(page.getByText('3 sites now, 1 after')).toBeVisible()
  const bar = page.getByRole('status').filter({ hasText: 'change today' })
  await expect(bar).toHaveText(`2 sites change today 1 to ${irene.name}, 1 to ${noelle.name}, 1 stays`)
  // The URL contains every choice: reloading shows the same.
  await page.reload()
  await expect(bar).toHaveText(`2 sites change today 1 to ${irene.name}, 1 to ${noelle.name}, 1 stays`)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Change 2 sites now/ }).click()
  await expect(page.getByText('2 sites changed.')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/staff/${ruth.slug}$`))
  expect(await readHolders(context, sites)).toEqual([['Irene'], ['Noelle'], ['Ruth']])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('2 sites changed back.')).toBeVisible()
  expect(await readHolders(context, sites)).toEqual([['Ruth'], ['Ruth'], ['Ruth']])
})

test('a later date is saved as planned changes, by keyboard and on a phone', { tag: '@all' }, async ({ page, context }) => {
  const { ruth, irene, sites } = await setUp(context, 2)
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, `/reorganize?mode=give&from=${ruth.slug}&to=${irene.slug}`)
  await page.getByLabel('Effective date').fill('2099-07-01')
  await expect(page.getByRole('status').filter({ hasText: '2 sites change on 07/01/2099' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('2 changes planned.')).toBeVisible()
  expect(await readHolders(context, sites)).toEqual([['Ruth'], ['Ruth']])
  const plans = (await sendCall(context, listPlannedChanges)).filter(({ record }) => sites.some(({ _id }) => _id === record._id))
  expect(plans.map(({ day, others, fields }) => [day, others, fields[0]?.label, fields[0]?.plannedName])).toEqual([
    ['2099-07-01', 1, ROLE, irene.name],
    ['2099-07-01', 1, ROLE, irene.name],
  ])
  // All planned changes are listed on their page, and on the pages of the people concerned.
  await page.getByRole('link', { name: 'See planned changes', exact: true }).click()
  const day = page.getByRole('region', { name: /^From 07\/01\/2099/ })
  await expect(day.getByRole('listitem').filter({ hasText: `${ROLE} will be ${irene.name}` })).toHaveCount(2)
  await expectAccessible(page)
  await visit(page, `/staff/${ruth.slug}`)
  const coming = page.getByRole('region', { name: 'Planned changes', exact: true })
  await expect(coming.getByRole('link', { name: sites[1]!.displayName, exact: true })).toBeVisible()
  // The same positions are planned now, and left out of another reorganization.
  await visit(page, `/reorganize?mode=give&from=${ruth.slug}&to=${irene.slug}`)
  await expect(page.getByText('Left out: already planned from 07/01/2099')).toHaveCount(2)
})

test(
  'two people swap their sites, vacant positions are filled, and selected sites get someone',
  { tag: '@all' },
  async ({ page, context }) => {
    const { word, ruth, irene, noelle, sites } = await setUp(context, 2)
    await visit(page, `/reorganize?mode=swap&from=${ruth.slug}&to=${noelle.slug}`)
    await page.getByRole('button', { name: /^Change 2 sites now/ }).click()
    await expect(page.getByText('2 sites changed.')).toBeVisible()
    expect(await readHolders(context, sites)).toEqual([['Noelle'], ['Noelle']])

    await visit(page, '/coverage?role=Principal&empty=1')
    await page.getByRole('link', { name: 'Reorganize', exact: true }).click()
    await expect(page).toHaveURL(/mode=fill/)
    // Nothing is selected at first.
    await expect(page.getByRole('checkbox', { name: /^Change all/ })).not.toBeChecked()
    await page.getByRole('checkbox', { name: `Change Principal of ${sites[0]!.displayName}`, exact: true }).click()
    await choose(page, 'To', ruth.name)
    await page.getByRole('button', { name: /^Change 1 site now/ }).click()
    await expect(page.getByText('1 site changed.')).toBeVisible()
    const { people } = await sendCall(context, readSite, { slug: sites[0]!._id })
    expect(people.map(({ person, role_match }) => `${role_match.name}: ${person.name}`)).toContain(`Principal: ${ruth.name}`)

    await visit(page, `/locations?show=table&q=${word}`)
    await page.getByRole('checkbox', { name: 'Select all 2 rows', exact: true }).click()
    await page.getByRole('link', { name: 'Reorganize…', exact: true }).click()
    await page.getByLabel('Role', { exact: true }).selectOption(ROLE)
    await choose(page, 'To', irene.name)
    await page.getByRole('button', { name: /^Change 2 sites now/ }).click()
    await expect(page.getByText('2 sites changed.')).toBeVisible()
    expect(await readHolders(context, sites)).toEqual([['Irene'], ['Irene']])
  },
)

test('a position that someone gives up is left vacant, which a sentence says before it is planned', async ({ page, context }) => {
  const { ruth, sites } = await setUp(context, 2)
  const [site] = sites
  await visit(page, `/reorganize?mode=give&from=${ruth.slug}`)
  await page.getByRole('button', { name: `New ${ROLE} of ${site!.displayName}: Choose someone`, exact: true }).click()
  await page.getByRole('button', { name: 'Leave Vacant', exact: true }).click()
  await page.getByLabel('Effective date').fill('2099-07-01')
  await expect(page.getByText(`${site!.displayName} has no regional SRM from then on.`)).toBeVisible()
  await expect(page.getByText('1 left vacant, 1 stays')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('button', { name: `New ${ROLE} of ${site!.displayName}: Vacant`, exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Plan 1 change/ }).click()
  await expect(page.getByText('1 change planned.')).toBeVisible()
  const plans = (await sendCall(context, listPlannedChanges, {})).filter(({ record }) => record._id === site!._id)
  expect(plans.map(({ fields }) => [fields[0]?.beforeName, fields[0]?.planned])).toEqual([[ruth.name, []]])
})
