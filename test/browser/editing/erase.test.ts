import type { BrowserContext } from '@playwright/test'

import { addMember } from '../../../src/records/charter-affairs/contract.ts'
import { createPerson } from '../../../src/records/people/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { letters, newCharter, sendCall } from '../records.ts'

test.use({ level: 1 })

const newPerson = (context: BrowserContext) =>
  sendCall(context, createPerson, {}, { name: `Orla ${letters()}`, email: `${letters()}@school.example`, phone: '209-341-7788' })

test('the personal data of someone is erased, after the reason and the name were typed', async ({ page, context }) => {
  const person = await newPerson(context)
  await page.goto(`/staff/${person.slug}`)
  await page.getByRole('button', { name: 'Erase Personal Data…', exact: true }).click()
  const window = page.getByRole('dialog', { name: `Erase the personal data of ${person.name}?`, exact: true })
  await expect(window.getByRole('list', { name: 'What will be removed', exact: true })).toContainText('1 history entry')
  await expect(window).toContainText('Backups')
  const confirm = window.getByRole('button', { name: 'Erase for Good', exact: true })
  await expect(confirm).toBeDisabled()
  await expectAccessible(page)
  await window.getByLabel('Reason *').fill(`Asked by ${person.name}`)
  await window.getByLabel(`Type ${person.name} to confirm *`).fill(person.name.slice(0, -1))
  await expect(confirm).toBeDisabled()
  await window.getByLabel(`Type ${person.name} to confirm *`).fill(person.name)
  await confirm.click()

  const name = /^Erased person \d+$/
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('The personal data was erased. The record is called', { exact: false })).toBeVisible()
  await expect(page.getByText(/Erased on .* by .*: Asked by Erased person \d+\./)).toBeVisible()
  await expect(page.getByText(person.name, { exact: false })).toHaveCount(0)
  await expect(page.getByText('209-341-7788', { exact: false })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit Info', exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Erase Personal Data…', exact: true })).toHaveCount(0)
  await expectAccessible(page)
})

test('a board member is erased in the editor of the charter affair, which has the new name right away', async ({ page, context }) => {
  const charter = await newCharter(context)
  const name = `Orla ${letters()}`
  await sendCall(context, addMember, { id: charter._id }, { board_member_name: name })
  await page.goto(`/charter_affair/${charter.slug}?edit=1`)
  const members = page.getByRole('list', { name: 'Authorizer Board Members', exact: true })
  await members.getByRole('listitem', { name, exact: true }).getByRole('button', { name: 'Erase Personal Data…', exact: true }).click()
  const window = page.getByRole('dialog', { name: `Erase the personal data of ${name}?`, exact: true })
  await window.getByLabel('Reason *').fill('Asked by letter')
  await window.getByLabel(`Type ${name} to confirm *`).fill(name)
  await window.getByRole('button', { name: 'Erase for Good', exact: true }).click()

  const erased = members.getByRole('listitem', { name: /^Erased board member \d+$/ })
  await expect(erased.getByLabel('Board member name')).toHaveValue(/^Erased board member \d+$/)
  await expect(erased.getByRole('button', { name: 'Erase Personal Data…', exact: true })).toHaveCount(0)
  await expect(members.getByText(name)).toHaveCount(0)
})

test.describe('at level 6', () => {
  test.use({ level: 6 })
  test('no one is offered to erase anyone', async ({ page, context }) => {
    const person = await newPerson(context)
    await page.goto(`/staff/${person.slug}`)
    await expect(page.getByRole('button', { name: 'Mark as No Longer Employed…', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Erase Personal Data…', exact: true })).toHaveCount(0)
  })
})
