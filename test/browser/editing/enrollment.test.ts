import type { BrowserContext, Locator, Page } from '@playwright/test'

import { listProgramTypes, updateEnrollment } from '../../../src/records/enrollment/contract.ts'
import { ORIENTATION_DAYS } from '../../../src/records/enrollment/fields.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { factsIn, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const openForm = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/enrollment/${site.slug}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Edit Enrollment: ${site.displayName}` })).toBeVisible()
}
const field = (page: Page, path: string): Locator => page.locator(`[data-field="${path}"]`)
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save Changes' })
/** Saves, and returns what was sent. */
const sentBySaving = async (page: Page, site: Site): Promise<unknown> => {
  const sending = page.waitForRequest((request) => request.method() === 'PATCH')
  await save(page).click()
  const request = await sending
  await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
  return request.postDataJSON() as unknown
}
const stored = async (context: BrowserContext, site: Site) => (await sendCall(context, readSite, { slug: site.slug })).enrollment_info
const facts = async (page: Page): Promise<Record<string, string>> => Object.fromEntries(await factsIn(page, 'main'))
const notSaved = async (page: Page, context: BrowserContext, site: Site): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1, name: `Edit Enrollment: ${site.displayName}` })).toBeVisible()
  expect((await stored(context, site)).version).toBe(site.enrollment_info.version)
}

test('texts, addresses and program types are saved, and errors are shown', async ({ page, context }) => {
  await test.step('texts, addresses, yes/no fields and the link are saved and shown', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('About', { exact: true }).fill('Independent study,\nkindergarten to grade 12.')
    await page.getByLabel('More about', { exact: true }).fill('Tutoring on Wednesdays.')
    await page.getByLabel('Registration email').fill('a@quartz.example, b@quartz.example;c@quartz.example  d@quartz.example')
    await page.getByLabel('Primary email status').selectOption('Yes')
    await page.getByLabel('Additional email status').selectOption('Yes')
    await page.getByLabel('Virtual orientation link').fill('https://meet.quartz.example/orientation')
    const sent = await sentBySaving(page, site)
    // The three lists of dates and the recipients were not changed.
    expect(Object.keys(sent as object).toSorted()).toEqual(
      ['about', 'addtionalEmailstatus', 'moreAbout', 'orientationLink', 'primaryEmailstatus', 'registrationEmail'].toSorted(),
    )
    const four = ['a@quartz.example', 'b@quartz.example', 'c@quartz.example', 'd@quartz.example']
    expect(await stored(context, site)).toMatchObject({
      about: 'Independent study,\nkindergarten to grade 12.',
      moreAbout: 'Tutoring on Wednesdays.',
      registrationEmail: four,
      interestEmail: ['info@quartz.example'],
      primaryEmailstatus: 'Yes',
      addtionalEmailstatus: 'Yes',
      orientation: { virtual_orientation_link: 'https://meet.quartz.example/orientation' },
    })
    expect(await facts(page)).toMatchObject({
      About: 'Independent study, kindergarten to grade 12.',
      'More about': 'Tutoring on Wednesdays.',
      'Primary email status': 'Yes',
      'Additional email status': 'Yes',
    })
    for (const address of four) await expect(page.getByRole('main').getByRole('link', { name: address })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: /meet\.quartz\.example/ })).toHaveAttribute(
      'href',
      'https://meet.quartz.example/orientation',
    )

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByLabel('Registration email')).toHaveValue(four.join(' '))
    for (const label of ['About', 'More about', 'Virtual orientation link']) await page.getByLabel(label, { exact: true }).fill('')
    await page.getByLabel('Primary email status').selectOption('No')
    await sentBySaving(page, site)
    expect(await stored(context, site)).toMatchObject({
      about: null,
      moreAbout: null,
      primaryEmailstatus: 'No',
      addtionalEmailstatus: 'Yes',
      orientation: { virtual_orientation_link: null },
    })
  })

  await test.step('an invalid address shows an error at its field, an empty list is refused, and neither is saved', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('Registration email').fill('enroll@quartz.example nobody@quartz')
    await page.getByLabel('Interest email').fill('')
    await save(page).click()
    await expect(field(page, 'registrationEmail')).toContainText('Please provide a valid email address')
    await expect(field(page, 'interestEmail')).toContainText('This field is required')
    await expect(page.getByLabel('Registration email')).toBeFocused()
    await notSaved(page, context, site)
    await page.getByLabel('Registration email').fill('enroll@quartz.example;nobody@quartz.example')
    await page.getByLabel('Interest email').fill('other@quartz.example')
    expect(await sentBySaving(page, site)).toEqual({
      registrationEmail: 'enroll@quartz.example;nobody@quartz.example',
      interestEmail: 'other@quartz.example',
    })
    expect(await stored(context, site)).toMatchObject({
      registrationEmail: ['enroll@quartz.example', 'nobody@quartz.example'],
      interestEmail: ['other@quartz.example'],
    })
  })

  await test.step('program types are each added once, and removed, with a message each', async () => {
    const site = await newSite(context)
    const [first, second] = await sendCall(context, listProgramTypes)
    if (!first || !second) throw new Error('The sample network has fewer than two program types')
    await openForm(page, site)
    const programs = field(page, 'programTypes')
    const add = programs.getByRole('button', { name: 'Add Program' })
    await add.click()
    await expect(programs.getByRole('alert')).toHaveText('Please select a program from the list.')
    for (const { name } of [first, second]) {
      await programs.getByLabel('Program', { exact: true }).selectOption({ label: name })
      await expect(programs.getByRole('alert')).toHaveText('')
      await add.click()
    }
    await programs.getByLabel('Program', { exact: true }).selectOption({ label: first.name })
    await add.click()
    await expect(programs.getByRole('alert')).toHaveText('This program is already selected. Please choose a different one.')
    await expect(programs.getByRole('list', { name: 'Chosen programs' }).getByRole('listitem')).toHaveText([first.name, second.name])
    const sent = (await sentBySaving(page, site)) as object
    expect(Object.keys(sent)).toEqual(['programTypes'])
    expect((await stored(context, site)).programTypes.map(({ _id }) => _id).toSorted()).toEqual([first._id, second._id].toSorted())
    const shown = page.getByRole('main').getByRole('listitem')
    await expect(shown.filter({ hasText: first.name })).toBeVisible()

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await programs.getByRole('button', { name: `Remove ${first.name}` }).click()
    await sentBySaving(page, site)
    expect((await stored(context, site)).programTypes).toEqual([second])
    await expect(shown.filter({ hasText: first.name })).toHaveCount(0)
  })
})

