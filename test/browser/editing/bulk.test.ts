import { readFile } from 'node:fs/promises'

import type { BrowserContext, Locator, Page } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'

import { listProgramTypes } from '../../../src/records/enrollment/contract.ts'
import { type NewSite, readSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { letters, newSite, sendCall } from '../records.ts'
import { listSmallTargets } from '../small-targets.ts'

test.use({ level: 6 })

const setUp = async (context: BrowserContext, count: number) => {
  const word = letters()
  const sites = []
  for (const city of ['Acampo', 'Galt', 'Lodi', 'Clements'].slice(0, count)) {
    const address = { address_1: '12 Avenue L', city, zip: '95240', phone: '209-555-0140' }
    sites.push(await newSite(context, { displayName: `Bulk ${word} ${city}`, address } as Partial<NewSite>))
  }
  return { word, sites }
}
const readCities = async (context: BrowserContext, sites: readonly { _id: string }[]) => {
  const cities = []
  for (const { _id } of sites) cities.push((await sendCall(context, readSite, { slug: _id })).address.city)
  return cities
}
const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Change \d+ sites?$/ })
const chooseField = async (page: Page, name: string) => {
  await dialog(page)
    .getByRole('combobox', { name: /^Field/ })
    .fill(name)
  await page
    .getByRole('listbox', { name: /^Field/ })
    .getByRole('option', { name, exact: true })
    .click()
}
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

test('the start and end time of twelve sites take six clicks, without a second look for the fields', async ({ page, context }) => {
  const word = letters()
  const sites = []
  for (let at = 10; at < 22; at++) sites.push(await newSite(context, { displayName: `Hours ${word} ${at}` }))
  await visit(page, `/locations?show=table&q=${word}&sort=name`)
  let clicks = 0
  const click = async (target: Locator, options: Parameters<Locator['click']>[0] = {}) => {
    clicks++
    await target.click(options)
  }
  await click(tick(page, sites[0]!.displayName))
  await click(tick(page, sites[11]!.displayName), { modifiers: ['Shift'] })
  await click(bar(page).getByRole('button', { name: 'Change…', exact: true }))
  const field = dialog(page).getByRole('combobox', { name: /^Field/ })
  await field.pressSequentially('hours')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Hours')
  for (const [label, time] of [
    ['Start time', '8:30AM'],
    ['End time', '4:30PM'],
  ] as const) {
    // A click on the list; the time is typed.
    clicks++
    await dialog(page).getByLabel(label, { exact: true }).selectOption(time)
  }
  await click(dialog(page).getByRole('button', { name: 'Change 12 sites', exact: true }))
  await expect(page.getByText('12 sites changed.')).toBeVisible()
  expect(clicks, 'clicks').toBe(6)
  await expect(bar(page).getByRole('status')).toHaveText('12 selected')
  for (const { _id } of sites)
    expect((await sendCall(context, readSite, { slug: _id })).address).toMatchObject({
      start_day: 'Monday',
      end_day: 'Friday',
      start_time: '8:30AM',
      end_time: '4:30PM',
    })
})

test('several fields are changed in one pass; a field that does not exist is reported', async ({ page, context }) => {
  const { word, sites } = await setUp(context, 2)
  await visit(page, `/locations?show=table&q=${word}`)
  await page.getByRole('checkbox', { name: 'Select all 2 rows', exact: true }).click()
  await bar(page).getByRole('button', { name: 'Change…', exact: true }).click()
  const field = dialog(page).getByRole('combobox', { name: /^Field/ })
  await field.first().pressSequentially('astronaut')
  await page.keyboard.press('Tab')
  await expect(
    dialog(page).getByRole('alert').filter({ hasText: 'There is no field “astronaut”. Choose one from the list.' }),
  ).toBeVisible()
  await field.first().pressSequentially('closing time')
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('New value').selectOption('5:30PM')
  await dialog(page).getByRole('button', { name: 'Add another field', exact: true }).click()
  await expect(field.last()).toBeFocused()
  await field.last().pressSequentially('zip code')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('group', { name: 'ZIP code', exact: true }).getByLabel('New value').fill('95241')
  const rows = dialog(page).getByRole('table', { name: 'What will change', exact: true }).getByRole('row')
  await expect(rows.filter({ hasText: sites[0]!.displayName })).toContainText(/End time.*5:00PM.*5:30PM/)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Change 2 sites', exact: true }).click()
  await expect(page.getByText('2 sites changed.')).toBeVisible()
  for (const { _id } of sites)
    expect((await sendCall(context, readSite, { slug: _id })).address).toMatchObject({ end_time: '5:30PM', zip: '95241' })
})

