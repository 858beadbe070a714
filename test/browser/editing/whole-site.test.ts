import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'

import { listPeople } from '../../../src/records/people/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import { expect, test } from '../fixtures.ts'
import { sendCall } from '../records.ts'

test.use({ level: 6 })

/** How someone operates a page: with a pointer, or with the keyboard only. */
interface Hands {
  readonly press: (target: Locator) => Promise<void>
  readonly write: (target: Locator, text: string) => Promise<void>
  readonly choose: (target: Locator, label: string) => Promise<void>
}

const byPointer: Hands = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
}

/** Presses Tab until the target is focused. */
const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible()
  for (let steps = 0; steps < 150; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${target.toString()}`)
}
const byKeys = (page: Page): Hands => ({
  press: async (target) => {
    await tabTo(page, target)
    const isCheck = await target.evaluate((element) => element instanceof HTMLInputElement)
    await page.keyboard.press(isCheck ? 'Space' : 'Enter')
  },
  write: async (target, text) => {
    await tabTo(page, target)
    const isDate = (await target.getAttribute('type')) === 'date'
    if (!isDate) await page.keyboard.press('Control+A')
    await page.keyboard.type(isDate ? text.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1') : text)
  },
  choose: async (target, label) => {
    await tabTo(page, target)
    await page.keyboard.type(label)
  },
})

const photo = async () => ({
  name: 'front.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 800, height: 450, channels: 3, background: '#7a9aee' } })
    .png()
    .toBuffer(),
})

const walk = async (page: Page, { press, write, choose }: Hands, displayName: string): Promise<void> => {
  const main = page.locator('#main')
  const button = (name: string) => main.getByRole('button', { name, exact: true })
  const field = (label: string) => main.getByLabel(label, { exact: true })
  /** Presses a button in the page's header, which is a menu entry on a phone. */
  const act = async (name: string) => {
    const more = button('More actions')
    await expect(more.or(button('History'))).toBeVisible()
    if (!(await more.isVisible())) return press(button(name))
    await press(more)
    return press(page.getByRole('menuitem', { name, exact: true }))
  }
  const required = (label: string) => field(`${label} *`).or(field(label))
  const save = () => press(main.getByRole('button', { name: /^Save Changes/ }))
  const tab = async (name: RegExp) => {
    const link = page.getByRole('navigation', { name: `Pages of ${displayName}` }).getByRole('link', { name })
    await press(link)
    // Before that, the actions are still those of the previous page.
    await expect(link).toHaveAttribute('aria-current', 'page')
  }
  const isRead = () => expect(page.getByRole('heading', { level: 1, name: displayName, exact: true })).toBeVisible()

  await test.step('creates a site with a photo', async () => {
    await page.goto('/')
    await press(main.getByRole('link', { name: /Add Resource Center/ }))
    await expect(page.getByRole('heading', { level: 1, name: 'Add Resource Center' })).toBeVisible()
    await write(required('Display name'), displayName)
    await write(required('Site name'), 'Quartz Hill RC')
    await press(required('Charter'))
    await press(page.getByRole('listbox').getByRole('option').first())
    await write(required('Address line 1'), '12 Avenue L')
    await write(required('City'), 'Lancaster')
    await write(required('ZIP code'), '93536')
    await write(required('Phone'), '6615550140')
    await write(required('Registration email'), 'enroll@quartz.example second@quartz.example')
    await write(required('Interest email'), 'info@quartz.example')
    const chooser = page.waitForEvent('filechooser')
    await press(button('Choose a Picture'))
    await (await chooser).setFiles(await photo())
    await expect(button('Choose Another Picture')).toBeVisible()
    await press(main.getByRole('button', { name: /^Add Resource Center/ }))
    await expect(page).toHaveURL('/')
    await expect(page.getByText(`${displayName} was added.`)).toBeVisible()
    await press(page.getByRole('link', { name: 'Open', exact: true }))
    await isRead()
    const shown = main.getByRole('img', { name: `Photo of ${displayName}` })
    await expect.poll(() => shown.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))).toBeGreaterThan(0)
  })

  await test.step('sets its facility', async () => {
    await tab(/^Facility/)
    await act('Edit')
    await write(field('Lease holder'), 'Cedar Lane Learning, Inc.')
    await write(field('Lease start'), '2026-07-01')
    await press(field('Open Ended'))
    await expect(field('Lease end')).toBeDisabled()
    await save()
    await isRead()
    await expect(main.getByText('Open Ended')).toBeVisible()
    await expect(main.getByText('07/01/2026')).toBeVisible()
  })

  await test.step('sets its enrollment with two orientation dates and a recurring Monday', async () => {
    await tab(/^Enrollment/)
    await act('Edit')
    for (const date of ['2027-02-03', '2026-12-08']) {
      await write(field('New date'), date)
      await choose(field('New date start time'), '09:00AM')
      await choose(field('New date end time'), '10:30AM')
      await press(button('Add Date'))
    }
    await press(field('Monday'))
    await choose(field('Monday start time'), '08:30AM')
    await choose(field('Monday end time'), '11:30AM')
    await save()
    await isRead()
    await expect(main.getByText('12/08/2026')).toBeVisible()
    await expect(main.getByText('Monday 08:30AM to 11:30AM')).toBeVisible()
  })

  await test.step('adds three staff members', async () => {
    await tab(/^Staff/)
    const people = await sendCall(page.context(), listPeople)
    for (const [person, role] of [
      [people[0], 'Principal'],
      [people[1], 'Counselor'],
      [people[2], 'Registrar'],
    ] as const) {
      await press(button('Add Staff'))
      const dialog = page.getByRole('dialog', { name: 'Add Staff' })
      await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
      await write(dialog.getByLabel('Search staff'), person?.name ?? '')
      await press(dialog.getByRole('button', { name: `Select ${person?.name}` }).first())
      await choose(dialog.getByLabel('Role'), role)
      await press(dialog.getByRole('button', { name: 'Save' }))
      await expect(dialog).toHaveCount(0)
      await expect(main.getByText(role, { exact: true })).toBeVisible()
    }
  })

  await test.step('adds a SIS site', async () => {
    await tab(/^SIS/)
    await act('Add SIS Site')
    await write(required('Name'), 'Quartz Hill IS')
    await write(field('SISLC ID'), '0421')
    await press(main.getByRole('button', { name: /^Add SIS Site/ }))
    await expect(main.getByRole('link', { name: 'Quartz Hill IS' })).toBeVisible()
  })

  await test.step('closes it, opens its history and restores its phone number', async () => {
    await tab(/^Overview/)
    await act('Edit Site')
    await write(required('Phone'), '661-555-0199')
    await choose(required('Status'), 'Closed - Permanently')
    await save()
    await expect(main.getByText('This Location is Closed')).toBeVisible()
    await expect(main.getByText('661-555-0199').filter({ visible: true }).first()).toBeVisible()
    await act('History')
    const history = page.getByRole('dialog', { name: `History of ${displayName}` })
    await press(history.getByRole('button', { name: 'Restore Phone' }))
    await expect(history.getByRole('status')).toContainText('661-555-0140')
    await press(history.getByRole('button', { name: 'Close' }))
    await expect(main.getByText('661-555-0140').filter({ visible: true }).first()).toBeVisible()
    await expect(main.getByText('This Location is Closed')).toBeVisible()
  })
}

/** Expects the records that the test saved. */
const expectWhole = async (page: Page): Promise<void> => {
  const slug = /\/location\/([^/?]+)/.exec(page.url())?.[1] ?? ''
  const site = await sendCall(page.context(), readSite, { slug })
  expect(site).toMatchObject({
    status: 'CLOSED - PERMANENTLY',
    address: { phone: '661-555-0140', state: 'CA', start_day: 'Monday', end_time: '5:00PM' },
    facility_info: { lease_holder: 'Cedar Lane Learning, Inc.', lease_start: '2026-07-01', lease_end: null, lease_end_open: true },
    sis_sites: [{ name: 'Quartz Hill IS', sislc_id: '0421' }],
  })
  expect(site.people.map(({ role_match }) => role_match.name).toSorted()).toEqual(['Counselor', 'Principal', 'Registrar'])
  expect(site.enrollment_info.registrationEmail).toEqual(['enroll@quartz.example', 'second@quartz.example'])
  expect(site.enrollment_info.orientation).toMatchObject({
    selected_dates: [
      { date: '2026-12-08', start_time: '09:00AM', end_time: '10:30AM' },
      { date: '2027-02-03', start_time: '09:00AM', end_time: '10:30AM' },
    ],
    recurring_dates: { Monday: { set: true, start_time: '08:30AM', end_time: '11:30AM' }, Tuesday: { set: false } },
  })
}

const nameOf = (how: string): string => `Quartz Hill by ${how} ${process.pid}`

test.describe('an administrator creates a site with all its parts, closes it and restores its phone number', () => {
  test.slow()

  test('on a desktop', { tag: '@all' }, async ({ page }) => {
    await walk(page, byPointer, nameOf('mouse'))
    await expectWhole(page)
  })

  test('only by keyboard', { tag: '@all' }, async ({ page }) => {
    test.setTimeout(240_000)
    await walk(page, byKeys(page), nameOf('keys'))
    await expectWhole(page)
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

    test('by touch', { tag: '@all' }, async ({ page }) => {
      await walk(page, { ...byPointer, press: (target) => target.tap() }, nameOf('touch'))
      await expectWhole(page)
    })
  })
})