test.describe('individual dates', () => {
  const dates = (page: Page): Locator => field(page, 'individualDates')
  const type = async (page: Page, date: string, start: string, end: string): Promise<void> => {
    await dates(page).getByLabel('New date', { exact: true }).fill(date)
    await dates(page).getByLabel('New date start time').selectOption(start)
    await dates(page).getByLabel('New date end time').selectOption(end)
  }
  const add = (page: Page): Promise<void> => dates(page).getByRole('button', { name: 'Add Date' }).click()
  const listed = (page: Page): Locator => dates(page).getByRole('list', { name: 'Selected dates' }).getByRole('listitem')

  test('are added, sorted, refused if incomplete, and removed', async ({ page, context }) => {
    await test.step('are sorted by date, read back as they were sent, shown as MM/DD/YYYY, and removed', async () => {
      const site = await newSite(context)
      await openForm(page, site)
      await type(page, '2031-11-20', '09:00AM', '10:30AM')
      await add(page)
      await expect(dates(page).getByLabel('New date', { exact: true })).toHaveValue('')
      await type(page, '2031-09-05', '12:30PM', '02:00PM')
      await add(page)
      await type(page, '2032-01-08', '06:00AM', '10:30PM')
      await add(page)
      await expect(listed(page)).toHaveText([
        '09/05/2031 12:30PM to 02:00PM',
        '11/20/2031 09:00AM to 10:30AM',
        '01/08/2032 06:00AM to 10:30PM',
      ])
      const sorted = [
        { date: '2031-09-05', start_time: '12:30PM', end_time: '02:00PM' },
        { date: '2031-11-20', start_time: '09:00AM', end_time: '10:30AM' },
        { date: '2032-01-08', start_time: '06:00AM', end_time: '10:30PM' },
      ]
      expect(await sentBySaving(page, site)).toEqual({ individualDates: sorted })
      expect((await stored(context, site)).orientation.selected_dates).toEqual(sorted)
      expect((await facts(page))['Selected dates']).toMatch(
        /^09\/05\/2031 12:30PM to 02:00PM\s*11\/20\/2031 09:00AM to 10:30AM\s*01\/08\/2032 06:00AM to 10:30PM$/,
      )

      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await dates(page).getByRole('button', { name: 'Remove 11/20/2031 09:00AM to 10:30AM' }).click()
      await sentBySaving(page, site)
      expect((await stored(context, site)).orientation.selected_dates).toEqual([sorted[0], sorted[2]])
    })

    await test.step('an incomplete, too short or duplicate row is not added, and the page shows the reason', async () => {
      const site = await newSite(context)
      await openForm(page, site)
      await add(page)
      await expect(dates(page)).toContainText('Not added. Enter a date, a start time, and an end time.')
      await dates(page).getByLabel('New date', { exact: true }).fill('2031-11-20')
      await expect(dates(page)).not.toContainText('Not added')
      await dates(page).getByLabel('New date end time').selectOption('11:00AM')
      await add(page)
      await expect(dates(page)).toContainText('Not added. Enter a start time.')
      for (const start of ['11:00AM', '11:30AM', '01:00PM']) {
        await dates(page).getByLabel('New date start time').selectOption(start)
        await add(page)
        await expect(dates(page)).toContainText('End time must be later than start time')
      }
      await expect(listed(page)).toHaveCount(0)
      await dates(page).getByLabel('New date start time').selectOption('10:30AM')
      await add(page)
      await type(page, '2031-11-20', '10:30AM', '11:00AM')
      await add(page)
      await expect(dates(page)).toContainText('This date is already in the list.')
      await expect(listed(page)).toHaveText(['11/20/2031 10:30AM to 11:00AM'])
    })

    await test.step('the form is not saved while a complete date has not been added', async () => {
      const site = await newSite(context)
      await openForm(page, site)
      await page.getByLabel('About', { exact: true }).fill('Independent study.')
      await type(page, '2031-11-20', '09:00AM', '10:30AM')
      await save(page).click()
      await expect(dates(page)).toContainText('Press Add Date to add this date, or clear it')
      await notSaved(page, context, site)
      await add(page)
      await expect(dates(page)).not.toContainText('Press Add Date')
      expect(Object.keys((await sentBySaving(page, site)) as object)).toEqual(['about', 'individualDates'])
      expect((await stored(context, site)).orientation.selected_dates).toEqual([
        { date: '2031-11-20', start_time: '09:00AM', end_time: '10:30AM' },
      ])
    })
  })
})

