import type { Page } from '@playwright/test'

import { expect, test } from '../fixtures.ts'
import { type LongRecords, longRecords } from '../long-records.ts'

// Every validation error is shown in plain words, beside its field or in one notice: never as a library message, and never missing.

test.use({ level: 1 })

let records: LongRecords
test.beforeAll(async ({ browser, stateOf, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), storageState: await stateOf(1) })
  records = await longRecords(context)
  await context.close()
})

/** Text that users must never see: terms of a schema library, a regular expression, or an internal value. */
const RAW =
  /must match|\binvalid\b|received (undefined|null|string|number|NaN|object|array)|\bexpected\b|at most 0\b|too (big|small)|\bpattern\b|undefined|\bnull\b|NaN|\[object|\^\[|\\[dwsp]\b|zod|FST_|[a-z]_[a-z]|\bbody\b|\bproperty\b/i

const TOO_LONG = 'Long '.repeat(4200)
const WRONG = '<i>@ //[x](y) {{z}} \u{1F600}'
const HIDDEN = 'Pine\u202E Street'

/** The inputs of the form or window that take typed text. */
const inputs = (page: Page, within: string) =>
  page.locator(
    `${within} :is(input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=url], input[type=search], textarea):not([disabled]):not([readonly]):not([role=combobox]):visible`,
  )

/** Types a text into every input, or every `step`th. */
const typeEverywhere = async (page: Page, within: string, text: string, step = 1): Promise<number> => {
  const found = (await inputs(page, within).all()).filter((_, at) => at % step === 0)
  for (const input of found) await input.fill(text)
  return found.length
}

/** All error messages: beside the fields, in the notice above them, in a window. */
const errorsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const described = [...document.querySelectorAll('[aria-invalid=true]')].flatMap((input) =>
      (input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.querySelector(`[id="${CSS.escape(id)}"]`)),
    )
    return [...described, ...document.querySelectorAll('[role=alert], [id$="-error"]')]
      .map((element) => element?.textContent.trim() ?? '')
      .filter(Boolean)
  })

const FORMS: readonly (readonly [name: string, address: () => string, submit: string])[] = [
  ['a new charter', () => '/addcharter', 'Add Charter'],
  ['a new brand', () => '/addbrand', 'Add Brand'],
  ['a new site', () => '/add_location', 'Add Resource Center'],
  ['a site', () => `/location/${records.site}?edit=1`, 'Save Changes'],
  ['a charter', () => `/charterview/${records.charter}?edit=1`, 'Save Changes'],
  ['a brand', () => `/brandview/${records.brand}?edit=1`, 'Save Changes'],
  ['a person', () => `/staff/${records.person}?edit=1`, 'Save Changes'],
  ['a facility', () => `/location/fac/${records.site}?edit=1`, 'Save Changes'],
  ['an enrollment', () => `/location/enrollment/${records.site}?edit=1`, 'Save Changes'],
  ['an SIS site', () => `/location/${records.site}/sis/${records.sis}?edit=1`, 'Save Changes'],
  ['a charter affair', () => `/charter_affair/${records.affair}?edit=1`, 'Submit'],
  ['the settings', () => '/settings', 'Save Changes'],
]

for (const [name, address, submit] of FORMS)
  test(`${name}: a text that is too long, invalid or missing has an error in plain words`, { tag: '@all' }, async ({ page }) => {
    test.setTimeout(180_000)
    // A charter affair has a hundred fields of one kind, so only some are tested.
    const step = name === 'a charter affair' ? 8 : 1
    for (const text of [TOO_LONG, WRONG, HIDDEN, '']) {
      await page.goto(address())
      await expect(page.locator('main form').first()).toBeVisible()
      const count = await typeEverywhere(page, 'main form', text, step)
      expect(count, 'inputs').toBeGreaterThan(0)
      const during = await errorsOf(page)
      await page.getByRole('button', { name: submit }).first().click()
      if (text === TOO_LONG || text === HIDDEN)
        await expect
          .poll(async () => (await errorsOf(page)).length, { message: `something is said of ${text.slice(0, 20)}` })
          .toBeGreaterThan(0)
      for (const error of [...during, ...(await errorsOf(page))]) {
        expect(error).not.toMatch(RAW)
        expect(error.length, error.slice(0, 100)).toBeLessThan(1000)
      }
    }
  })
