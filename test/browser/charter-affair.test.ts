import type { BrowserContext } from '@playwright/test'

import { affairSections, readCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import type { CharterAffair } from '../../src/records/charter-affairs/contract.ts'
import type { AffairSection } from '../../src/records/charter-affairs/fields.ts'
import { affairLabels, overviewGroups, sectionTitles } from '../../src/records/charter-affairs/fields.ts'
import { listCharters } from '../../src/records/charters/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { factsIn, findRecord, sendCall } from './records.ts'

const anchors: Record<AffairSection, string> = {
  overview: 'overview',
  charter_terms: 'charter-terms',
  charter_no_cds: 'charter-no-cds',
  funding: 'funding',
  mou: 'mous-overview',
  notice_website: 'notice-website-posting',
}
const sectionNames = Object.keys(anchors) as AffairSection[]

/** A charter with a record that has a CDS code, members and districts, and that record; levels 6 and lower only. */
const recorded = async (context: BrowserContext) => {
  const charters = await sendCall(context, listCharters)
  for (const { slug } of charters.filter(({ charter_affair_info }) => charter_affair_info.length > 0)) {
    const charter = await sendCall(context, readCharterAffair, { id: slug })
    const affair = charter.charter_affair_info[0]
    if (!affair?.overview.cds_code) continue
    if (affair.authorizer_board_member.length > 1 && affair.center_district.length > 0) return { charter, affair }
  }
  throw new Error('The sample network has no charter affair with members and districts')
}
const unrecorded = async (context: BrowserContext) =>
  findRecord(
    await sendCall(context, listCharters),
    'charter without a charter affair',
    ({ charter_affair_info }) => charter_affair_info.length === 0,
  )

/** Label and text of every field of the six sections. */
const fieldsOf = (affair: CharterAffair): { label: string; text: string | null }[] =>
  sectionNames.flatMap((section) => {
    const labels = new Map<string, string>(Object.entries(affairLabels[section]))
    return Object.entries(affair[section]).map(([name, text]) => ({ label: labels.get(name) ?? '', text }))
  })
const asRead = (text: string | null): string => text?.replace(/\s+/g, ' ').trim() || 'Not filled in'
/** In a table cell, `toContainText` also reads the dash of an empty field. */
const inTable = (text: string | null): string => (text === null ? '—Not filled in' : asRead(text))

test.describe('level 5', () => {
  test.use({ level: 5 })

  test('goes from the charter to its affair with the Charter Affair button, and back', { tag: '@all' }, async ({ page, context }) => {
    const { charter } = await recorded(context)
    await visit(page, `/charter/${charter.slug}`)
    await page.getByRole('link', { name: 'Charter Affair', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/charter_affair/${charter.slug}$`))
    await expect(page.getByRole('heading', { level: 1, name: charter.name })).toBeVisible()
    await expect(page).toHaveTitle(`Charter Affair, ${charter.name} - Homeroom`)
    await page.getByRole('main').getByRole('link', { name: charter.name }).click()
    await expect(page).toHaveURL(new RegExp(`/charter/${charter.slug}$`))
  })

  test('reads, filters and copies every field, and moves between sections', async ({ page, context }) => {
    await test.step('reads all 99 fields in the six sections, including empty ones', async () => {
      const { charter, affair } = await recorded(context)
      await visit(page, `/charter_affair/${charter.slug}`)
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([...Object.values(sectionTitles), 'Comments'])
      await expect(page.locator('#overview').getByRole('heading', { level: 3 })).toHaveText(Object.keys(overviewGroups))
      let read = 0
      for (const section of sectionNames) {
        const shown = Object.fromEntries(await factsIn(page, `#${anchors[section]}`))
        const labels = new Map<string, string>(Object.entries(affairLabels[section]))
        const expected = Object.entries(affair[section]).map(([name, text]) => [labels.get(name), asRead(text)])
        expect(shown).toEqual(Object.fromEntries(expected))
        read += Object.keys(shown).length
        await expect(page.locator(`#${anchors[section]}`)).toContainText(`${Object.keys(affairSections[section].shape).length} fields`)
      }
      expect(read).toBe(99)
    })

    await test.step('reads the members and the districts in tables', async () => {
      const { charter, affair } = await recorded(context)
      await visit(page, `/charter_affair/${charter.slug}`)
      const members = page.getByRole('table', { name: 'Authorizer Board Members' })
      await expect(members.getByRole('rowheader')).toHaveCount(affair.authorizer_board_member.length)
      for (const [
        at,
        { board_member_name, board_position, board_term, charter_voting_notes },
      ] of affair.authorizer_board_member.entries()) {
        const row = members.getByRole('row').nth(at + 1)
        for (const text of [board_member_name, board_position, board_term, charter_voting_notes])
          await expect(row).toContainText(inTable(text))
      }
      const districts = page.getByRole('table', { name: 'Center District' })
      await expect(districts.getByRole('rowheader')).toHaveCount(affair.center_district.length)
      for (const [at, { center_name, high_school_district, notes }] of affair.center_district.entries()) {
        const row = districts.getByRole('row').nth(at + 1)
        for (const text of [center_name, high_school_district, notes]) await expect(row).toContainText(inTable(text))
      }
    })

    await test.step('filters the fields by their names and texts, highlights matches, and keeps the filter in the URL', async () => {
      const { charter, affair } = await recorded(context)
      const fields = fieldsOf(affair)
      const matching = fields.filter(({ label, text }) => `${label}\n${text ?? ''}`.toLowerCase().includes('fund'))
      expect(matching.length).toBeGreaterThan(5)
      expect(matching.length).toBeLessThan(99)
      await visit(page, `/charter_affair/${charter.slug}`)
      const filter = page.getByRole('textbox', { name: 'Filter 99 fields' })
      await filter.fill('FUND')
      const found = page.getByRole('status').filter({ hasText: `${matching.length} of 99 fields match “FUND” by name or text` })
      await expect(found).toBeVisible()
      await expect(page.locator('main dl > div')).toHaveCount(matching.length)
      await expect(page.locator('main dl > div:not(:has(mark))')).toHaveCount(0)
      await expect(page.locator('mark').first()).toHaveText(/^fund$/i)
      await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: /^Charter No CDS/ })).toHaveCount(0)
      await expect(page).toHaveURL(/\?q=FUND$/)
      await page.reload()
      await expect(found).toBeVisible()
      await filter.focus()
      await page.keyboard.press('Escape')
      await expect(page.locator('main dl > div')).toHaveCount(99)
      await expect(page).not.toHaveURL(/q=/)
    })

    await test.step('shows only the empty fields on request', async () => {
      const { charter, affair } = await recorded(context)
      const empty = fieldsOf(affair).filter(({ text }) => text === null || text.trim() === '')
      await visit(page, `/charter_affair/${charter.slug}`)
      await page.getByRole('checkbox', { name: 'Only empty fields' }).check()
      await expect(page).toHaveURL(/\?empty=yes$/)
      await expect(page.getByRole('status').filter({ hasText: `${empty.length} of 99 fields are empty` })).toBeVisible()
      expect((await factsIn(page, 'main')).map(([label, text]) => [label, text])).toEqual(
        expect.arrayContaining(empty.map(({ label }) => [label, 'Not filled in'])),
      )
      await expect(page.locator('main dl > div')).toHaveCount(empty.length)
    })

    await test.step('shows a message when no field matches, and shows all fields again', async () => {
      const { charter } = await recorded(context)
      await visit(page, `/charter_affair/${charter.slug}?q=zzzz`)
      await expect(page.getByRole('heading', { name: 'No matching fields' })).toBeVisible()
      await page.getByRole('button', { name: 'Show All Fields' }).click()
      await expect(page.locator('main dl > div')).toHaveCount(99)
      await expect(page).toHaveURL(new RegExp(`/charter_affair/${charter.slug}$`))
    })

    await test.step('moves to a section with the list, which follows scrolling, and puts it in the URL', async () => {
      const { charter } = await recorded(context)
      await visit(page, `/charter_affair/${charter.slug}`)
      const list = page.getByRole('navigation', { name: 'Sections' })
      await expect(list.locator('[aria-current]')).toHaveText([/^Overview/, 'School'])
      await list.getByRole('link', { name: 'Charter Terms' }).press('Enter')
      await expect(page).toHaveURL(/#charter-terms$/)
      const terms = page.getByRole('main').getByRole('heading', { name: 'Charter Terms' })
      await expect(terms).toBeInViewport()
      await expect(terms).toBeFocused()
      await expect(list.locator('[aria-current]')).toHaveText([/^Charter Terms/])
      await page.mouse.move(800, 500)
      await page.mouse.wheel(0, 20_000)
      await expect(list.locator('[aria-current]')).toHaveText([/^Center District/])
      await page.goto(`/charter_affair/${charter.slug}#mous-overview`)
      await expect(page.getByRole('main').getByRole('heading', { name: 'MOUs Overview' })).toBeInViewport()
      await expect(list.locator('[aria-current]')).toHaveText([/^MOUs Overview/])
    })

    await test.step('copies a code with one click', async () => {
      const { charter, affair } = await recorded(context)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await visit(page, `/charter_affair/${charter.slug}`)
      await page.locator('#overview').getByRole('button', { name: 'Copy CDS code' }).click()
      expect(affair.overview.cds_code).toBeTruthy()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(affair.overview.cds_code)
    })
  })

  test('leaving the page clears the cached record: returning requests it again', { tag: '@all' }, async ({ page, context }) => {
    const { charter } = await recorded(context)
    const requests = { affair: 0, charter: 0 }
    page.on('request', (request) => {
      if (request.url().includes('/locations-api/charter_affair/')) requests.affair++
      if (request.url().includes('/locations-api/charterbyslug/')) requests.charter++
    })
    await visit(page, `/charter/${charter.slug}`)
    for (const times of [1, 2]) {
      await page.getByRole('link', { name: 'Charter Affair', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Charter Terms' })).toBeVisible()
      expect(requests.affair).toBe(times)
      await page.getByRole('main').getByRole('link', { name: charter.name }).click()
      await expect(page.getByRole('heading', { name: /^Sites/ })).toBeVisible()
    }
    // The charter's response is still cached, so it is not requested again.
    expect(requests.charter).toBe(1)
  })

  test('shows a loading state until the record arrives', { tag: '@all' }, async ({ page, context }) => {
    const { charter } = await recorded(context)
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/locations-api/charter_affair/**', async (route) => {
      await held
      await route.continue()
    })
    await visit(page, `/charter_affair/${charter.slug}`)
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeAttached()
    await expect(page.getByRole('heading', { name: 'Charter Terms' })).toHaveCount(0)
    answer()
    await expect(page.getByRole('heading', { name: 'Charter Terms' })).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
  })

  test('sees that a missing record can be created, and no button on the charter', { tag: '@all' }, async ({ page, context }) => {
    const charter = await unrecorded(context)
    await visit(page, `/charter/${charter.slug}`)
    await expect(page.getByRole('link', { name: 'View Charter' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Charter Affair', exact: true })).toHaveCount(0)
    await visit(page, `/charter_affair/${charter.slug}`)
    await expect(page.getByRole('heading', { name: 'No charter affair on file' })).toBeVisible()
    await expect(page.getByText('You can create one.')).toBeVisible()
    await expectAccessible(page)
  })

  test('prints the sections, and selects them on a narrow screen', { tag: '@all' }, async ({ page, context }) => {
    await test.step('prints the sections without the list and the filter', async () => {
      const { charter } = await recorded(context)
      await visit(page, `/charter_affair/${charter.slug}`)
      await expect(page.getByRole('heading', { name: 'Center District' })).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('heading', { name: 'Center District' })).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden()
      await expect(page.getByRole('textbox', { name: 'Filter 99 fields' })).toBeHidden()
      await expect(page.getByRole('button', { name: 'Copy CDS code' }).first()).toBeHidden()
      await page.emulateMedia({ media: null })
    })

    await test.step('on a narrow screen selects the section and opens the filter in a bar; members are cards', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      const { charter, affair } = await recorded(context)
      await visit(page, `/charter_affair/${charter.slug}`)
      await expect(page.getByRole('navigation', { name: 'Sections' })).toHaveCount(0)
      await page.getByRole('combobox', { name: 'Section' }).selectOption('Funding')
      await expect(page.getByRole('heading', { level: 2, name: 'Funding' })).toBeInViewport()
      await expect(page.getByText('4 of 8')).toBeVisible()
      await expect(page.getByRole('list', { name: 'Authorizer Board Members' }).getByRole('listitem')).toHaveCount(
        affair.authorizer_board_member.length,
      )
      await page.getByRole('button', { name: 'Filter the fields' }).click()
      await page.getByRole('textbox', { name: 'Filter 99 fields' }).fill('mou')
      await expect(page.locator('main dl > div mark').first()).toHaveText(/^mou$/i)
    })
  })

  test('axe finds nothing on the record, filtered or not', async ({ page, context }) => {
    test.slow()
    for (const [what, search] of [
      ['the whole record', ''],
      ['the record filtered', '?q=fund'],
      ['only empty fields', '?empty=yes'],
    ]) {
      await test.step(`axe finds nothing: ${what}`, async () => {
        const { charter } = await recorded(context)
        await visit(page, `/charter_affair/${charter.slug}${search}`)
        await expect(page.getByRole('heading', { level: 1, name: charter.name })).toBeVisible()
        await expectAccessible(page)
      })
    }
  })
})

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('reads the affair through a plain link, and sees who can create a missing one', async ({ page, context }) => {
    await test.step('reads the affair through a plain link, without the button', async () => {
      const { charter } = await recorded(context)
      await visit(page, `/charter/${charter.slug}`)
      await expect(page.getByRole('link', { name: 'Charter Affair', exact: true })).toHaveCount(0)
      await page.getByRole('link', { name: 'View charter affair' }).click()
      await expect(page).toHaveURL(new RegExp(`/charter_affair/${charter.slug}$`))
      await expect(page.getByRole('heading', { name: 'Charter Terms' })).toBeVisible()
    })

    await test.step('sees who can create a missing record', async () => {
      const charter = await unrecorded(context)
      await visit(page, `/charter_affair/${charter.slug}`)
      await expect(page.getByText('Someone with access to edit charter affairs can create one.')).toBeVisible()
      await expect(page.getByText('You can create one.')).toHaveCount(0)
    })
  })
})

for (const level of [7, 10]) {
  test.describe(`level ${level}`, () => {
    test.use({ level })

    test('has no link to the affair on the charter and is sent home from its URL', { tag: '@all' }, async ({ page, context }) => {
      const charter = findRecord(
        await sendCall(context, listCharters),
        'charter with an affair',
        (one) => one.charter_affair_info.length > 0,
      )
      await visit(page, `/charter/${charter.slug}`)
      await expect(page.getByRole('link', { name: 'View Charter' })).toBeVisible()
      await expect(page.getByRole('link', { name: /charter affair/i })).toHaveCount(0)
      await visit(page, `/charter_affair/${charter.slug}`)
      await expect(page).toHaveURL(/\/$/)
      await expect(page.getByText('Welcome, ')).toBeVisible()
    })
  })
}