test.describe('recurring days', () => {
  const day = (page: Page, name: string): Locator => field(page, `recurringDates.${name}`)
  const start = (page: Page, name: string): Locator => page.getByLabel(`${name} start time`)
  const end = (page: Page, name: string): Locator => page.getByLabel(`${name} end time`)

  test('have times only while they are checked', { tag: '@all' }, async ({ page, context }) => {
    await test.step('Monday to Friday have times while they are checked, cleared when unchecked', async () => {
      const site = await newSite(context)
      await openForm(page, site)
      for (const name of ORIENTATION_DAYS) {
        await expect(page.getByRole('checkbox', { name })).not.toBeChecked()
        await expect(start(page, name)).toBeDisabled()
        await expect(end(page, name)).toBeDisabled()
      }
      await expect(page.getByRole('checkbox', { name: 'Saturday' })).toHaveCount(0)
      for (const [name, from, until] of [
        ['Tuesday', '09:00AM', '10:00AM'],
        ['Friday', '12:30PM', '02:00PM'],
      ] as const) {
        await page.getByRole('checkbox', { name }).check()
        await start(page, name).selectOption(from)
        await end(page, name).selectOption(until)
      }
      const unset = { set: false, start_time: '', end_time: '' }
      const [tuesday, friday] = [
        { set: true, start_time: '09:00AM', end_time: '10:00AM' },
        { set: true, start_time: '12:30PM', end_time: '02:00PM' },
      ]
      expect(await sentBySaving(page, site)).toEqual({ recurringDates: { Tuesday: tuesday, Friday: friday } })
      expect((await stored(context, site)).orientation.recurring_dates).toEqual({
        Monday: unset,
        Tuesday: tuesday,
        Wednesday: unset,
        Thursday: unset,
        Friday: friday,
      })
      expect((await facts(page))['Recurring days']).toMatch(/^Tuesday 09:00AM to 10:00AM\s*Friday 12:30PM to 02:00PM$/)

      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('checkbox', { name: 'Tuesday' }).uncheck()
      await expect(start(page, 'Tuesday')).toBeDisabled()
      await expect(start(page, 'Tuesday')).toHaveValue('')
      await expect(end(page, 'Tuesday')).toHaveValue('')
      await page.getByRole('checkbox', { name: 'Tuesday' }).check()
      await expect(start(page, 'Tuesday')).toHaveValue('')
      await page.getByRole('checkbox', { name: 'Tuesday' }).uncheck()
      expect(await sentBySaving(page, site)).toEqual({ recurringDates: { Tuesday: unset } })
      expect((await stored(context, site)).orientation.recurring_dates).toMatchObject({ Tuesday: unset, Friday: friday })
    })

    await test.step('a checked day without both times is marked, and the form is not saved', async () => {
      const site = await newSite(context)
      await openForm(page, site)
      await page.getByRole('checkbox', { name: 'Monday' }).check()
      await page.getByRole('checkbox', { name: 'Thursday' }).check()
      await start(page, 'Thursday').selectOption('10:00AM')
      await end(page, 'Thursday').selectOption('10:00AM')
      await save(page).click()
      const outlined = (name: string): Locator => day(page, name).locator('[data-wrong]')
      await expect(outlined('Monday')).toBeVisible()
      await expect(outlined('Monday')).toHaveCSS('outline-style', 'solid')
      await expect(day(page, 'Monday')).toContainText('Enter a start time and an end time')
      await expect(outlined('Thursday')).toBeVisible()
      await expect(day(page, 'Thursday')).toContainText('End time must be later than start time')
      await expect(outlined('Tuesday')).toHaveCount(0)
      await expect(page.getByRole('checkbox', { name: 'Monday' })).toBeFocused()
      await notSaved(page, context, site)
      await page.getByRole('checkbox', { name: 'Monday' }).uncheck()
      await expect(outlined('Monday')).toHaveCount(0)
      await end(page, 'Thursday').selectOption('10:30AM')
      expect(await sentBySaving(page, site)).toEqual({
        recurringDates: { Thursday: { set: true, start_time: '10:00AM', end_time: '10:30AM' } },
      })
    })
  })
})