test('Enter right after the new value saves it, before the preview has shown it', async ({ page, context }) => {
  const { word, sites } = await setUp(context, 2)
  await visit(page, `/locations?show=table&q=${word}&sort=name`)
  for (const { displayName } of sites) await tick(page, displayName).click()
  await bar(page).getByRole('button', { name: 'Change…', exact: true }).click()
  await chooseField(page, 'City')
  await dialog(page).getByLabel('New value').fill('Ripon')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 sites changed.')).toBeVisible()
  expect(await readCities(context, sites)).toEqual(['Ripon', 'Ripon'])
})

test('one field is changed in all selected rows as one change, and undone as one', async ({ page, context }) => {
  const { word, sites } = await setUp(context, 4)
  const names = sites.map(({ displayName }) => displayName).toSorted()
  await visit(page, `/locations?show=table&q=${word}&sort=name`)
  await tick(page, names[0]!).click()
  await tick(page, names[2]!).click({ modifiers: ['Shift'] })
  await expect(bar(page).getByRole('status')).toHaveText('3 selected')

  await bar(page).getByRole('button', { name: 'Change…', exact: true }).click()
  await expect(dialog(page).getByRole('combobox', { name: /^Field/ })).toBeFocused()
  await chooseField(page, 'City')
  await dialog(page).getByLabel('New value').fill('Galt')
  const rows = dialog(page).getByRole('table', { name: 'What will change', exact: true }).getByRole('row')
  await expect(rows.filter({ hasText: names[0]! })).toContainText(/Acampo.*Galt/)
  await expect(rows.filter({ hasText: names[2]! })).toContainText('Unchanged')
  await expect(dialog(page).getByRole('button', { name: '2 change', exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: '1 unchanged', exact: true }).click()
  await expect(rows).toHaveCount(2)
  await dialog(page).getByRole('button', { name: 'Change 2 sites', exact: true }).click()
  await expect(page.getByText('2 sites changed.')).toBeVisible()
  await expect(bar(page).getByRole('status')).toHaveText('3 selected')
  expect(await readCities(context, sites)).toEqual(['Galt', 'Galt', 'Lodi', 'Galt'])
  await expect(page.getByRole('link', { name: 'See what changed', exact: true })).toHaveAttribute('href', /^\/changes\/[0-9a-f-]{36}$/)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('2 sites changed back.')).toBeVisible()
  expect(await readCities(context, sites)).toEqual(['Acampo', 'Galt', 'Lodi', 'Clements'])
})

test('hundreds of selected rows are downloaded as a file', { tag: '@all' }, async ({ page }) => {
  await page.goto('/locations?show=table')
  await page.getByRole('checkbox', { name: /^Select all [\d,]+ rows$/ }).click()
  const count = Number.parseInt(await bar(page).getByRole('status').innerText())
  expect(count, 'selected rows').toBeGreaterThan(299)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    bar(page).getByRole('button', { name: 'Edit in Excel', exact: true }).click(),
  ])
  const [sheet] = (await readXlsx(await readFile(await file.path()))).sheets
  expect(sheet?.rows, 'the selected rows and the header').toHaveLength(count + 1)
})

