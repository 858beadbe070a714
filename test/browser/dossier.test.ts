import { readFile, writeFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { createDossier } from '../../src/app/dossier/contract.ts'
import { saveCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, test } from './fixtures.ts'
import { newCharter, sendCall } from './records.ts'

test.use({ level: 5 })

const rows = (page: Page) => page.getByRole('list', { name: 'Dossiers', exact: true }).getByRole('listitem')
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

const openDossier = async (page: Page, slug: string) => {
  await page.goto(`/charter_affair/${slug}`)
  await page.getByRole('link', { name: 'Dossier', exact: true }).click()
}

test('a dossier is made, downloaded and checked on /verify without an account', async ({ page, context, browser }, testInfo) => {
  const charter = await newCharter(context)
  await sendCall(context, saveCharterAffair, { id: charter._id }, { overview: { authorizer: 'Kern County' } })

  const path = testInfo.outputPath('dossier.pdf')
  await test.step('chooses parts, and sees what is missing before it is sent', async () => {
    await openDossier(page, charter.slug)
    await expect(page.getByRole('heading', { level: 1, name: `Dossier of ${charter.name}`, exact: true })).toBeVisible()
    await expect(page.getByText('No dossiers yet.', { exact: true })).toBeVisible()
    await expectAccessible(page)
    const parts = page.getByRole('checkbox')
    for (const part of await parts.all()) await part.uncheck()
    await press(page, 'Make Dossier')
    await expect(page.getByText('Choose at least one part', { exact: true })).toBeVisible()
    await page.getByLabel('Changes from *', { exact: true }).fill('2999-01-01')
    await expect(page.getByText('Choose a day that is not after the last one', { exact: true })).toBeVisible()
    await page.getByLabel('Changes from *', { exact: true }).fill('2026-01-01')
    await page.getByRole('checkbox', { name: 'Charter affair', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Changes', exact: true }).check()
    await press(page, 'Make Dossier')
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('Charter affair, Changes')
  })

  await test.step('downloads the PDF and the ZIP', async () => {
    const [pdf] = await Promise.all([page.waitForEvent('download'), press(page, /^Download PDF /)])
    expect(pdf.suggestedFilename()).toMatch(/ dossier \d{4}-\d{2}-\d{2}\.pdf$/)
    await pdf.saveAs(path)
    const [zip] = await Promise.all([page.waitForEvent('download'), press(page, /^Download ZIP /)])
    expect(zip.suggestedFilename()).toMatch(/\.zip$/)
    await expectAccessible(page)
  })

  await test.step('is checked by someone without a session', async () => {
    const other = await browser.newContext({ baseURL: baseUrl() })
    const verify = await other.newPage()
    await verify.goto('/verify')
    await expect(verify.getByRole('heading', { level: 1, name: 'Verify a Dossier', exact: true })).toBeVisible()
    await expectAccessible(verify)
    const file = verify.getByLabel('File to verify', { exact: true })
    await file.setInputFiles(path)
    await expect(verify.getByRole('heading', { name: 'This file was made here and is unchanged', exact: true })).toBeVisible()
    await expect(verify.getByRole('definition').filter({ hasText: charter.name })).toBeVisible()
    await expectAccessible(verify)
    const bytes = await readFile(path)
    bytes[1000] = (bytes[1000] ?? 0) ^ 1
    await writeFile(path, bytes)
    await file.setInputFiles(path)
    await expect(verify.getByRole('heading', { name: 'This file was changed since it was made here', exact: true })).toBeVisible()
    await writeFile(path, 'Something else')
    await file.setInputFiles(path)
    await expect(verify.getByRole('heading', { name: 'This server did not make this file', exact: true })).toBeVisible()
    await expectAccessible(verify)
    await other.close()
  })
})

test('why a dossier is refused is said, and nothing that was chosen is lost', async ({ page, context, pageErrors }) => {
  pageErrors.expect(/status of 422/)
  pageErrors.expect(/The history begins on/)
  const charter = await newCharter(context)
  await sendCall(context, saveCharterAffair, { id: charter._id }, { overview: { authorizer: 'Kern County' } })
  await openDossier(page, charter.slug)
  await page.getByRole('checkbox', { name: 'Sites', exact: true }).uncheck()
  await page.getByLabel('State at the end of *', { exact: true }).fill('1999-01-01')
  await page.getByLabel('Changes from *', { exact: true }).fill('1998-01-01')
  await page.getByLabel('Changes to *', { exact: true }).fill('1999-01-01')
  const [response] = await Promise.all([page.waitForResponse((one) => one.url().endsWith(createDossier.path)), press(page, 'Make Dossier')])
  expect(response.status()).toBe(422)
  await expect(page.getByText(/^The history begins on /)).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Sites', exact: true })).not.toBeChecked()
  await expect(page.getByLabel('State at the end of *', { exact: true })).toHaveValue('1999-01-01')
})
