import { readSetup } from '../../../src/app/setup/contract.ts'
import { hrExport, largeDirectory } from '../../support/import-files.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test as base } from '../fixtures.ts'
import { sendCall } from '../records.ts'

/** A separate server with an empty database. */
const test = base.extend<{ mail: MailServer; server: TestServer }>({
  mail: async ({}, provide) => {
    const mail = await startMailServer()
    await provide(mail)
    await mail.stop()
  },
  server: async ({ mail }, provide) => {
    const server = await startServer({ SAMPLE: 'none', SMTP_URL: mail.url, MAIL_FROM: 'Homeroom <homeroom@network.test>' })
    await provide(server)
    await server.stop()
  },
  baseURL: async ({ server }, provide) => provide(server.url),
})

test('an empty program is set up in the browser: every step, in words and with what it answers', async ({
  page,
  context,
  mail,
  server,
  pageErrors,
}) => {
  test.setTimeout(240_000)
  await signIn(page, 'super@sample.test')
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await test.step('level 1 lands on the setup, at its first step', async () => {
    await expect(page).toHaveURL(/\/setup\?step=organization$/)
    await expect(page.getByText('1 of 5 steps done', { exact: false })).toBeVisible()
  })

  await test.step('the organization is saved, and the next step opens', async () => {
    await page.getByLabel('Name of the organization', { exact: true }).fill('Juniper Schools')
    await page.getByRole('checkbox', { name: 'TX', exact: true }).check()
    await page.getByLabel('Home region', { exact: true }).selectOption('Texas')
    await button('Save and Continue').click()
    await expect(heading('Your records')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('files of any kind are recognized and wait to be continued; a skipped step can be opened again', async () => {
    pageErrors.expect(/422/)
    pageErrors.expect(/POST \/api\/imports\/:kind failed/)
    const toFile = async (blob: Blob, name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(await blob.arrayBuffer()) })
    await page
      .getByLabel('Files to import')
      .setInputFiles([
        await toFile(hrExport(3), 'staff.csv'),
        await toFile(largeDirectory(3), 'schools.csv'),
        await toFile(new Blob(['one,two\r\nred,blue\r\n']), 'colors.csv'),
      ])
    await expect(page.getByRole('list', { name: 'Your files', exact: true }).getByRole('listitem')).toContainText([
      'schools.csvCharters, or a school directory, not saved yet',
      'staff.csvStaff, not saved yet',
    ])
    await expect(page.getByText('colors.csv: Homeroom does not recognize what is in this file.', { exact: false })).toBeVisible()
    await expectAccessible(page)
    await button('Skip for Now').click()
    await expect(heading('Sign-in')).toBeVisible()
    await page.getByRole('link', { name: '– 2 Your records', exact: true }).click()
    await expect(page.getByText('Skipped for now', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: '3 Sign-in', exact: true }).click()
  })

  await test.step('a test of the sign-in shows who reached us, and the session stays', async () => {
    await page.getByLabel('Directory (tenant) ID', { exact: true }).fill('11111111-2222-3333-4444-555555555555')
    await expect(page.getByText("OIDC_TENANT='11111111-2222-3333-4444-555555555555'", { exact: false })).toBeVisible()
    await button('Test a Sign-in').click()
    await page.locator('input[name=login]').fill('super@sample.test')
    await page.locator('input[name=login]').press('Enter')
    await expect(page.getByText('of the tenant local, with these claims', { exact: false })).toBeVisible()
    await expect(page.getByRole('main').getByText('super@sample.test', { exact: true }).first()).toBeVisible()
    await expect(page.getByText('Welcome, Super', { exact: false })).toBeVisible()
    await expectAccessible(page)
    await button('Skip for Now').click()
  })

  await test.step('a test mail says what the mail server answered', async () => {
    await page.getByLabel('Send a test mail to', { exact: true }).fill('dana.whitlock@school.test')
    await button('Send Test Mail').click()
    await expect(page.getByText('accepted one to dana.whitlock@school.test', { exact: false })).toBeVisible()
    await button('Continue to People').click()
  })

  await test.step('a pasted list becomes administrators with an invitation by email', async () => {
    await page.getByLabel('Or paste a list', { exact: true }).fill('Dana Whitlock <dana.whitlock@school.test>\nno address here')
    await expect(page.getByText('No email address in: no address here', { exact: true })).toBeVisible()
    await button('Make 1 Administrator').click()
    await expect(page.getByText('There is 1 other administrator.', { exact: false })).toBeVisible()
    await expect.poll(() => mail.received.filter(({ text }) => text.includes('invites you')).length).toBe(1)
    await expectAccessible(page)
    await button('Finish').click()
  })

  await test.step('the home page opens, and the server has kept the progress', async () => {
    await expect(page).toHaveURL(/\/$/)
    const { steps } = await sendCall(context, readSetup)
    expect(steps.map(({ state }) => state)).toEqual(['done', 'skipped', 'skipped', 'done', 'done'])
  })

  await test.step('after an upgrade the home page says what is new, until it is closed', async () => {
    await server.db.updateTable('account').set({ newsSeen: '0.0.1' }).execute()
    await page.reload()
    await expect(heading('What’s new')).toBeVisible()
    await button('Got it').click()
    await expect(heading('What’s new')).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('Welcome, ', { exact: false })).toBeVisible()
    await expect(heading('What’s new')).toHaveCount(0)
  })

  await test.step('an empty list says what belongs there, and leads to it', async () => {
    await page.goto('/charters')
    await expect(page.getByText('The schools of the network, each with its sites.', { exact: false })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Import a File', exact: true })).toHaveAttribute('href', '/import?kind=charters')
  })
})
