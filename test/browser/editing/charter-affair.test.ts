import { addMember, affairSections } from '../../../src/records/charter-affairs/contract.ts'
import { type AffairSection, districtLabels, memberLabels } from '../../../src/records/charter-affairs/fields.ts'
import { listCharters } from '../../../src/records/charters/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { affairOf, input, isReadOnly, open, recorded, rows, submit } from '../affair-form.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newCharter, sendCall } from '../records.ts'

test.describe('a charter-affairs officer', () => {
  test.use({ level: 5 })

  test('creates the first record and fills every field of every section', async ({ page, context }) => {
    test.slow()
    const charter = await newCharter(context)
    await visit(page, `/charter/${charter.slug}`)
    await page.getByRole('link', { name: 'Create charter affair record' }).click()
    await page.getByRole('button', { name: 'Create charter affair record' }).click()
    const typed: Record<string, Record<string, string>> = {}
    for (const section of Object.keys(affairSections) as AffairSection[])
      for (const name of Object.keys(affairSections[section].shape)) {
        const text = name === 'cds_code' ? '39686760123456' : name === 'fein' ? '941234567' : `${name}, as typed\nin two lines`
        ;(typed[section] ??= {})[name] = text
        await input(page, `${section}.${name}`).fill(text)
      }
    await expect(page.getByText('99 unsaved changes')).toBeVisible()
    await page.keyboard.press('Control+s')
    await isReadOnly(page)
    expect(await affairOf(context, charter)).toMatchObject(typed)
    // The charter now has the button.
    await visit(page, `/charter/${charter.slug}`)
    await expect(page.getByRole('link', { name: 'Charter Affair', exact: true })).toBeVisible()
  })

  test('opens it and saves it unchanged: no field changes', { tag: '@all' }, async ({ page, context }) => {
    const charter = await recorded(context, {
      overview: { petition_renewal_material_revisions_notes: 'Kept', notes: ' spaces stay \n\n as they are ' },
    })
    await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Wendell Obi' })
    const before = await affairOf(context, charter)
    await open(page, charter)
    await submit(page).click()
    await isReadOnly(page)
    expect(await affairOf(context, charter)).toEqual(before)
  })

  test('adds, updates and deletes members and districts', async ({ page, context }) => {
    test.slow()
    const charter = await recorded(context)
    const kinds = [
      ['authorizer_board_member', 'Authorizer Board Members', 'Add board member', memberLabels, 'board_member_name'],
      ['center_district', 'Center District', 'Add district', districtLabels, 'center_name'],
    ] as const
    for (const [part, list, add, labels, named] of kinds) {
      await visit(page, `/charter_affair/${charter.slug}`)
      await page.getByRole('button', { name: 'Edit Charter Affair' }).click()
      const typed = Object.fromEntries(Object.keys(labels).map((name) => [name, `${name} one`]))
      for (const [name, text] of Object.entries(typed)) await input(page, `${part}.new.${name}`).fill(text)
      await page.getByRole('button', { name: add, exact: true }).click()
      // After adding a row, the form is read-only again.
      await isReadOnly(page)
      const [first] = (await affairOf(context, charter))[part]
      expect(first).toMatchObject(typed)

      await page.getByRole('button', { name: 'Edit Charter Affair' }).click()
      const row = rows(page, list).filter({ hasText: `${named} one` })
      await expect(input(page, `${part}.new.${named}`)).toHaveValue('')
      await input(page, `${part}.${first?._id}.${named}`).fill('Renamed')
      await row.getByRole('button', { name: /^Update/ }).click()
      await expect(page.getByText('Renamed was updated.')).toBeVisible()
      expect((await affairOf(context, charter))[part]).toMatchObject([{ ...typed, [named]: 'Renamed' }])

      const renamed = rows(page, list).filter({ hasText: 'Renamed' })
      await renamed.getByRole('button', { name: /^Delete/ }).click()
      const question = page.getByRole('dialog', { name: 'Delete Renamed?' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(renamed).toBeVisible()
      await renamed.getByRole('button', { name: /^Delete/ }).click()
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(renamed).toHaveCount(0)
      expect((await affairOf(context, charter))[part]).toEqual([])
    }
  })

  test(
    'keeps unsaved changes in the form while a member is added, and saves all of them at the end',
    { tag: '@all' },
    async ({ page, context }) => {
      const charter = await recorded(context)
      await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Joelle Tran' })
      await open(page, charter)
      await input(page, 'overview.county').fill('San Joaquin')
      await input(page, 'authorizer_board_member.new.board_member_name').fill('Wendell Obi')
      await page.getByRole('button', { name: 'Add board member' }).click()
      await expect(page.getByText('The board member was added.')).toBeVisible()
      await expect(input(page, 'overview.county')).toHaveValue('San Joaquin')
      await expect(input(page, 'authorizer_board_member.new.board_member_name')).toHaveValue('')
      await expect(rows(page, 'Authorizer Board Members')).toHaveCount(2)
      expect((await affairOf(context, charter)).overview.county).toBeNull()

      // Submit Changes saves everything: sections, rows, and a row that was typed but not added.
      const [joelle] = (await affairOf(context, charter)).authorizer_board_member
      await input(page, `authorizer_board_member.${joelle?._id}.board_position`).fill('Chair')
      await input(page, 'center_district.new.center_name').fill('Lodi')
      await expect(page.getByText('3 unsaved changes')).toBeVisible()
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'PUT' || request.method() === 'POST') sent.push(`${request.method()} ${request.postData()}`)
      })
      await submit(page).click()
      await isReadOnly(page)
      // Only changes are sent.
      expect(sent.filter((line) => !line.includes('page'))).toEqual([
        'PUT {"overview":{"county":"San Joaquin"}}',
        `PUT {"_id":"${joelle?._id}","board_position":"Chair"}`,
        'POST {"center_name":"Lodi"}',
      ])
      expect(await affairOf(context, charter)).toMatchObject({
        overview: { county: 'San Joaquin', corporation: 'Juniper Schools' },
        authorizer_board_member: [{ board_member_name: 'Joelle Tran', board_position: 'Chair' }, { board_member_name: 'Wendell Obi' }],
        center_district: [{ center_name: 'Lodi' }],
      })
    },
  )

  test('finds fields, sees differences, and sees errors', { tag: '@all' }, async ({ page, context }) => {
    await test.step('finds a field by its label or its content; a changed field is marked, counted at its section, and can be undone', async () => {
      const charter = await recorded(context, { funding: { fy_audit: 'Clean, by Marchetti' }, overview: { fein: '1' } })
      await open(page, charter)
      await page.getByLabel('Filter 99 fields').fill('marchetti')
      await expect(page.locator('form textarea')).toHaveCount(1)
      await input(page, 'funding.fy_audit').fill('Two findings')
      // The focused field stays visible, whatever the filter.
      await expect(input(page, 'funding.fy_audit')).toHaveValue('Two findings')
      await page.getByLabel('Filter 99 fields').fill('voting')
      await expect(page.locator('form textarea')).toHaveCount(0)
      await page.getByLabel('Filter 99 fields').fill('funding term')
      await expect(page.locator('form textarea')).toHaveCount(2)
      await page.getByLabel('Filter 99 fields').fill('')
      await expect(page.getByRole('link', { name: 'Funding 1 changed' })).toBeVisible()
      const audit = page.locator('[data-field="funding.fy_audit"]')
      await expect(audit).toContainText('Was: Clean, by Marchetti')
      await page.getByRole('button', { name: 'Review' }).click()
      await expect(page.getByRole('dialog')).toContainText('Funding, FY audit')
      await page.keyboard.press('Escape')
      await audit.getByRole('button', { name: /^Undo/ }).click()
      await expect(input(page, 'funding.fy_audit')).toHaveValue('Clean, by Marchetti')
      await expect(page.getByText('unsaved change')).toHaveCount(0)
    })

    await test.step('compares repeated fields that disagree and picks a value; nothing is saved until Submit Changes', async () => {
      const charter = await recorded(context, {
        overview: { cds_code: '39686760123456', fein: '94-1234567' },
        charter_no_cds: { cds_code: '39686760123499' },
        funding: { cds_code: '39686760123456', fein: '94-1234567' },
      })
      await open(page, charter)
      const code = page.getByRole('list', { name: 'Fields with different values' }).getByRole('listitem', { name: 'CDS code' })
      await expect(code).toContainText('Overview, Funding39686760123456')
      await expect(code).toContainText('Charter No CDS39686760123499')
      await expect(page.getByText('1 field has different values in different sections')).toBeVisible()
      await code.getByRole('button', { name: /39686760123499$/ }).click()
      await expect(code).toHaveCount(0)
      await expect(input(page, 'overview.cds_code')).toHaveValue('39686760123499')
      await expect(page.getByText('2 unsaved changes')).toBeVisible()
      expect((await affairOf(context, charter)).overview.cds_code).toBe('39686760123456')
      await submit(page).click()
      await isReadOnly(page)
      const saved = await affairOf(context, charter)
      expect([saved.overview, saved.charter_no_cds, saved.funding].map(({ cds_code }) => cds_code)).toEqual(
        Array.from({ length: 3 }, () => '39686760123499'),
      )
    })

    await test.step('sees a hint for a CDS code without 14 digits and a FEIN without 9, and can save them', async () => {
      const charter = await recorded(context)
      await open(page, charter)
      for (const name of ['cds_code', 'fein']) await input(page, `funding.${name}`).fill('12-34')
      await expect(page.locator('[data-field="funding.cds_code"]')).toContainText('A CDS code should have 14 digits')
      await expect(page.locator('[data-field="funding.fein"]')).toContainText('A FEIN should have 9 digits')
      await input(page, 'charter_no_cds.cds_code').fill('39 68676 0123456')
      await input(page, 'overview.fein').fill('94-1234567')
      await expect(page.getByText(/should have (9|14) digits/)).toHaveCount(2)
      await submit(page).click()
      await isReadOnly(page)
      expect((await affairOf(context, charter)).funding).toMatchObject({ cds_code: '12-34', fein: '12-34' })
    })

    await test.step('sees an error at a text that is too long, in a section and in a row, and nothing is lost', async () => {
      const charter = await recorded(context)
      await open(page, charter)
      await input(page, 'overview.notes').fill('x'.repeat(20_001))
      await input(page, 'center_district.new.notes').fill('y'.repeat(20_001))
      await submit(page).click()
      await expect(page.getByRole('alert').filter({ hasText: 'Please correct 2 fields' })).toContainText('New district, Notes')
      await expect(input(page, 'overview.notes')).toBeFocused()
      await expect(page.locator('[data-field="overview.notes"]')).toContainText('Use at most 20,000 characters')
      expect((await affairOf(context, charter)).center_district).toEqual([])
    })
  })

  test('cancels, filters, deletes rows and saves with unsaved changes', { tag: '@all' }, async ({ page, context }) => {
    await test.step('Cancel Edit returns to the read view and Back to the previous page; unsaved changes are offered again', async () => {
      const charter = await recorded(context)
      await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Joelle Tran' })
      await visit(page, `/charter/${charter.slug}`)
      await page.getByRole('link', { name: 'Charter Affair', exact: true }).click()
      await page.getByRole('button', { name: 'Edit Charter Affair' }).click()
      await input(page, 'mou.legal').fill('Signed')
      const [joelle] = (await affairOf(context, charter)).authorizer_board_member
      await input(page, `authorizer_board_member.${joelle?._id}.board_term`).fill('2026 to 2030')
      await page.getByRole('button', { name: 'Cancel Edit' }).click()
      await isReadOnly(page)
      await page.getByRole('button', { name: 'Resume Editing' }).click()
      await expect(input(page, 'mou.legal')).toHaveValue('Signed')
      await expect(input(page, `authorizer_board_member.${joelle?._id}.board_term`)).toHaveValue('2026 to 2030')
      await page.getByRole('button', { name: 'Back', exact: true }).click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
      await expect(page).toHaveURL(`/charter/${charter.slug}`)
    })

    await test.step('saves a first record to which a member was added during editing, without a message about someone else', async () => {
      const charter = await newCharter(context)
      await open(page, charter)
      await input(page, 'overview.county').fill('San Joaquin')
      await input(page, 'authorizer_board_member.new.board_member_name').fill('Joelle Tran')
      await page.getByRole('button', { name: 'Add board member' }).click()
      await expect(page.getByText('The board member was added.')).toBeVisible()
      await submit(page).click()
      await isReadOnly(page)
      await expect(page.getByText('was saved together')).toHaveCount(0)
      expect((await affairOf(context, charter)).overview.county).toBe('San Joaquin')
    })

    await test.step('saves, and sees every error, even in fields that a filter hides', async () => {
      const charter = await recorded(context)
      await open(page, charter)
      await input(page, 'overview.county').fill('x'.repeat(20_001))
      await page.getByLabel('Filter 99 fields').fill('no such field anywhere')
      await expect(page.getByText('No matching fields')).toBeVisible()
      await submit(page).click()
      await expect(input(page, 'overview.county')).toBeFocused()
      await input(page, 'overview.county').fill('San Joaquin')
      await page.getByLabel('Filter 99 fields').fill('no such field anywhere')
      await expect(page.getByText('No matching fields')).toBeVisible()
      await submit(page).click()
      await isReadOnly(page)
      expect((await affairOf(context, charter)).overview.county).toBe('San Joaquin')
    })

    await test.step('moves from a deleted row to the next one, and saves nothing while a question is open', async () => {
      const charter = await recorded(context)
      for (const board_member_name of ['Ana', 'Ben']) await sendCall(context, addMember, { id: charter._id }, { board_member_name })
      await open(page, charter)
      await input(page, 'overview.county').fill('San Joaquin')
      await page.getByRole('button', { name: 'Delete Ana' }).click()
      await expect(page.getByRole('dialog', { name: 'Delete Ana?' })).toBeVisible()
      await page.keyboard.press('Control+s')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('button', { name: 'Update Ben' })).toBeFocused()
      expect((await affairOf(context, charter)).overview.county).toBeNull()
    })
  })

  test('on a narrow screen Cancel Edit and Submit Changes are at the bottom', { tag: '@all' }, async ({ page, context }) => {
    const charter = await recorded(context)
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, charter)
    const box = await submit(page).boundingBox()
    expect(box && box.y + box.height).toBeGreaterThan(780)
    await page.getByLabel('Section', { exact: true }).selectOption('Center District')
    await expect(page.getByRole('heading', { name: 'Center District' })).toBeInViewport()
    await input(page, 'center_district.new.center_name').fill('Lodi')
    await page.getByRole('button', { name: 'Add district' }).click()
    await isReadOnly(page)
  })

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [820, 'dark'],
    [390, 'light'],
  ] as const)
    test.describe(`at ${width}, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme })
      // `npm run test:all` also checks the other sizes and colors.
      const tag = width === 1440 ? [] : '@all'
      test('axe finds nothing in the form with changes, hints, differences and rows', { tag }, async ({ page, context }) => {
        const charter = await recorded(context, { overview: { cds_code: '1' }, funding: { cds_code: '2' } })
        await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Joelle Tran' })
        await open(page, charter)
        await input(page, 'overview.county').fill('San Joaquin')
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Delete Joelle Tran' }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectAccessible(page)
      })
    })
})

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('reads the affair and cannot edit it, whatever the URL', { tag: '@all' }, async ({ page, context }) => {
    const charters = await sendCall(context, listCharters)
    const charter = findRecord(charters, 'charter with an affair', (one) => one.charter_affair_info.length > 0)
    for (const address of [`/charter_affair/${charter.slug}`, `/charter_affair/${charter.slug}?edit=1`]) {
      await visit(page, address)
      await expect(page.getByRole('heading', { name: 'Charter Terms' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Edit Charter Affair' })).toHaveCount(0)
      await expect(submit(page)).toHaveCount(0)
    }
  })
})
