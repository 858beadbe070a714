import { previewSheet } from '../../../src/features/changing/sheets/contract.ts'
import { createPerson, listRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, getToken, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const ROLE = 'Principal'

test('the search for people is the input of a role in a bulk change and in the preview of a sheet', async ({ page, context }) => {
  const word = letters()
  const people = []
  for (const name of ['Ada', 'Bea', 'Cleo', 'Dora'])
    people.push(await sendCall(context, createPerson, {}, { name: `${name} ${word}`, email: `${letters()}@school.example` }))
  const [ada, bea] = people
  const [site, other] = [await newSite(context, { displayName: `A ${word}` }), await newSite(context, { displayName: `B ${word}` })]
  const role = findRecord(await sendCall(context, listRoles), ROLE, ({ name }) => name === ROLE)
  await sendCall(context, addSiteStaff, { id: other._id }, { person: bea!._id, role_match: role._id })
  const readPrincipals = async () => (await sendCall(context, readSite, { slug: site._id })).people.map(({ person }) => person.name)

  await visit(page, `/locations?show=table&q=${word}`)
  await page.getByRole('checkbox', { name: `Select ${site.displayName}`, exact: true }).click()
  await page.getByRole('button', { name: 'Change…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 1 site', exact: true })
  await dialog.getByRole('combobox', { name: /^Field/ }).fill(ROLE)
  await page.keyboard.press('Enter')
  const input = dialog.getByLabel('New value')
  await input.fill(word)
  await expect(dialog.getByText('1 more: type more of the name. Enter selects the first.')).toBeVisible()
  await expect(dialog.getByText(`${ROLE}, ${other.displayName}`)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('button', { name: `Select ${ada!.name}`, exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const changes = dialog.getByRole('table', { name: 'What will change', exact: true })
  await expect(changes).toContainText(ada!.name)
  // Removing the person leaves nothing to change, instead of a vacant position.
  await dialog.getByRole('button', { name: `Remove ${ada!.name}`, exact: true }).click()
  await expect(changes).toHaveCount(0)
  await input.fill(ada!.name)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('1 change, 0 unchanged, 0 left out')).toBeAttached()
  await dialog.getByRole('button', { name: 'Change 1 site', exact: true }).click()
  await expect(page.getByText('1 site changed.')).toBeVisible()
  expect(await readPrincipals()).toEqual([ada!.name])

  // In a sheet, the name that is no one's is searched for.
  const file = { name: 'Staff.csv', mimeType: 'text/csv', buffer: Buffer.from(`_id,${ROLE}\r\n${site._id},Bea\r\n`) }
  const headers = { authorization: `Bearer ${await getToken(context)}` }
  const response = await context.request.fetch(previewSheet.path.replace(':kind', 'staff'), {
    method: 'POST',
    headers,
    multipart: { file },
  })
  await visit(page, `/sheets/${((await response.json()) as { _id: string })._id}`)
  const fix = page.getByLabel(`${ROLE} of ${site.displayName}`)
  await expect(fix).toHaveValue('Bea')
  await fix.fill(`Bea ${word}`)
  await expect(page.getByRole('button', { name: `Select ${bea!.name}`, exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Fixed', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Save 1 change/ }).click()
  await expect.poll(readPrincipals).toEqual([bea!.name])
})
