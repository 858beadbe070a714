import { readFile } from 'node:fs/promises'

import type { BrowserContext, Page } from '@playwright/test'
import { readXlsx, writeXlsx } from 'hucre/xlsx'

import { updateCharter } from '../../../src/records/charters/contract.ts'
import { type NewSite, readSite, updateSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { letters, newCharter, newSite, sendCall } from '../records.ts'
import { listSmallTargets } from '../small-targets.ts'

test.use({ level: 5 })

type Sheet = Awaited<ReturnType<typeof readXlsx>>['sheets'][number]

const CITIES = ['Acampo', 'Galt', 'Lodi', 'Clements', 'Isleton', 'Walnut Grove'] as const
const setUp = async (context: BrowserContext, count: number) => {
  const word = letters()
  const sites = []
  for (let at = 0; at < count; at++) {
    const city = CITIES[at % CITIES.length]
    const address = { address_1: '12 Avenue L', city, zip: '95240', phone: `209-555-01${40 + at}` }
    sites.push(await newSite(context, { displayName: `Sheet ${word} ${'ABCDEFGHIJKL'[at]}`, address } as Partial<NewSite>))
  }
  return { word, sites }
}

const menuButton = (page: Page) => page.getByRole('button', { name: 'Edit in Excel', exact: true })
const menu = (page: Page) => page.getByRole('dialog', { name: 'Edit in Excel', exact: true })

/** Downloads the listed rows, and returns the sheets of the file. */
const download = async (page: Page, entry: RegExp): Promise<Sheet[]> => {
  await menuButton(page).click()
  const [file] = await Promise.all([page.waitForEvent('download'), menu(page).getByRole('button', { name: entry }).click()])
  return (await readXlsx(await readFile(await file.path()))).sheets
}

/** Writes values into the first sheet: by the name in a row's first column, then by column header. */
const edit = async (sheets: readonly Sheet[], changes: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<Buffer> => {
  const [first, ...others] = sheets
  const [head = [], ...rows] = first?.rows ?? []
  const edited = rows.map((row) => {
    const values = Object.entries(changes).find(([name]) => row.includes(name))?.[1] ?? {}
    return head.map((label, at) => values[String(label)] ?? row[at] ?? null)
  })
  const written = [{ name: first?.name ?? 'Sites', rows: [head, ...edited] }, ...others.map(({ name, rows: own }) => ({ name, rows: own }))]
  return Buffer.from(await writeXlsx({ sheets: written }))
}

const choose = async (page: Page, name: string, buffer: Buffer) => {
  await menuButton(page).click()
  await expect(menu(page)).toBeVisible()
  await page.getByLabel('Sheet', { exact: true }).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
}

/** Drags a file over the page. */
const drag = async (page: Page, name: string, bytes: Buffer, events: readonly string[]) => {
  const transfer = await page.evaluateHandle(
    ({ name: called, data }) => {
      const files = new DataTransfer()
      files.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.codePointAt(0) ?? 0)], called))
      return files
    },
    { name, data: bytes.toString('base64') },
  )
  for (const event of events) await page.dispatchEvent('main', event, { dataTransfer: transfer })
}

const section = (page: Page, name: RegExp) => page.getByRole('region', { name })
const bar = (page: Page) => page.locator('p[role=status]').filter({ hasText: /will change|will be saved|new/ })
const cityOf = async (context: BrowserContext, slug: string) => (await sendCall(context, readSite, { slug })).address.city
const phoneOf = async (context: BrowserContext, slug: string) => (await sendCall(context, readSite, { slug })).address.phone

test('twelve times as Excel writes them are read without an error; twelve equal errors are fixed as one', async ({ page, context }) => {
  const { word, sites } = await setUp(context, 12)
  const fill = (time: string) => Object.fromEntries(sites.map(({ displayName }) => [displayName, { 'Start time': time }]))
  const chip = (name: string) => page.getByRole('group', { name: 'Show', exact: true }).getByRole('button', { name, exact: true })
  await visit(page, `/locations?show=cards&q=${word}`)
  const sheets = await download(page, /^These 12 sites/)
  await choose(page, 'Hours.xlsx', await edit(sheets, fill('8:00 AM')))
  await expect(chip('0 errors')).toBeVisible()
  // One value in all rows may be an accident.
  await page.getByRole('button', { name: 'Use them anyway', exact: true }).click()
  await expect(chip('0 errors')).toBeVisible()
  await expect(chip('12 changes')).toBeVisible()

  await visit(page, `/locations?show=cards&q=${word}`)
  await choose(page, 'Hours.xlsx', await edit(sheets, fill('8:10 AM')))
  await page.getByRole('button', { name: 'Use them anyway', exact: true }).click()
  const errors = section(page, /^(12 errors|All errors are fixed)$/)
  await expect(errors.getByRole('listitem')).toHaveCount(1)
  await errors.getByLabel('Start time of 12 cells').selectOption('8:00AM')
  await expect(errors.getByText('Fixed', { exact: true })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Save 12 changes/ }).click()
  await expect(page).toHaveURL(/\/changes\//)
  for (const { _id } of sites) expect((await sendCall(context, readSite, { slug: _id })).address.start_time).toBe('8:00AM')
})

