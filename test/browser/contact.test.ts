import { readFile } from 'node:fs/promises'

import { formatPhone } from '../../src/contract/phones.ts'
import { listPeople } from '../../src/records/people/contract.ts'
import { getPersonUrl } from '../../src/records/people/rules.ts'
import { baseUrl, expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

test('a person is downloaded as a contact file that phones and Outlook accept', async ({ page, context }) => {
  const people = await sendCall(context, listPeople)
  const person = findRecord(people, 'person with a number and an address', ({ phone, email, sites }) => Boolean(phone && email && sites[0]))
  await visit(page, `/staff/${person.slug}`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save contact' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${person.slug}.vcf`)
  const card = await readFile(await download.path(), 'utf8')
  const lines = card.replaceAll('\r\n ', '').split('\r\n')
  expect(lines.slice(0, 3)).toEqual(['BEGIN:VCARD', 'VERSION:3.0', `FN:${person.name}`])
  expect(lines).toContain(`EMAIL;TYPE=INTERNET,WORK:${person.email}`)
  expect(lines.find((line) => line.startsWith('TEL;TYPE=WORK,VOICE:+1'))).toBeDefined()
  expect(lines).toContain(`URL:${getPersonUrl(baseUrl(), person)}`)
  // The page is still there.
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
})

test(
  'the QR code contains the person’s contact data, is printed alone, and the window returns the focus',
  { tag: '@all' },
  async ({ page, context }) => {
    const person = findRecord(await sendCall(context, listPeople), 'person with a number', ({ phone, email }) => Boolean(phone && email))
    for (const width of [1280, 390])
      await test.step(`${width} wide`, async () => {
        await page.setViewportSize({ width, height: 900 })
        await visit(page, `/staff/${person.slug}`)
        // On a phone it is one of the menu's entries, and focus goes back to the menu's button.
        const button = page.getByRole('button', { name: width === 390 ? 'More actions' : 'QR code' })
        await button.click()
        if (width === 390) await page.getByRole('menuitem', { name: 'QR code' }).click()
        const dialog = page.getByRole('dialog', { name: `QR code of ${person.name}` })
        const code = dialog.getByRole('img', { name: `QR code with the contact of ${person.name}` })
        await expect(code).toBeVisible()
        for (const words of [formatPhone(person.phone ?? ''), person.email ?? '', `/staff/${person.slug}`])
          await expect(dialog.getByRole('list', { name: 'What the code says' })).toContainText(words)

        // Printed, the code is on a separate sheet.
        await page.emulateMedia({ media: 'print' })
        await expect(code).toBeVisible()
        await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
        await page.emulateMedia({ media: 'screen' })
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
        await expect(button).toBeFocused()
      })
  },
)