test('blackout dates are sorted, concurrent edits are merged, and axe finds nothing in the form', async ({ page, context, pageErrors }) => {
  test.slow()
  await test.step('blackout dates are sorted, shown and removed; empty and duplicate ones are ignored', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    const blackout = field(page, 'blackoutDates')
    const listed = blackout.getByRole('list', { name: 'Blackout dates' }).getByRole('listitem')
    const next = blackout.getByLabel('New blackout date')
    const add = blackout.getByRole('button', { name: 'Add Blackout Date' })
    await add.click()
    await expect(listed).toHaveCount(0)
    for (const date of ['2031-12-24', '2031-11-28', '2031-12-24', '2032-01-01']) {
      await next.fill(date)
      await add.click()
      await expect(next).toHaveValue('')
    }
    await expect(listed).toHaveText(['11/28/2031', '12/24/2031', '01/01/2032'])
    // A value that was typed but not added is not lost.
    await next.fill('2032-02-02')
    await save(page).click()
    await expect(blackout).toContainText('Press Add Blackout Date to add this date, or clear it')
    await notSaved(page, context, site)
    await add.click()
    const sorted = ['2031-11-28', '2031-12-24', '2032-01-01', '2032-02-02']
    expect(await sentBySaving(page, site)).toEqual({ blackoutDates: sorted })
    expect((await stored(context, site)).orientation.blackout_dates).toEqual(sorted)
    expect((await facts(page))['Blackout dates']).toMatch(/^11\/28\/2031\s*12\/24\/2031\s*01\/01\/2032\s*02\/02\/2032$/)

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await blackout.getByRole('button', { name: 'Remove 12/24/2031' }).click()
    await sentBySaving(page, site)
    expect((await stored(context, site)).orientation.blackout_dates).toEqual(['2031-11-28', '2032-01-01', '2032-02-02'])
  })

  await test.step('days and dates that two people changed are merged', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByRole('checkbox', { name: 'Monday' }).check()
    await page.getByLabel('Monday start time').selectOption('09:00AM')
    await page.getByLabel('Monday end time').selectOption('10:00AM')
    const friday = { set: true, start_time: '01:00PM', end_time: '02:00PM' }
    await sendCall(context, updateEnrollment, { id: site._id }, { recurringDates: { Friday: friday }, blackoutDates: ['2031-12-24'] })
    pageErrors.expect(/412/)
    pageErrors.expect(/PATCH/)
    await save(page).click()
    await expect(page.getByText('Saved. Changes that Level 6 made in the meantime were kept too')).toBeVisible()
    expect((await stored(context, site)).orientation).toMatchObject({
      recurring_dates: { Monday: { set: true, start_time: '09:00AM', end_time: '10:00AM' }, Friday: friday },
      blackout_dates: ['2031-12-24'],
    })
  })

  await test.step('axe finds nothing in the form with lists, changes and errors', async () => {
    const site = await newSite(context)
    const [program] = await sendCall(context, listProgramTypes)
    await sendCall(
      context,
      updateEnrollment,
      { id: site._id },
      {
        programTypes: program ? [{ _id: program._id }] : [],
        individualDates: [{ date: '2031-11-20', start_time: '09:00AM', end_time: '10:30AM' }],
        blackoutDates: ['2031-12-24'],
      },
    )
    await openForm(page, site)
    await page.getByRole('checkbox', { name: 'Monday' }).check()
    await page.getByRole('button', { name: 'Add Program' }).click()
    await page.getByRole('button', { name: 'Add Date' }).click()
    await page.getByLabel('Registration email').fill('nobody')
    await page.getByLabel('Interest email').fill('')
    await page.getByLabel('New blackout date').fill('2032-02-02')
    await save(page).click()
    await expect(page.locator('#main').getByRole('alert').first()).toContainText('Please correct 4 fields')
    await expectAccessible(page)
  })
})