test('a list is edited in Excel: uploaded, checked cell by cell, corrected, saved and undone as one change', async ({ page, context }) => {
  const { word, sites } = await setUp(context, 5)
  const [a, b, c, d, e] = sites.map(({ displayName }) => displayName) as [string, string, string, string, string]
  const ids = sites.map(({ _id }) => _id) as [string, string, string, string, string]
  await visit(page, `/locations?show=cards&q=${word}`)
  await menuButton(page).click()
  await expect(menu(page).getByRole('button', { name: /^These 5 sites/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const sheets = await download(page, /^These 5 sites/)
  expect(sheets[0]?.rows).toHaveLength(6)
  const file = await edit(sheets, {
    [a]: { City: 'Thornton', 'Address line 2': 'Suite 3' },
    [b]: { City: '', 'ZIP code': 'none' },
    [c]: { Phone: '2095550191' },
    [d]: { Description: 'Ring at the green door.' },
  })
  await sendCall(context, updateSite, { id: ids[2] }, { address: { phone: '209-555-0187' } })

  await drag(page, 'Sites of May.xlsx', file, ['dragenter'])
  const veil = page.getByText('Drop the file to see its changes')
  await expect(veil).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(veil).toHaveCount(0)
  await drag(page, 'Sites of May.xlsx', file, ['dragleave', 'dragenter', 'dragover', 'drop'])
  await expect(page.getByRole('heading', { level: 1, name: 'Check the changes', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/sheets\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('group', { name: 'Show', exact: true }).getByRole('button')).toHaveText([
    'All 6',
    '2 errors',
    '1 conflict',
    '3 changes',
    '0 new',
    '1 unchanged',
  ])
  await expect(bar(page)).toContainText('3 cells will change')
  await expect(bar(page)).toContainText('1 conflict keeps theirs')
  await expectAccessible(page)

  // A wrong value remains an error, and a correct one fixes it; the other error is left out.
  const errors = section(page, /^([12] errors?|All errors are fixed)$/)
  const city = errors.getByLabel(`City of ${b}`)
  await errors.getByLabel(`ZIP code of ${b}`).fill('12')
  await expect(errors.getByText('Fixed', { exact: true })).toHaveCount(0)
  await city.fill('Franklin')
  await expect(errors.getByText('Fixed', { exact: true })).toBeVisible()
  await errors.getByRole('button', { name: `Leave out ZIP code of ${b}`, exact: true }).click()
  const conflict = section(page, /^1 conflict$/)
  await expect(conflict.getByRole('radio', { name: /^Theirs: 209-555-0187/ })).toBeChecked()
  await conflict.getByRole('radio', { name: /^Yours: 209-555-0191/ }).check()
  // Keyboard: arrow keys move between rows, Space selects.
  const description = page.getByRole('checkbox', { name: `Save Description of ${d}`, exact: true })
  await page.getByRole('checkbox', { name: `Save Address line 2 of ${a}`, exact: true }).focus()
  for (let row = 0; row < 4 && !(await description.evaluate((box) => box === document.activeElement)); row++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(description).not.toBeChecked()
  await expect(page.getByRole('button', { name: /^Save 4 changes/ })).toBeVisible()

  // The filter is in the URL; choices are stored on the device.
  await page.getByRole('button', { name: '3 changes', exact: true }).click()
  await expect(page).toHaveURL(/\?show=changes$/)
  await expect(section(page, /errors$/)).toHaveCount(0)
  await page.reload()
  await expect(description).not.toBeChecked()
  await page.getByRole('button', { name: 'All 6', exact: true }).click()
  await expect(city).toHaveValue('Franklin')
  await page
    .getByRole('button', { name: /^Copy Sites!/ })
    .first()
    .click()
  await page.keyboard.press('Control+s')

  await expect(page.getByRole('heading', { level: 1, name: '4 changes are saved', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/changes\/[0-9a-f-]{36}\?sheet=/)
  await expect(page.getByRole('paragraph').filter({ hasText: 'Sites of May.xlsx' })).toHaveText(/^Sites of May\.xlsx.*by you$/)
  const left = section(page, /^2 left out$/)
  await expect(left).toContainText(`${b}, ZIP code`)
  await expect(left).toContainText(`${d}, Description: You left it out`)
  await expect(
    section(page, /^Saved$/)
      .getByRole('listitem')
      .filter({ hasText: c }),
  ).toContainText(/209-555-0187.*209-555-0191/)
  await expectAccessible(page)
  expect([await cityOf(context, ids[0]), await cityOf(context, ids[1]), await phoneOf(context, ids[2])]).toEqual([
    'Thornton',
    'Franklin',
    '209-555-0191',
  ])
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    left.getByRole('button', { name: 'Download what was left out', exact: true }).click(),
  ])
  expect(again.suggestedFilename()).toBe('Sites of May - left out.xlsx')

  // A later save by someone else is listed before the undo, and stays.
  await sendCall(context, updateSite, { id: ids[0] }, { address: { city: 'Elk Grove' } })
  await page.reload()
  await page.getByRole('button', { name: 'Undo all 4', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo 4 changes?', exact: true })
  await expect(dialog).toContainText(`${a}, City: Thornton`)
  await expect(dialog).toContainText('Elk Grove')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Undo 3 changes', exact: true }).click()
  await expect(page.getByText(/^Undone by /)).toBeVisible()
  await expect(page.getByText('Undone. The earlier values are back. 1 value stayed:')).toBeVisible()
  expect([await cityOf(context, ids[0]), await cityOf(context, ids[1]), await phoneOf(context, ids[2])]).toEqual([
    'Elk Grove',
    'Galt',
    '209-555-0187',
  ])
  expect(await cityOf(context, ids[4]), `${e} was not changed`).toBe('Isleton')
  await page.getByRole('link', { name: 'See the undo', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '3 changes are undone', exact: true })).toBeVisible()
  // The history of a record says which upload changed it.
  await page.getByRole('link', { name: b, exact: true }).click()
  await page.getByRole('button', { name: 'History', exact: true }).click()
  const history = page.getByRole('dialog', { name: `History of ${b}`, exact: true })
  await history.getByRole('link', { name: 'Sites of May.xlsx', exact: true }).last().click()
  await expect(page.getByRole('heading', { level: 1, name: '4 changes are saved', exact: true })).toBeVisible()
})

test(
  'a column that was sorted alone is left out unless it is confirmed; a phone shows a card per record',
  { tag: '@all' },
  async ({ page, context }) => {
    const { word, sites } = await setUp(context, 6)
    const names = sites.map(({ displayName }) => displayName)
    const phones = sites.map(({ address: { phone } }) => phone ?? '')
    await visit(page, `/locations?q=${word}&show=table`)
    const sheets = await download(page, /^These 6 sites/)
    // The table shows some of the columns.
    expect(sheets[0]?.rows[0]).toEqual(expect.arrayContaining(['City', 'Phone']))
    expect(sheets[0]?.rows[0]).not.toContain('Description')
    const moved = Object.fromEntries(names.map((name, at) => [name, { Phone: phones[(at + 1) % phones.length] ?? '' }]))
    const file = await edit(sheets, { ...moved, [names[0] ?? '']: { Phone: phones[1] ?? '', City: 'Thornton' } })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await choose(page, `Sorted ${word}.xlsx`, file)
    const warning = page.getByRole('alert').filter({ hasText: 'Was one column sorted alone?' })
    await expect(warning).toContainText('These 6 are left out until you use them')
    await expect(page.getByRole('button', { name: /^Save 1 change/ })).toBeVisible()
    await expectAccessible(page)
    await warning.getByRole('button', { name: 'Show the 6', exact: true }).click()
    await expect(warning.getByRole('listitem')).toHaveCount(6)
    expect(await listSmallTargets(page.locator('main')), 'targets that are not high enough').toEqual([])
    await warning.getByRole('button', { name: 'Use them anyway', exact: true }).click()
    await expect(page.getByRole('button', { name: /^Save 7 changes/ })).toBeVisible()
    await warning.getByRole('button', { name: 'Leave them out', exact: true }).click()
    await page.getByRole('button', { name: /^Save 1 change/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: '1 change is saved', exact: true })).toBeVisible()
    await expect(section(page, /^6 left out$/)).toContainText('Was one column sorted alone?')
    await expectAccessible(page)
    expect(await listSmallTargets(page.locator('main')), 'targets that are not high enough').toEqual([])
    expect(await phoneOf(context, sites[0]?._id ?? '')).toBe(phones[0])
    await visit(page, '/activity')
    const entry = page.getByRole('listitem').filter({ hasText: `Sorted ${word}.xlsx` })
    await entry.getByRole('link', { name: /^Open the changes: / }).click()
    await expect(page.getByRole('heading', { level: 1, name: '1 change is saved', exact: true })).toBeVisible()
  },
)

test(
  'a file of another list opens that list; an unreadable file shows why, and an unchanged file has nothing to save',
  { tag: '@all' },
  async ({ page, context, pageErrors }) => {
    const charter = await newCharter(context)
    await visit(page, `/charters?q=${charter.name}&show=table`)
    const sheets = await download(page, /^This charter/)
    await choose(page, 'Charters.xlsx', await edit(sheets, {}))
    await expect(page.getByRole('heading', { name: 'Nothing is different', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0)
    await expectAccessible(page)

    pageErrors.expect(/status of 422/)
    pageErrors.expect(/POST \/api\/sheets\/:kind\/preview failed/)
    await visit(page, '/charters?show=table')
    for (const [name, bytes, message] of [
      [
        'Lunch.xlsx',
        Buffer.from(
          await writeXlsx({
            sheets: [
              {
                name: 'Lunch',
                rows: [
                  ['Soup', 'Price'],
                  ['Leek', '3'],
                ],
              },
            ],
          }),
        ),
        'was not downloaded from Homeroom',
      ],
      ['Broken.xlsx', Buffer.from('PK\u0003\u0004 broken'), 'cannot be read'],
    ] as const) {
      await choose(page, name, bytes)
      const refused = page.getByRole('dialog', { name: 'This file cannot be compared', exact: true })
      await expect(refused.getByRole('alert')).toContainText(message)
      await expect(refused.getByRole('button', { name: 'Download Charters', exact: true })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(refused).toHaveCount(0)
    }

    // The menu is set to charters, but the file contains charter affairs.
    await visit(page, `/charters?q=${charter.name}&show=table`)
    await menuButton(page).click()
    await menu(page).getByText('Charter affairs', { exact: true }).click()
    const [download_] = await Promise.all([
      page.waitForEvent('download'),
      menu(page)
        .getByRole('button', { name: /^This charter/ })
        .click(),
    ])
    const affairs = (await readXlsx(await readFile(await download_.path()))).sheets
    await page.reload()
    await choose(page, 'Affairs.xlsx', await edit(affairs, { [charter.name]: { 'Overview: FEIN': '12-3456789' } }))
    await expect(page.getByRole('heading', { name: /^1 change on 1 charter affair$/ })).toBeVisible()
  },
)

test('what someone saves between preview and save is not overwritten', { tag: '@all' }, async ({ page, context, pageErrors }) => {
  const charter = await newCharter(context)
  await visit(page, `/charters?q=${charter.name}&show=table`)
  const sheets = await download(page, /^This charter/)
  await choose(page, 'Charters.xlsx', await edit(sheets, { [charter.name]: { Abbreviation: 'JX' } }))
  await expect(page.getByRole('button', { name: /^Save 1 change/ })).toBeVisible()
  await sendCall(context, updateCharter, { id: charter._id }, { abbreviation: 'JZ' })
  pageErrors.expect(/status of 409/)
  pageErrors.expect(/POST \/api\/sheets\/preview\/:id\/apply failed/)
  await page.getByRole('button', { name: /^Save 1 change/ }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Someone saved other values since this preview was made.' })
  await notice.getByRole('button', { name: 'Leave it out', exact: true }).click()
  await expect(bar(page)).toContainText('Nothing will be saved')
})

test('the Excel Downloads page lists every sheet, and accepts an edited one', { tag: '@all' }, async ({ page, pageErrors }) => {
  // It is uploaded as the first sheet, but the file itself says that it contains brands.
  pageErrors.expect(/status of 422/)
  pageErrors.expect(/POST \/api\/sheets\/:kind\/preview failed/)
  await visit(page, '/downloads')
  const card = page.getByRole('region', { name: 'Edit in Excel', exact: true })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download Brands to edit', exact: true }).click(),
  ])
  await expectAccessible(page)
  const buffer = await readFile(await file.path())
  await card.getByLabel('Sheet', { exact: true }).setInputFiles({ name: 'Brands.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(page.getByRole('heading', { name: 'Nothing is different', exact: true })).toBeVisible()
})

test.describe('people who may not edit', () => {
  test.use({ level: 10 })
  test('have no menu for it', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/charters?show=table')
    await expect(page.getByRole('button', { name: 'Download list', exact: true })).toBeVisible()
    await expect(menuButton(page)).toHaveCount(0)
  })
})
