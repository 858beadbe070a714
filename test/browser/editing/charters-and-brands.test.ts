import type { Page } from '@playwright/test'
import sharp from 'sharp'

import { listBrands } from '../../../src/records/brands/contract.ts'
import { listCharters, viewCharter } from '../../../src/records/charters/contract.ts'
import { DUPLICATE_NAME, INVALID_CHARTER_PHONE, INVALID_CHARTER_PHONE_WHILE_TYPING } from '../../../src/records/charters/fields.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, sendCall } from '../records.ts'

const png = async (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 64, height: 64, channels: 3, background: '#1b663a' } })
    .png()
    .toBuffer(),
})

const main = (page: Page) => page.locator('#main')
const field = (page: Page, label: string) => main(page).getByRole('textbox', { name: label })
const add = (page: Page, what: string) => main(page).getByRole('button', { name: new RegExp(`^Add ${what}`) })
const save = (page: Page) => main(page).getByRole('button', { name: /^Save Changes/ })
const choose = async (page: Page, label: string, option: string) => {
  await main(page).getByLabel(label).click()
  await main(page).getByLabel(label).fill(option)
  await page.getByRole('option', { name: option, exact: true }).click()
}

test.describe('an administrator', () => {
  test.use({ level: 6 })

  test('adds a brand with an icon and a charter under it, and edits both', async ({ page, context }) => {
    test.slow()
    const name = `Cedar ${letters()}`
    await visit(page, '/')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('button', { name: 'Management' }).click()
    await menu.getByRole('link', { name: 'Add Brand' }).click()
    await field(page, 'Brand name').fill(name)
    await field(page, 'Website').fill('https://cedar.example')
    await field(page, 'Enrollments URL').fill('https://enroll.cedar.example')
    await main(page)
      .getByRole('group', { name: 'Icon' })
      .locator('input[type=file]')
      .setInputFiles(await png('icon.png'))
    await expect(main(page).getByRole('group', { name: 'Icon' }).getByRole('button', { name: 'Choose Another Picture' })).toBeVisible()
    await add(page, 'Brand').click()
    await expect(page).toHaveURL('/brand')
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('img', { name: `Icon of ${name}` })).toBeVisible()

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(page, 'Website').fill('https://cedar.test')
    await save(page).click()
    await expect(page.getByRole('link', { name: /cedar\.test/ })).toBeVisible()

    // A brand's page opens its section of the menu.
    await menu.getByRole('button', { name: 'Management' }).click()
    await menu.getByRole('link', { name: 'Add Charter' }).click()
    const charter = `Harbor | ${letters()}`
    await field(page, 'Charter name').fill(`${charter} 2`)
    // Other characters are removed, and the field says so.
    await expect(field(page, 'Charter name')).toHaveValue(`${charter} `)
    await expect(page.getByText('Other characters were removed')).toBeVisible()
    await field(page, 'Charter name').fill(charter)
    await expect(field(page, 'Slug')).toHaveValue(charter.toLowerCase().replace(' | ', '-'))
    await field(page, 'Abbreviation').fill('HB')
    await choose(page, 'Brand', name)
    await field(page, 'Student count').fill('412')
    await field(page, 'Website').fill('https://harbor.example')
    await field(page, 'Contact number').pressSequentially('1209555')
    await expect(page.getByText(INVALID_CHARTER_PHONE_WHILE_TYPING)).toBeVisible()
    expect(await page.getByText(INVALID_CHARTER_PHONE_WHILE_TYPING).innerText()).toBe(INVALID_CHARTER_PHONE_WHILE_TYPING)
    await field(page, 'Contact number').pressSequentially('0142')
    await field(page, 'Contact number').blur()
    await expect(field(page, 'Contact number')).toHaveValue('209-555-0142')
    await add(page, 'School Type').click()
    await main(page).getByLabel('School type 1 name').fill('Home Study')
    await main(page).getByLabel('School type 1 address').fill('https://home.harbor.example')
    await add(page, 'Charter').click()
    await expect(page).toHaveURL('/charters')
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: charter, exact: true })).toBeVisible()
    const made = findRecord(await sendCall(context, listCharters), 'new charter', (one) => one.name === charter)
    expect(made).toMatchObject({
      brandName: name,
      abbreviation: 'HB',
      studentCount: 412,
      status: 'ACTIVE',
      charterContactnumber: '209-555-0142',
      schoolTypeUrls: [{ name: 'Home Study', url: 'https://home.harbor.example' }],
    })

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(field(page, 'Slug')).toHaveCount(0)
    await main(page).getByLabel('Status').selectOption({ label: 'Closed - Temporarily' })
    await field(page, 'Student count').fill('')
    await save(page).click()
    await expect(page.getByRole('heading', { level: 1, name: charter, exact: true })).toBeVisible()
    expect(await sendCall(context, viewCharter, { id: made._id })).toMatchObject({ status: 'CLOSED - TEMPORARILY', studentCount: null })
  })

  test(
    'cannot add a charter with a name in use, an invalid phone number, or a refused picture',
    { tag: '@all' },
    async ({ page, context }) => {
      const [existing] = await sendCall(context, listCharters)
      await visit(page, '/addcharter')
      await field(page, 'Charter name').fill(` ${existing?.name.toUpperCase()} `)
      await field(page, 'Contact number').fill('555-0142')
      await main(page)
        .locator('input[type=file]')
        .setInputFiles({ name: 'photo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
      await expect(page.getByText('Invalid file type. Please upload a .jpg, .jpeg, .png, or .ico file.').first()).toBeVisible()
      await add(page, 'Charter').click()
      await expect(page.locator('[data-field="name"]')).toContainText('Charter with this name')
      // Rendered text, including both consecutive spaces.
      expect(await page.locator('[data-field="name"] p[id$=error]').innerText()).toBe(DUPLICATE_NAME)
      await expect(page.locator('[data-field="charterContactnumber"]')).toContainText(INVALID_CHARTER_PHONE)
      await expect(main(page).getByRole('alert').first()).toContainText('Photo')
      await expect(page).toHaveURL('/addcharter')
      // A valid picture, or none, clears the error.
      await main(page)
        .locator('input[type=file]')
        .setInputFiles(await png('photo.png'))
      await expect(main(page).getByRole('button', { name: 'Choose Another Picture' })).toBeVisible()
      await expect(page.getByText('Invalid file type.')).toHaveCount(0)
    },
  )

  test('returns to the previous page with Cancel, and is offered the unsaved changes again', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/charters')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('button', { name: 'Management' }).click()
    await menu.getByRole('link', { name: 'Add Brand' }).click()
    await field(page, 'Brand name').fill('Half a brand')
    await main(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL('/charters')
    await visit(page, '/addbrand')
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(field(page, 'Brand name')).toHaveValue('Half a brand')
    await visit(page, '/addbrand')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('axe finds nothing in both forms', async ({ page }) => {
    test.slow()
    for (const [path, what] of [
      ['/addbrand', 'Brand'],
      ['/addcharter', 'Charter'],
    ] as const) {
      await visit(page, path)
      await add(page, what).click()
      await expect(main(page).getByRole('alert').first()).toContainText('Please correct')
      await expectAccessible(page)
    }
  })
})

test.describe('level 7', () => {
  test.use({ level: 7 })

  test('sees the edit buttons, and who to contact for help', { tag: '@all' }, async ({ page, context }) => {
    const [charter] = await sendCall(context, listCharters)
    const [brand] = await sendCall(context, listBrands)
    for (const path of [`/charterview/${charter?.slug}`, `/brandview/${brand?._id}`]) {
      await visit(page, path)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Only administrators can edit' })
      await expect(dialog).toBeVisible()
      await dialog.getByRole('button', { name: 'Request a Change' }).click()
      const name = path.includes('charter') ? (charter?.name ?? '?') : (brand?.brandName ?? '?')
      await expect(page.getByText(`${name}. Change what is wrong and leave the rest.`)).toBeVisible()
      await page.getByRole('button', { name: 'Just describe it', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Request a Change' })).toContainText(name)
      await visit(page, `${path}?edit=1`)
      await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
    }
    for (const path of ['/addbrand', '/addcharter']) {
      await visit(page, path)
      await expect(page).toHaveURL('/')
    }
  })
})
