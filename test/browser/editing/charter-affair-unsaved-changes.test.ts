import type { Page } from '@playwright/test'

import { addDistrict, addMember, removeMember, saveCharterAffair, updateMember } from '../../../src/records/charter-affairs/contract.ts'
import { affairOf, input, isReadOnly, open, recorded, submit } from '../affair-form.ts'
import { expect, test } from '../fixtures.ts'
import { sendCall } from '../records.ts'

test.use({ level: 5 })

test.describe('saving that is interrupted', () => {
  const breakAt = async (page: Page, part: string) => {
    await page.route(`**/charter_affair/*/${part}`, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()))
    return () => page.unroute(`**/charter_affair/*/${part}`)
  }

  test(
    'does not send again what was saved, and keeps the rest as unsaved changes',
    { tag: '@all' },
    async ({ page, context, pageErrors }) => {
      const charter = await recorded(context, { overview: { county: 'Old' } })
      await open(page, charter)
      await input(page, 'overview.county').fill('Wrong')
      await input(page, 'authorizer_board_member.new.board_member_name').fill('Joelle Tran')
      await input(page, 'center_district.new.center_name').fill('Lodi')
      const repair = await breakAt(page, 'district')
      pageErrors.expect(/Failed to load|ERR_FAILED/)
      pageErrors.expect(/POST/)
      await submit(page).click()
      await expect(page.getByText('1 unsaved change')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Update Joelle Tran' })).toBeVisible()
      await expect(input(page, 'authorizer_board_member.new.board_member_name')).toHaveValue('')
      await repair()
      // A field that is reset to its old value is not part of the next save.
      await input(page, 'overview.county').fill('Old')
      await submit(page).click()
      await isReadOnly(page)
      await expect(page.getByText('was saved together')).toHaveCount(0)
      expect(await affairOf(context, charter)).toMatchObject({
        overview: { county: 'Old' },
        authorizer_board_member: [{ board_member_name: 'Joelle Tran' }],
        center_district: [{ center_name: 'Lodi' }],
      })
    },
  )

  test('continues after signing in again, and adds nothing twice', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    const charter = await recorded(context)
    await open(page, charter)
    await input(page, 'authorizer_board_member.new.board_member_name').fill('Joelle Tran')
    await input(page, 'center_district.new.center_name').fill('Lodi')
    let refused = 0
    await page.route('**/charter_affair/*/district', (route) =>
      refused++ === 0
        ? route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"title":"You are not signed in","status":401}' })
        : route.fallback(),
    )
    pageErrors.expect(/401/)
    await submit(page).click()
    const signIn = page.waitForEvent('popup')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Sign in/i })
      .click()
    await (await signIn).waitForEvent('close')
    await isReadOnly(page)
    expect(await affairOf(context, charter)).toMatchObject({
      authorizer_board_member: [{ board_member_name: 'Joelle Tran' }],
      center_district: [{ center_name: 'Lodi' }],
    })
  })
})

test.describe('with a second officer editing', () => {
  test('changes of another section and another member are both kept', async ({ page, context, pageErrors }) => {
    const charter = await recorded(context)
    await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Joelle Tran' })
    const [joelle] = (await affairOf(context, charter)).authorizer_board_member
    await open(page, charter)
    await input(page, 'overview.county').fill('San Joaquin')
    await input(page, `authorizer_board_member.${joelle?._id}.board_term`).fill('2026 to 2030')
    await sendCall(context, saveCharterAffair, { id: charter._id }, { mou: { legal: 'Signed' } })
    await sendCall(context, updateMember, { id: charter._id }, { _id: joelle?._id ?? '', board_position: 'Chair' })
    await sendCall(context, addDistrict, { id: charter._id }, { center_name: 'Lodi' })
    pageErrors.expect(/412/)
    pageErrors.expect(/PUT/)
    await submit(page).click()
    await isReadOnly(page)
    await expect(page.getByText('Saved. Changes that Level 5 made in the meantime were kept too')).toBeVisible()
    expect(await affairOf(context, charter)).toMatchObject({
      overview: { county: 'San Joaquin', corporation: 'Juniper Schools' },
      mou: { legal: 'Signed' },
      authorizer_board_member: [{ board_term: '2026 to 2030', board_position: 'Chair' }],
      center_district: [{ center_name: 'Lodi' }],
    })
  })

  test(
    'changes of the same field show both versions and the original, also for a single row',
    { tag: '@all' },
    async ({ page, context, pageErrors }) => {
      const charter = await recorded(context)
      await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Joelle Tran', board_position: 'Member' })
      const [joelle] = (await affairOf(context, charter)).authorizer_board_member
      const position = `authorizer_board_member.${joelle?._id}.board_position`
      await open(page, charter)
      await input(page, 'overview.county').fill('San Joaquin')
      await input(page, position).fill('Chair')
      await sendCall(context, updateMember, { id: charter._id }, { _id: joelle?._id ?? '', board_position: 'Vice chair' })
      pageErrors.expect(/412/)
      pageErrors.expect(/PUT/)
      await page.getByRole('button', { name: 'Update Joelle Tran' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Level 5 saved this while you were editing' })).toBeVisible()
      const both = page.getByRole('group', { name: /^Joelle Tran, Board position/ })
      await expect(both).toContainText('OriginalMember')
      await both.getByRole('radio', { name: /Your version/ }).check()
      await page.getByRole('button', { name: 'Save Combined Version' }).click()
      // The row is saved; changes elsewhere are still there, unsaved.
      await expect(input(page, 'overview.county')).toHaveValue('San Joaquin')
      await expect(page.getByText('1 unsaved change')).toBeVisible()
      expect(await affairOf(context, charter)).toMatchObject({
        overview: { county: null },
        authorizer_board_member: [{ board_position: 'Chair' }],
      })
    },
  )

  test(
    'a member that was deleted keeps the unsaved changes, and can be added again',
    { tag: '@all' },
    async ({ page, context, pageErrors }) => {
      const charter = await recorded(context)
      await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Joelle Tran', board_position: 'Member' })
      const [joelle] = (await affairOf(context, charter)).authorizer_board_member
      await open(page, charter)
      await input(page, `authorizer_board_member.${joelle?._id}.board_position`).fill('Chair')
      await sendCall(context, removeMember, { id: charter._id, memberId: joelle?._id ?? '' })
      pageErrors.expect(/404/)
      pageErrors.expect(/PUT/)
      await submit(page).click()
      await expect(page.getByText('A board member you changed was deleted by someone else')).toBeVisible()
      await input(page, 'authorizer_board_member.new.board_member_name').fill('Someone else')
      await page.getByRole('button', { name: 'Add Again', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Update Joelle Tran' })).toBeVisible()
      // Changes elsewhere are left alone.
      await expect(input(page, 'authorizer_board_member.new.board_member_name')).toHaveValue('Someone else')
      expect((await affairOf(context, charter)).authorizer_board_member).toMatchObject([
        { board_member_name: 'Joelle Tran', board_position: 'Chair' },
      ])
    },
  )
})
