import {
  createProposal,
  listRequests,
  readProposal,
  sendChangeRequest,
  sendSupportRequest,
} from '../../../src/features/changing/requests/contract.ts'
import { addMember, readCharterAffair } from '../../../src/records/charter-affairs/contract.ts'
import { createPerson } from '../../../src/records/people/contract.ts'
import { saveSettings } from '../../../src/records/settings/contract.ts'
import { listSiteSummaries, readSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newCharter, newSite, sendCall } from '../records.ts'

const SIGNED_OUT = { cookies: [], origins: [] }
const requestText = () => `The phone is 661-555-0177 now (${letters()}).`

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('answers a change that level 10 requested, and the sender sees the answer', async ({ page, context, browser, baseURL }) => {
    const site = await newSite(context)
    const text = requestText()
    const staff = await browser.newContext({ baseURL, storageState: SIGNED_OUT, viewport: { width: 390, height: 844 } })
    const sender = await staff.newPage()
    await signIn(sender, 'level10@sample.test')

    await sender.goto(`/location/${site.slug}`)
    await sender.getByRole('button', { name: 'More actions' }).click()
    await sender.getByRole('menuitem', { name: 'Request a Change' }).click()
    await sender.getByRole('button', { name: 'Just describe it', exact: true }).click()
    const window = sender.getByRole('dialog', { name: 'Request a Change' })
    await expect(window.getByText(`About ${site.displayName}`)).toBeVisible()
    const now = window.getByRole('region', { name: 'Current information' })
    for (const value of ['661-555-0140', '12 Avenue L', 'No number on file']) await expect(now).toContainText(value)
    await window.getByRole('button', { name: 'Send Request' }).click()
    await expect(window.getByText('Please describe what should change')).toBeVisible()
    await window.getByLabel('What should change?').fill(text)
    await window.getByRole('button', { name: 'Send Request' }).click()
    await expect(window.getByRole('status')).toHaveText(/^Your request was saved/)
    await window.getByRole('link', { name: 'My Requests' }).click()
    await expect(sender.getByRole('heading', { name: 'My Requests' })).toBeVisible()
    const seen = sender.getByRole('dialog', { name: site.displayName })
    await expect(seen).toContainText(text)
    await expect(seen).toContainText('You will get an email when it is answered.')

    await visit(page, '/requests')
    await page.getByLabel('Search by text, site or sender').fill(text)
    const rows = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
    const row = rows.filter({ hasText: text })
    // Waits until the others are hidden, so that the row does not move while it is clicked.
    await expect(rows).toHaveCount(1)
    await expect(row).toContainText('Open')
    await row.getByRole('link', { name: site.displayName }).click()
    const drawer = page.getByRole('dialog', { name: site.displayName })
    await expect(drawer).toContainText('661-555-0140')
    await expect(page).toHaveURL(/request=/)
    await drawer.getByRole('button', { name: 'Decline' }).click()
    await expect(drawer.getByText('Please give a reason')).toBeVisible()
    await drawer.getByLabel(/^Message to/).fill('It is on the sign as well now.')
    await drawer.getByRole('button', { name: 'Mark as Done' }).click()
    await expect(page.getByText('The request was marked as done.')).toBeVisible()
    await expect(drawer.getByRole('button', { name: 'Reopen' })).toBeVisible()
    await expect(drawer.getByRole('region', { name: 'Answers' })).toContainText('It is on the sign as well now.')
    await drawer.getByRole('button', { name: 'Close' }).click()
    await expect(drawer).toBeHidden()
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect(row).toContainText('Done')

    await sender.reload()
    await expect(seen).toContainText('It is on the sign as well now.')
    await staff.close()
  })

  test('has an accessible list, drawer and windows', { tag: '@all' }, async ({ page, context }) => {
    test.slow()
    const site = await newSite(context)
    const { _id } = await sendCall(context, sendChangeRequest, {}, { site: site._id, correctText: requestText() })
    await visit(page, `/requests?request=${_id}`)
    const drawer = page.getByRole('dialog', { name: site.displayName })
    await drawer.getByRole('button', { name: 'Decline' }).click()
    await expect(drawer.getByRole('region', { name: 'Current information' })).toContainText('661-555-0140')
    await expectAccessible(page)
    await visit(page, '/requests?state=all')
    await expect(page.getByRole('list', { name: 'Requests' })).toContainText(site.displayName)
    await expectAccessible(page)
    await visit(page, `/location/${site.slug}`)
    await page.getByRole('button', { name: 'Request a Change' }).click()
    await page.getByRole('button', { name: 'Just describe it', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Current information' })).toContainText('661-555-0140')
    await expectAccessible(page)
  })

  test('sees who has answered first, and keeps the text that was typed', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/412/)
    pageErrors.expect(/PATCH \/api\/requests\/:id failed/)
    const text = requestText()
    const { _id } = await sendCall(context, sendSupportRequest, {}, { request: text })
    await visit(page, `/requests?request=${_id}`)
    const drawer = page.getByRole('dialog', { name: 'IS support' })
    await drawer.getByLabel(/^Message to/).fill('A long word')
    const { origins } = await context.storageState()
    const token = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'token')?.value
    const other = await context.request.patch(`/api/requests/${_id}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { state: 'declined', word: 'No' },
    })
    expect(other.ok()).toBe(true)
    await drawer.getByRole('button', { name: 'Mark as Done' }).click()
    await expect(drawer.getByRole('alert').filter({ hasText: 'Someone else changed this' })).toBeVisible()
    await expect(drawer.getByRole('region', { name: 'Answers' })).toContainText('Declined')
    await drawer.getByRole('button', { name: 'Reopen' }).click()
    await expect(drawer.getByLabel(/^Message to/)).toHaveValue('A long word')
  })

  test('sees an empty message if no request matches, and shows all again', { tag: '@all' }, async ({ page, context }) => {
    await sendCall(context, sendSupportRequest, {}, { request: requestText() })
    await visit(page, `/requests?q=${letters()}`)
    await expect(page.getByText('No requests to display')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search and filter' }).click()
    await expect(page.getByRole('list', { name: 'Requests' })).toBeVisible()
  })
})

test.describe('level 5', () => {
  test.use({ level: 5 })

  test('sets the recipient of a request that had none, and it is sent', { tag: '@all' }, async ({ page, context }) => {
    await sendCall(context, saveSettings, {}, { supportRequestsTo: [] })
    const { _id } = await sendCall(context, sendSupportRequest, {}, { request: requestText() })
    await visit(page, `/requests?request=${_id}`)
    const drawer = page.getByRole('dialog', { name: 'IS support' })
    await expect(drawer).toContainText('Not emailed: no one is set up to receive it')
    await drawer.getByRole('link', { name: 'Choose who receives requests' }).click()
    await expect(page).toHaveURL(/\/settings$/)
    await sendCall(context, saveSettings, {}, { supportRequestsTo: ['help@sample.test'] })
    await expect
      .poll(async () => (await sendCall(context, listRequests)).requests.find((one) => one._id === _id)?.mail?.state)
      .toBe('written')
    await visit(page, `/requests?request=${_id}`)
    await expect(drawer).toContainText('Written to a file')
    await sendCall(context, saveSettings, {}, { supportRequestsTo: [] })
  })
})

test.describe('level 10', () => {
  test.use({ level: 10 })

  test('loses nothing that was typed if sending fails', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/503/)
    pageErrors.expect(/POST \/locations-api\/site_send_change failed/)
    const site = findRecord(await sendCall(context, listSiteSummaries), 'any', () => true)
    const text = requestText()
    await context.route('**/site_send_change', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'The database is not available right now', status: 503 }),
      }),
    )
    await visit(page, `/location/${site.slug}`)
    await page.getByRole('button', { name: 'Request a Change', exact: true }).click()
    await page.getByRole('button', { name: 'Just describe it', exact: true }).click()
    const window = page.getByRole('dialog', { name: 'Request a Change' })
    const field = window.getByLabel('What should change?')
    await field.fill(text)
    await window.getByRole('button', { name: 'Send Request' }).click()
    await expect(window.getByText('Error: The database is not available right now')).toBeVisible()
    await expect(field).toHaveValue(text)
    await page.keyboard.press('Escape')
    await expect(window).toBeHidden()
    await page.getByRole('button', { name: 'Just describe it', exact: true }).click()
    await expect(field).toHaveValue(text)
    await context.unroute('**/site_send_change')
    await window.getByRole('button', { name: 'Send Request' }).click()
    await expect(window.getByRole('status')).toHaveText(/^Your request was saved/)
  })
})

test.describe('the staff of a site', () => {
  test.use({ level: 6 })

  test('is suggested in a form that asks before Escape closes it, and accepting adds the role', async ({ page, context }) => {
    const site = await newSite(context)
    const person = await sendCall(context, createPerson, {}, { name: `Miriam ${letters()}`, email: `${letters()}@sample.test` })
    await visit(page, `/location/staff/${site.slug}`)
    await page.getByRole('button', { name: 'Request a Change', exact: true }).click()
    await page.getByLabel('Who should be added?').fill(person.name)
    await page.getByRole('button', { name: `Select ${person.name}`, exact: true }).click()
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Principal' })
    await page.getByRole('button', { name: 'Add to the suggestion', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Staff', exact: true })).toContainText(`${person.name}, Principal (new)`)
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog', { name: 'Leave without sending?', exact: true })
      .getByRole('button', { name: 'Cancel', exact: true })
      .click()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Send Suggestion/ }).click()
    await page.getByRole('link', { name: 'See it', exact: true }).click()
    await expect(page.getByRole('heading', { level: 3, name: `Principal: ${person.name}`, exact: true })).toBeVisible()
    // Its sender can change it until it is decided.
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Staff', exact: true })).toContainText(`${person.name}, Principal (new)`)
    await page.getByLabel('Why should this change?').fill('She starts on Monday.')
    await page.getByRole('button', { name: /^Send Suggestion/ }).click()
    await expect(page.getByText('Your suggestion was changed.')).toBeVisible()
    await expect(page.getByText('She starts on Monday.')).toBeVisible()
    // The first undecided field is the current one.
    await page.keyboard.press('a')
    await expect(page.getByRole('button', { name: 'Accepted', exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^Save and Answer/ }).click()
    await expect(page.getByText(/^1 accepted\./)).toBeVisible()
    expect((await sendCall(context, readSite, { slug: site.slug })).people.map((one) => one.person.name)).toEqual([person.name])
  })
})

test.describe('two suggestions for one field', () => {
  test.use({ level: 6 })

  test('are shown in the form before typing, and each is declined with its own reason', async ({
    page,
    context,
    browser,
    stateOf,
    baseURL,
  }) => {
    // Three people open five pages.
    test.slow()
    const site = await newSite(context)
    const record = { kind: 'site' as const, _id: site._id }
    const staff = await browser.newContext({ baseURL, storageState: await stateOf(10) })
    const first = await sendCall(staff, createProposal, {}, { record, changes: { 'address.phone': '661-555-0187' } })
    const sender = await staff.newPage()
    await sender.goto(`/location/${site.slug}?edit=suggest`)
    // People are not asked to wait for their own suggestion.
    await expect(sender.getByLabel('Phone *')).toBeVisible()
    await expect(sender.getByText('Another change of this field is already waiting.')).toHaveCount(0)
    await staff.close()

    const other = await browser.newContext({ baseURL, storageState: await stateOf(9) })
    const rival = await other.newPage()
    await rival.goto(`/location/${site.slug}?edit=suggest`)
    const field = rival.locator('[data-field="address.phone"]')
    await expect(field).toContainText('Another change of this field is already waiting. Both are decided together.')
    await expect(rival.getByText('661-555-0187')).toHaveCount(0)
    await expectAccessible(rival)
    await field.getByRole('textbox').fill('661-555-0199')
    await rival.getByRole('button', { name: /^Send Suggestion/ }).click()
    await expect(rival.getByText('Your suggestion is sent.')).toBeVisible()
    await other.close()

    await visit(page, `/location/${site.slug}?edit=suggest`)
    await expect(page.locator('[data-field="address.phone"]')).toContainText(/ suggested 661-555-0187 on .* suggested 661-555-0199 on /s)
    const rivalId = (await sendCall(context, readProposal, { id: first._id })).fields[0]?.rivals[0]?._id ?? ''
    await visit(page, `/requests/${first._id}`)
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Phone', exact: true }) })
    await row
      .getByRole('group', { name: /^Decision: Phone, suggested by / })
      .getByRole('button', { name: 'Decline', exact: true })
      .click()
    await expect(page.getByLabel(/^Reason, sent to/)).toBeFocused()
    await page.keyboard.type('That is the fax.')
    await row.getByRole('group', { name: 'Decision: Phone', exact: true }).getByRole('button', { name: 'Accept', exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Save and Answer/ }).click()
    await expect(page.getByText(/^1 accepted, 1 declined\./)).toBeVisible()
    const read = async (id: string) => (await sendCall(context, readProposal, { id })).fields.map(({ state, word }) => [state, word])
    expect(await read(first._id)).toEqual([['accepted', null]])
    expect(await read(rivalId)).toEqual([['declined', 'That is the fax.']])
  })
})

test.describe('lists of a charter affair', () => {
  test.use({ level: 6 })

  test(
    'an existing and a new member are suggested in the form, and accepted',
    { tag: '@all' },
    async ({ page, browser, stateOf, baseURL }) => {
      const officer = await browser.newContext({ baseURL, storageState: await stateOf(5) })
      const charter = await newCharter(officer)
      await sendCall(officer, addMember, { id: charter._id }, { board_member_name: 'Wendell Obi' })
      await visit(page, `/charter_affair/${charter.slug}?edit=suggest`)
      const row = page.getByRole('listitem', { name: 'Wendell Obi', exact: true })
      await row.getByLabel('Board position').fill('Chairperson')
      // A suggestion is sent as a whole: rows have no separate buttons.
      await expect(row.getByRole('button', { name: /^(Update|Delete)/ })).toHaveCount(0)
      await page.getByRole('group', { name: 'Add New Member', exact: true }).getByLabel('Board member name').fill('Ann Lee')
      await page.getByRole('button', { name: /^Send Suggestion/ }).click()
      await page.getByRole('link', { name: 'See it', exact: true }).click()
      await expect(page.getByRole('heading', { level: 3, name: 'Wendell Obi: Board position', exact: true })).toBeVisible()
      // Its sender finds both in the form again.
      await page.getByRole('link', { name: 'Change', exact: true }).click()
      await expect(row.getByLabel('Board position')).toHaveValue('Chairperson')
      await expect(page.getByRole('group', { name: 'Add New Member', exact: true }).getByLabel('Board member name')).toHaveValue('Ann Lee')
      await page.getByRole('button', { name: /^Send Suggestion/ }).click()
      await expect(page.getByText('Your suggestion was changed.')).toBeVisible()

      const decider = await officer.newPage()
      await decider.goto(page.url())
      await expect(decider.getByText('Board member name: Ann Lee')).toBeVisible()
      await decider.getByRole('button', { name: 'Accept All', exact: true }).click()
      await decider.getByRole('button', { name: /^Save and Answer/ }).click()
      await expect(decider.getByText(/^2 accepted\./)).toBeVisible()
      const [affair] = (await sendCall(officer, readCharterAffair, { id: charter._id })).charter_affair_info
      const members = affair?.authorizer_board_member.map(({ board_member_name: name, board_position: position }) => [name, position])
      expect(members?.toSorted()).toEqual([
        ['Ann Lee', null],
        ['Wendell Obi', 'Chairperson'],
      ])
      await officer.close()
    },
  )
})
