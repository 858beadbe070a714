import { Buffer } from 'node:buffer'

import type { BrowserContext, Locator, Page } from '@playwright/test'
import sharp from 'sharp'

import { MAX_PICTURE_BYTES } from '../../../src/contract/pictures.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const WRONG_TYPE = 'Invalid file type. Please upload a .jpg, .jpeg, .png, or .ico file.'

/** A picture of a single color. */
const pngOf = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .png()
    .toBuffer()
const png = async (background = '#2f6f4f') => ({ name: 'front.png', mimeType: 'image/png', buffer: await pngOf(background) })

const openForm = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/${site.slug}?edit=1`)
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${site.displayName}` })).toBeVisible()
}
const photo = (page: Page): Locator => page.locator('[data-field="photo"]')
const choose = (page: Page, file: Parameters<Locator['setInputFiles']>[0]): Promise<void> =>
  photo(page).getByLabel('Photo', { exact: true }).and(page.locator('input')).setInputFiles(file)
const preview = (page: Page): Locator => photo(page).getByRole('img', { name: 'Photo of this record', exact: true })
const isDrawn = (picture: Locator) =>
  expect.poll(() => picture.evaluate((img) => (img instanceof HTMLImageElement ? img.naturalWidth : 0))).toBeGreaterThan(0)
const saved = async (page: Page, site: Site): Promise<void> => {
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
}
const stored = async (context: BrowserContext, site: Site): Promise<string | null> =>
  (await sendCall(context, readSite, { slug: site.slug })).photo

test('a picture is previewed before saving, shown on the page afterward, and removed', async ({ page, context }) => {
  const site = await newSite(context)
  await openForm(page, site)
  await expect(photo(page).getByRole('img', { name: 'No photo of this record' })).toBeVisible()
  await expect(photo(page).getByRole('button', { name: 'Remove Picture' })).toHaveCount(0)
  await choose(page, await png())
  await isDrawn(preview(page))
  await expect(photo(page).getByRole('progressbar')).toHaveCount(0)
  expect(await stored(context, site)).toBeNull()
  await saved(page, site)
  const shown = page.getByRole('img', { name: `Photo of ${site.displayName}`, exact: true })
  await isDrawn(shown)
  expect(await stored(context, site)).toMatch(/\/api\/pictures\/[0-9a-f]{64}$/)

  await page.getByRole('button', { name: 'Edit Site' }).click()
  await isDrawn(preview(page))
  await photo(page).getByRole('button', { name: 'Remove Picture' }).click()
  await expect(photo(page).getByRole('img', { name: 'No photo of this record' })).toBeVisible()
  await saved(page, site)
  await expect(page.getByRole('img', { name: `No photo of ${site.displayName}` })).toBeVisible()
  expect(await stored(context, site)).toBeNull()
})

test('the upload shows its progress, and the form stays locked until it ends', { tag: '@all' }, async ({ page, context }) => {
  const site = await newSite(context)
  await openForm(page, site)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/pictures', async (route) => {
    await held.promise
    await route.continue()
  })
  await choose(page, await png())
  await expect(photo(page).getByRole('progressbar', { name: 'Uploading picture' })).toBeAttached()
  await expect(photo(page).getByText(/^\d+ % uploaded$/)).toBeVisible()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(photo(page)).toContainText('Please wait until the picture is uploaded')
  held.resolve()
  await isDrawn(preview(page))
  await expect(photo(page).getByRole('progressbar')).toHaveCount(0)
  await saved(page, site)
  expect(await stored(context, site)).not.toBeNull()
})

test('a picture can be dropped on its field', { tag: '@all' }, async ({ page, context }) => {
  const site = await newSite(context)
  await openForm(page, site)
  const bytes = (await pngOf('#7a3b2e')).toString('base64')
  const dropped = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer()
    const content = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
    transfer.items.add(new File([content], 'dropped.png', { type: 'image/png' }))
    return transfer
  }, bytes)
  const dropTarget = photo(page).getByRole('button', { name: 'Choose a Picture' })
  for (const event of ['dragover', 'drop']) await dropTarget.dispatchEvent(event, { dataTransfer: dropped })
  await isDrawn(preview(page))
  await saved(page, site)
  expect(await stored(context, site)).not.toBeNull()
})

test(
  'a file that is not a picture is refused with a message, and the current picture stays',
  { tag: '@all' },
  async ({ page, context, pageErrors }) => {
    test.slow()
    const site = await newSite(context)
    await openForm(page, site)
    await choose(page, await png())
    await isDrawn(preview(page))
    await saved(page, site)
    const before = await stored(context, site)
    await page.getByRole('button', { name: 'Edit Site' }).click()
    await isDrawn(preview(page))
    const fault = photo(page).getByRole('alert')

    await choose(page, { name: 'front.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await expect(fault).toHaveText(WRONG_TYPE)
    await choose(page, { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(MAX_PICTURE_BYTES + 1) })
    await expect(fault).toHaveText('File size exceeds 10MB')
    // Text in a file named like a picture: the server checks the content.
    pageErrors.expect(/4\d\d/)
    const answered = page.waitForResponse('**/api/pictures')
    await choose(page, { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('Notes of Monday.\n') })
    expect((await answered).ok()).toBe(false)
    await expect(fault).toHaveText(WRONG_TYPE)
    await isDrawn(preview(page))
    await expect(page.getByText(/unsaved change/)).toHaveCount(0)

    await page.getByLabel('City').fill('Palmdale')
    await saved(page, site)
    expect(await stored(context, site)).toBe(before)
  },
)

test('a refused picture clears the selected one, and axe finds nothing in the form', { tag: '@all' }, async ({ page, context }) => {
  test.slow()
  await test.step('a refused picture clears the selected one, and a valid one clears the message', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await choose(page, await png())
    await isDrawn(preview(page))
    await choose(page, { name: 'front.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await expect(photo(page).getByRole('alert')).toHaveText(WRONG_TYPE)
    await expect(preview(page)).toHaveCount(0)
    await choose(page, await png('#123456'))
    await expect(photo(page).getByRole('alert')).toHaveCount(0)
    await isDrawn(preview(page))
  })

  await test.step('axe finds nothing in the form with a picture and a refusal', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await choose(page, await png())
    await isDrawn(preview(page))
    await saved(page, site)
    await page.getByRole('button', { name: 'Edit Site' }).click()
    await choose(page, { name: 'front.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await expect(photo(page).getByRole('alert')).toHaveText(WRONG_TYPE)
    await expectAccessible(page)
  })
})
