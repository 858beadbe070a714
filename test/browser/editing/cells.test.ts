import type { BrowserContext, Page } from '@playwright/test'

import { type NewSite, readSite, updateSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const setUp = async (page: Page, context: BrowserContext, count: number) => {
  const word = letters()
  const sites = []
  for (const at of Array.from({ length: count }, (_, nth) => nth)) {
    const address = { address_1: '12 Avenue L', city: 'Lodi', zip: '95240', phone: `209-555-014${at}` }
    sites.push(await newSite(context, { displayName: `Cell ${word} ${'ABCDEF'[at]}`, address } as Partial<NewSite>))
  }
  await visit(page, `/locations?show=table&sort=name&q=${word}`)
  await expect(page.getByRole('grid', { name: 'Resource Centers', exact: true })).toBeVisible()
  return { word, sites }
}
/** The cell of a site, by its index, in a column. */
const cell = (page: Page, place: number, column: string) => page.locator(`[data-place="${place}"] > [data-column="${column}"]`)
const input = (page: Page, label: string) => page.getByRole('dialog', { name: new RegExp(`^${label} of Cell`) }).getByRole('textbox')
const addressOf = async (context: BrowserContext, slug: string) => (await sendCall(context, readSite, { slug })).address

/** Pastes text into the focused element, as a spreadsheet copies it. */
const paste = (page: Page, text: string) =>
  page.evaluate((copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', copied)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('a column is edited with the keyboard: typing opens a cell, Enter saves it and goes down, and it can be undone', async ({
  page,
  context,
}) => {
  const { sites } = await setUp(page, context, 3)
  await page.getByRole('link', { name: sites[0]!.displayName, exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(cell(page, 0, 'phone')).toBeFocused()
  await page.keyboard.type('2095550151')
  await expect(input(page, 'Phone')).toHaveValue('2095550151')
  await page.keyboard.press('Enter')
  await expect(cell(page, 1, 'phone')).toBeFocused()
  await page.keyboard.type('2095550152')
  await page.keyboard.press('Enter')
  await expect(cell(page, 2, 'phone')).toBeFocused()
  await expect(cell(page, 0, 'phone')).toHaveText('209-555-0151')
  await expect(page.getByText(`${sites[1]!.displayName}: Phone saved.`)).toBeVisible()
  await expect.poll(async () => (await addressOf(context, sites[1]!.slug)).phone).toBe('209-555-0152')
  expect((await addressOf(context, sites[0]!.slug)).phone).toBe('209-555-0151')

  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone.', { exact: true })).toBeVisible()
  await expect(cell(page, 1, 'phone')).toHaveText('209-555-0141')
  expect((await addressOf(context, sites[1]!.slug)).phone).toBe('209-555-0141')

  await page.keyboard.press('Enter')
  await expect(input(page, 'Phone')).toBeFocused()
  await expectAccessible(page)
})

test('Tab saves and goes right, Escape cancels, and the arrow keys move between the names as in every list', async ({ page, context }) => {
  const { sites } = await setUp(page, context, 2)
  await cell(page, 0, 'finance').dblclick()
  await page.keyboard.type('41')
  await page.keyboard.press('Tab')
  await expect(cell(page, 0, 'status')).toBeFocused()
  await expect(cell(page, 0, 'finance')).toHaveText('41')
  await page.keyboard.press('F2')
  const status = page.getByRole('combobox', { name: 'Status', exact: true })
  await expect(status).toBeFocused()
  await status.selectOption('Pending')
  await page.keyboard.press('Escape')
  await expect(status).toHaveCount(0)
  await expect(cell(page, 0, 'status')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(cell(page, 1, 'status')).toBeFocused()
  // The place of a site is two fields.
  await cell(page, 1, 'city').click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'City', exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('OH')
  await page.keyboard.press('Enter')
  await expect(cell(page, 1, 'city')).toHaveText('Lodi, OH')
  await expect.poll(async () => (await addressOf(context, sites[1]!.slug)).state).toBe('OH')
  expect((await sendCall(context, readSite, { slug: sites[0]!.slug })).status).toBe('ACTIVE')

  const link = (at: number) => page.getByRole('link', { name: sites[at]!.displayName, exact: true })
  await link(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(link(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: sites[1]!.displayName, exact: true })).toBeVisible()
})

test('cells of a grouped table are edited in place, and a row that gets another value moves to its group', async ({ page, context }) => {
  const { word, sites } = await setUp(page, context, 3)
  await visit(page, `/locations?show=table&group=status&q=${word}`)
  await cell(page, 0, 'phone').click({ position: { x: 4, y: 4 } })
  await page.keyboard.type('2095550171')
  await page.keyboard.press('Enter')
  await expect(cell(page, 1, 'phone')).toBeFocused()
  await expect.poll(async () => (await addressOf(context, sites[0]!.slug)).phone).toBe('209-555-0171')
  await cell(page, 0, 'status').click()
  await page.keyboard.press('F2')
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Pending')
  await page.keyboard.press('Enter')
  await expect(page.locator('main tbody button[aria-expanded]')).toHaveText(['Active - Permanent 2', 'Pending 1'])
  await expect(cell(page, 2, 'status')).toHaveText('Pending')
})

test('an error stays at the cell, and what was typed survives a reload', async ({ page, context }) => {
  const { sites } = await setUp(page, context, 2)
  await cell(page, 0, 'phone').click({ position: { x: 4, y: 4 } })
  await page.keyboard.type('209-555')
  await page.keyboard.press('Enter')
  await expect(input(page, 'Phone')).toBeFocused()
  await expect(page.getByRole('alert').filter({ hasText: 'A phone number has 10 digits' })).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(input(page, 'Phone')).toHaveCount(0)
  await expect(cell(page, 0, 'phone')).toHaveAttribute('title', /^Not saved: A phone number has 10 digits/)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(cell(page, 0, 'phone')).toHaveText('209-555')
  await cell(page, 0, 'phone').click()
  await page.keyboard.press('Enter')
  await expect(input(page, 'Phone')).toHaveValue('209-555')
  await input(page, 'Phone').fill('209-555-0199')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await addressOf(context, sites[0]!.slug)).phone).toBe('209-555-0199')
  await expect(cell(page, 0, 'phone')).not.toHaveAttribute('title')
})

test('a cell that someone else changed shows both versions; other fields of the record are merged', async ({
  page,
  context,
  pageErrors,
}) => {
  const { sites } = await setUp(page, context, 1)
  const save = (address: object) => sendCall(context, updateSite, { id: sites[0]!._id }, { address })
  await cell(page, 0, 'finance').dblclick()
  await save({ phone: '209-555-0171' })
  pageErrors.expect(/412/)
  pageErrors.expect(/PATCH/)
  await page.keyboard.type('77')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/saved. Changes that .+ made in the meantime were kept too/)).toBeVisible()
  await expect(cell(page, 0, 'phone')).toHaveText('209-555-0171')

  await cell(page, 0, 'phone').click({ position: { x: 4, y: 4 } })
  await page.keyboard.press('Enter')
  await save({ phone: '209-555-0172' })
  await input(page, 'Phone').fill('209-555-0173')
  await page.keyboard.press('Enter')
  const conflict = page.getByRole('dialog')
  await expect(conflict.getByRole('heading', { level: 1, name: 'Level 6 saved this while you were editing', exact: true })).toBeVisible()
  await expectAccessible(page)
  await conflict.getByRole('radio', { name: /Your version/ }).check()
  await conflict.getByRole('button', { name: 'Save Combined Version', exact: true }).click()
  await expect(conflict).toHaveCount(0)
  await expect.poll(async () => (await addressOf(context, sites[0]!.slug)).phone).toBe('209-555-0173')
})

