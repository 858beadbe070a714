import { readUser } from '../../../src/features/access/session/contract.ts'
import { createComment } from '../../../src/features/changing/comments/contract.ts'
import { createProposal } from '../../../src/features/changing/requests/contract.ts'
import { listPeople } from '../../../src/records/people/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

test('a comment mentions someone by @, survives a reload, is sent by Ctrl Enter, and can be deleted', async ({ page, context }) => {
  const site = await newSite(context)
  const people = await sendCall(context, listPeople)
  const person = findRecord(people, 'with an email address', ({ email, leftAt }) => email !== null && leftAt === null)
  const { name } = await sendCall(context, readUser)
  await visit(page, `/location/${site.slug}`)
  const field = page.getByLabel('New comment', { exact: true })
  const picker = page.getByRole('dialog', { name: 'Mention', exact: true })
  const search = picker.getByLabel('Mention someone', { exact: true })
  // Typed without a pause: the picker gets the focus somewhere within the name.
  await field.focus()
  await page.keyboard.type('Is this right, @zqx')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('zqx')
  await page.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  await page.keyboard.type('y')
  await expect(field).toHaveValue('Is this right, @zqxy')
  await field.fill('')
  await page.keyboard.type(`Is this right, @${person.name}`)
  await picker
    .getByRole('button', { name: /^Select / })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(`Is this right, @${person.name} `)
  await page.keyboard.type('<b>today</b>?')
  await expectAccessible(page)
  await page.reload()
  await expect(field).toHaveValue(`Is this right, @${person.name} <b>today</b>?`)
  await field.press('Control+Enter')
  const list = page.getByRole('list', { name: 'Comments', exact: true })
  await expect(list).toContainText(`Is this right, @${person.name} <b>today</b>?`)
  await expect(list.getByRole('link', { name: `@${person.name}`, exact: true })).toHaveAttribute('href', `/staff/${person.slug}`)
  await expect(field).toHaveValue('')
  await expect(page.getByRole('link', { name: '1 comment', exact: true })).toBeVisible()
  await expectAccessible(page)
  await list.getByRole('button', { name: `Delete the comment of ${name}`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('The comment was deleted.', { exact: true })).toBeVisible()
  await expect(list).toHaveCount(0)
})

test('a question about a suggestion is on the home page of its sender until they open it', async ({
  page,
  context,
  browser,
  stateOf,
  baseURL,
}) => {
  const site = await newSite(context)
  const body = { record: { kind: 'site' as const, _id: site._id }, changes: { 'address.phone': '661-555-0187' } }
  const { _id } = await sendCall(context, createProposal, {}, body)
  const other = await browser.newContext({ baseURL, storageState: await stateOf(5) })
  await sendCall(other, createComment, { kind: 'proposal', id: _id }, { text: 'Since when?' })
  await other.close()
  await visit(page, '/')
  const mine = page.getByRole('region', { name: /^Comments for me/ })
  const row = mine.getByRole('listitem').filter({ hasText: site.displayName })
  await expect(row).toContainText('Since when?')
  await expectAccessible(page)
  await row.getByRole('link').click()
  const comments = page.getByRole('list', { name: 'Comments', exact: true })
  await expect(comments).toContainText('Since when?')
  await expect(comments).toBeInViewport()
  // Seen, so that the mark ends.
  await expect(comments.getByText('New', { exact: true })).toHaveCount(0)
  await visit(page, '/')
  await expect(page.getByRole('heading', { level: 2, name: 'Browse', exact: true })).toBeVisible()
  await expect(row).toHaveCount(0)
})
