import { archiveRecord, readArchiveState } from '../../../src/features/changing/archive/contract.ts'
import { createPerson, listRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

test('a site made by mistake is archived, found under Archived, and restored', async ({ page, context }) => {
  const site = await newSite(context)
  const name = site.displayName
  const dialog = page.getByRole('dialog', { name: `Archive ${name}?`, exact: true })
  const notice = page.getByText(/^This site was archived on/)
  const edit = page.getByRole('button', { name: 'Edit Site', exact: true })
  const archive = page.getByRole('button', { name: 'Archive…', exact: true })

  await visit(page, `/location/${site.slug}`)
  await archive.click()
  await expect(dialog).toContainText('It is then in no list')
  await dialog.getByRole('button', { name: 'Archive site', exact: true }).click()
  await expect(dialog.getByText('This field is required')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Added twice')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Archive site', exact: true }).click()

  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(`${name} was archived.`)).toBeVisible()
  await expect(notice).toBeVisible()
  await expect(page.getByText('Reason: Added twice')).toBeVisible()
  await expect(edit).toHaveCount(0)
  await expect(archive).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Request a Change', exact: true })).toHaveCount(0)
  await expectAccessible(page)

  await visit(page, '/locations')
  await page.getByLabel('Search by name').or(page.getByRole('textbox').first()).first().fill(name)
  await expect(page.getByText(`No sites match “${name}”.`)).toBeVisible()
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await expect(page).toHaveURL(/archived=1/)
  await expect(page.getByRole('button', { name: 'Archived', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  await page.getByRole('link', { name, exact: true }).click()

  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByText(`${name} was restored.`)).toBeVisible()
  await expect(notice).toHaveCount(0)
  await expect(edit).toBeVisible()
  await visit(page, `/locations?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
})

test('a site with staff is not archived: the window links to them; an archive that was a mistake is undone', async ({ page, context }) => {
  const site = await newSite(context)
  const person = await sendCall(context, createPerson, {}, { name: `Ruth ${letters()}`, email: `${letters()}@school.example` })
  const role = findRecord(await sendCall(context, listRoles), 'role', ({ name }) => name === 'Registrar')
  await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
  await visit(page, `/location/${site.slug}`)
  await page.getByRole('button', { name: 'Archive…', exact: true }).click()
  const refusal = page.getByRole('dialog', { name: 'This site is still needed', exact: true })
  await expect(refusal.getByText('1 person on its staff', { exact: true })).toBeVisible()
  await expect(refusal.getByRole('button', { name: 'Archive site', exact: true })).toBeDisabled()
  await expectAccessible(page)
  await refusal.getByRole('link', { name: person.name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: person.name, exact: true })).toBeVisible()

  const other = await newSite(context)
  await visit(page, `/location/${other.slug}`)
  await page.getByRole('button', { name: 'Archive…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Archive ${other.displayName}?`, exact: true })
  await dialog.getByLabel('Reason').fill('Added twice')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Edit Site', exact: true })).toBeVisible()
  expect((await sendCall(context, readArchiveState, { kind: 'site', id: other._id })).archived).toBeNull()
})

test('each list has the filter, and every page of an archived record says so', { tag: '@all' }, async ({ page, context }) => {
  const site = await newSite(context)
  await sendCall(context, archiveRecord, {}, { kind: 'site', _id: site._id, reason: 'Added twice' })
  for (const path of ['', 'fac/', 'enrollment/', 'staff/']) {
    await visit(page, `/location/${path}${site.slug}`)
    await expect(page.getByText(/^This site was archived on/)).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Edit|Add)/ })).toHaveCount(0)
  }
  for (const list of ['/locations', '/leadership', '/support', '/charters', '/brand', '/regions']) {
    await visit(page, list)
    await page.getByRole('button', { name: 'Archived', exact: true }).click()
    await expect(page).toHaveURL(/archived=1/)
    if (list === '/charters') await expect(page.getByText('There are no archived charters yet.')).toBeVisible()
  }
})