test('a column pasted from Excel is shown before it is saved, and undone as one', async ({ page, context }) => {
  const { sites } = await setUp(page, context, 4)
  await cell(page, 1, 'phone').click({ position: { x: 4, y: 4 } })
  await paste(page, '(209) 555-0161\r\n209-555\r\n209.555.0163\r\n')
  await expect(page.getByRole('heading', { level: 1, name: 'Check the changes', exact: true })).toBeVisible()
  await expect(page.getByText('Pasted cells', { exact: true })).toBeVisible()
  await expect(page.getByText('A phone number has 10 digits', { exact: false }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose another file', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Save 2 changes/ }).click()
  await expect(page).toHaveURL(/\/changes\//)
  const phones = async () => Promise.all(sites.map(async ({ slug }) => (await addressOf(context, slug)).phone))
  expect(await phones()).toEqual(['209-555-0140', '209-555-0161', '209-555-0142', '209-555-0163'])
  await page.getByRole('button', { name: /^Undo/ }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(phones).toEqual(['209-555-0140', '209-555-0141', '209-555-0142', '209-555-0143'])
})

test('people who may not edit have a table to read', { tag: '@all' }, async ({ browser, context, page, stateOf }) => {
  const { word } = await setUp(page, context, 1)
  const other = await browser.newContext({ storageState: await stateOf(10) })
  const reading = await other.newPage()
  await reading.goto(`/locations?show=table&q=${word}`)
  await expect(reading.getByRole('table', { name: 'Resource Centers', exact: true })).toBeVisible()
  await reading.locator('tbody td').first().dblclick()
  await expect(reading.locator('[data-column]')).toHaveCount(0)
  await expect(reading.getByRole('grid')).toHaveCount(0)
  await other.close()
})
