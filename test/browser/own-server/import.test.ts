import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { hrExport, largeDirectory } from '../../support/import-files.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test as base } from '../fixtures.ts'

/** An empty program of its own. */
const test = base.extend<{ server: TestServer }>({
  server: async ({}, provide) => {
    const server = await startServer({ SAMPLE: 'none' })
    await provide(server)
    await server.stop()
  },
  baseURL: async ({ server }, provide) => provide(server.url),
})

const REAL_DIRECTORY = fileURLToPath(new URL('../../../../shared/data/public_charter_schools.csv', import.meta.url))

/** A directory of schools of which three phone numbers are wrong: the real one where it is, otherwise an invented one. */
const readDirectory = async (): Promise<Buffer> => {
  if (!existsSync(REAL_DIRECTORY)) process.stdout.write(`${REAL_DIRECTORY} is not here: the directory is invented\n`)
  const text = existsSync(REAL_DIRECTORY) ? readFileSync(REAL_DIRECTORY, 'utf8') : await largeDirectory(2378).text()
  let broken = 0
  return Buffer.from(text.replaceAll(/,(\d{3}-\d{3}-)\d{4},/g, (cell, start: string) => (broken < 3 ? `,${start}x${broken++},` : cell)))
}

test('an empty program gets its schools and staff from two files, with three wrong cells fixed, an import is undone, and an administrator added', async ({
  page,
  server,
}) => {
  test.setTimeout(300_000)
  let from = Date.now()
  const lap = (step: string): void => {
    process.stdout.write(`${step}: ${((Date.now() - from) / 1000).toFixed(1)} s\n`)
    from = Date.now()
  }
  const count = async (table: 'charter' | 'site' | 'person') =>
    Number(
      (
        await server.db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await signIn(page, 'super@sample.test')
  await expect(page).toHaveURL(/\/setup\?step=organization$/)
  await page.getByLabel('Name of the organization', { exact: true }).fill('Juniper Schools')
  await page.getByLabel('Home region', { exact: true }).selectOption('California')
  await press('Save and Continue')
  lap('Organization')
  await page.getByLabel('Files to import').setInputFiles([
    { name: 'staff.txt', mimeType: 'text/plain', buffer: Buffer.from(await hrExport(500).arrayBuffer()) },
    { name: 'directory.csv', mimeType: 'text/csv', buffer: await readDirectory() },
  ])
  await page.getByRole('link', { name: 'Continue with directory.csv', exact: true }).click({ timeout: 60_000 })
  await expect(page.getByRole('heading', { name: 'Import: directory.csv', exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('combobox', { name: 'SCHOOL_NAME becomes', exact: true })).toHaveValue('name')
  await expectAccessible(page)
  lap('Both files read, columns of the directory')
  await press('Look at the values')
  await expect(page.getByRole('combobox', { name: 'Open becomes', exact: true })).toHaveValue('ACTIVE')
  await expectAccessible(page)
  await press('Look at the changes')
  await expect(page.getByRole('heading', { name: /^\d errors?$/ })).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  lap('Changes of the directory')
  for (let fixed = 0; fixed < 3; fixed++) {
    await page.locator('[data-state=open] input').first().fill(`916-555-010${fixed}`)
    await expect(page.getByText('Fixed', { exact: true })).toHaveCount(fixed + 1)
  }
  await expect(page.getByRole('heading', { name: 'All errors are fixed', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: '0 errors', exact: true })).toBeVisible()
  lap('Three cells fixed')
  await page.getByRole('button', { name: /^Save [\d,]+ changes/ }).click()
  await expect(page.getByRole('heading', { name: /rows imported$/ })).toBeVisible({ timeout: 120_000 })
  await expectAccessible(page)
  lap('Directory saved')
  expect([await count('charter'), await count('site')]).toEqual([2378, 2378])
  expect(await server.db.selectFrom('site').select('phone').where('phone', 'like', '916-555-010_').execute()).toHaveLength(3)

  await page.getByRole('link', { name: 'Import another file', exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Continue with staff.txt', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Worker Name becomes', exact: true })).toHaveValue('full_name')
  await press('Look at the values')
  await press('Look at the changes')
  await page.getByRole('button', { name: /^Save [\d,]+ changes/ }).click()
  await expect(page.getByRole('heading', { name: /rows imported$/ })).toBeVisible({ timeout: 60_000 })
  lap('Staff saved')
  expect(await count('person')).toBe(500)

  await page.getByRole('link', { name: 'See what changed, or undo it', exact: true }).click()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => count('person'), { timeout: 60_000 }).toBe(0)
  await expect(page.getByText('Undone. 500 people that were added are removed.', { exact: false })).toBeVisible()
  lap('Import undone')

  await page.goto('/setup?step=people')
  await page.getByLabel('Or paste a list', { exact: true }).fill('Dana Whitlock <dana.whitlock@school.test>')
  await press('Make 1 Administrator')
  await expect(page.getByText('There is 1 other administrator.', { exact: false })).toBeVisible()
  lap('Administrator added')
})