test('refused values are left out, and a later date plans the change', { tag: '@all' }, async ({ page, context }) => {
  const { word, sites } = await setUp(context, 2)
  await visit(page, `/locations?show=table&q=${word}`)
  await page.getByRole('checkbox', { name: 'Select all 2 rows', exact: true }).click()
  await bar(page).getByRole('button', { name: 'Change…', exact: true }).click()
  await dialog(page)
    .getByRole('button', { name: /^Change/ })
    .click()
  await expect(dialog(page).getByRole('combobox', { name: /^Field/ })).toBeFocused()
  await chooseField(page, 'ZIP code')
  await dialog(page).getByLabel('New value').fill('12')
  await expect(dialog(page).getByRole('button', { name: '2 left out', exact: true })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Change 0 sites', exact: true }).click()
  await expect(dialog(page).getByRole('alert').filter({ hasText: 'Nothing would change' })).toBeVisible()
  await chooseField(page, 'City')
  await dialog(page).getByLabel('New value').fill('Thornton')
  await dialog(page).getByLabel('From', { exact: true }).selectOption('A later day')
  await dialog(page).getByLabel('Effective date', { exact: true }).fill('2099-07-01')
  await dialog(page).getByRole('button', { name: 'Plan 2 changes', exact: true }).click()
  await expect(page.getByText('2 changes planned.')).toBeVisible()
  expect(await readCities(context, sites)).toEqual(['Acampo', 'Galt'])
  // A field with a planned change is left out of another change.
  await bar(page).getByRole('button', { name: 'Change…', exact: true }).click()
  await chooseField(page, 'City')
  await dialog(page).getByLabel('New value').fill('Herald')
  await expect(dialog(page).getByText('Already planned from 07/01/2099')).toHaveCount(2)
})

test(
  'on a phone, Select turns cards into checkboxes; program types are added and the selected sites are checked',
  { tag: '@all' },
  async ({ page, context }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const { word, sites } = await setUp(context, 2)
    const [program] = await sendCall(context, listProgramTypes)
    await visit(page, `/locations?show=cards&q=${word}`)
    await page.getByRole('button', { name: 'Tools', exact: true }).click()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Select sites', exact: true })).toBeFocused()
    await page.getByText(sites[0]!.displayName, { exact: true }).click()
    await bar(page).getByRole('button', { name: 'Select all 2', exact: true }).click()
    await expect(bar(page).getByRole('status')).toHaveText('2 selected')
    await expectAccessible(page)
    expect(await listSmallTargets(page.locator('main')), 'targets that are not high enough').toEqual([])
    await bar(page).getByRole('button', { name: 'More for the selected rows', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add or remove a program type…', exact: true }).click()
    await dialog(page).getByLabel('Program', { exact: true }).selectOption(program!.name)
    await dialog(page).getByRole('button', { name: 'Add Program', exact: true }).click()
    await expectAccessible(page)
    expect(await listSmallTargets(dialog(page)), 'targets that are not high enough').toEqual([])
    await dialog(page).getByRole('button', { name: 'Change 2 sites', exact: true }).click()
    await expect(page.getByText('2 sites changed.')).toBeVisible()
    for (const { _id } of sites) {
      const { enrollment_info } = await sendCall(context, readSite, { slug: _id })
      expect(enrollment_info?.programTypes.map(({ name }) => name)).toEqual([program!.name])
    }
    const before = (await sendCall(context, readSite, { slug: sites[1]!._id })).checkedAt
    await tick(page, sites[0]!.displayName).click()
    await bar(page).getByRole('button', { name: 'More for the selected rows', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Check as correct', exact: true }).click()
    await expect(page.getByText('1 site checked as correct.')).toBeVisible()
    expect((await sendCall(context, readSite, { slug: sites[1]!._id })).checkedAt).not.toBe(before)
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Resource Centers', exact: true })).toBeVisible()
  },
)

test('people, charters and brands can be selected too, and their addresses copied', { tag: '@all' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [address, field] of [
    ['/region/ohio', 'City'],
    ['/leadership', 'Phone'],
    ['/charters', 'Grade levels'],
    ['/brands', 'Website'],
  ] as const) {
    await visit(page, `${address}?show=table`)
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .click()
    if (address === '/leadership') {
      await bar(page).getByRole('button', { name: 'Copy emails', exact: true }).click()
      await expect(page.getByText('Copied 1 email address.')).toBeVisible()
    }
    await bar(page).getByRole('button', { name: 'Change…', exact: true }).click()
    const combobox = page.getByRole('combobox', { name: /^Field/ })
    await combobox.click()
    await expect(
      page
        .getByRole('listbox', { name: /^Field/ })
        .getByRole('option', { name: field })
        .first(),
      `${address} offers its fields`,
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
})

test.describe('people who may not edit', () => {
  test.use({ level: 10 })
  test('cannot select rows', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/locations?show=table')
    await expect(page.locator('main tbody tr[aria-rowindex]').first()).toBeVisible()
    await expect(page.getByRole('checkbox')).toHaveCount(0)
  })
})
