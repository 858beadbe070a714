import { readDeparture } from '../../../src/app/departures/contract.ts'
import { createDeadline, readDeadlineSettings, saveDeadlineSettings } from '../../../src/features/deadlines/deadlines/contract.ts'
import { listPeople } from '../../../src/records/people/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

test.use({ level: 5 })

test('lead times and responsible people of a kind are set, also per region', async ({ page, context }) => {
  const { kinds } = await sendCall(context, readDeadlineSettings)
  const before = findRecord(kinds, 'Board meeting', ({ kind }) => kind === 'board_meeting')
  const people = (await sendCall(context, listPeople)).filter(({ leftAt }) => leftAt === null)
  const isUnique = ({ name }: { name: string }) => people.filter((one) => one.name.includes(name)).length === 1
  const [first, second] = people.filter(isUnique)
  await visit(page, '/settings')
  const row = page.getByRole('list', { name: 'Kinds of deadlines', exact: true }).getByRole('listitem').filter({ hasText: 'Board meeting' })
  await row.getByRole('button', { name: 'Change the deadlines of Board meeting', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Deadlines: Board meeting', exact: true })
  const days = dialog.getByLabel('Lead times in days')
  await expect(days).toBeFocused()
  await days.fill('14, 800')
  await expect(dialog.getByText('Enter a number of days from 0 to 730')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save Changes', exact: true })).toBeDisabled()
  await days.fill('3, 14')
  if (before.responsible)
    await dialog
      .getByRole('button', { name: `Remove ${before.responsible.name}`, exact: true })
      .first()
      .click()
  await dialog.getByLabel('Responsible person', { exact: true }).fill(first?.name ?? '')
  await dialog.getByRole('button', { name: `Select ${first?.name}`, exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Someone else in a region', exact: true }).click()
  await page
    .getByRole('listbox', { name: 'Someone else in a region', exact: true })
    .getByRole('option', { name: 'Ohio', exact: true })
    .click()
  await dialog.getByLabel('Responsible person in Ohio', { exact: true }).fill(second?.name ?? '')
  await dialog.getByRole('button', { name: `Select ${second?.name}`, exact: true }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save Changes', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toContainText('Reminders 14 and 3 days before')
  await expect(row).toContainText(first?.name ?? '')
  await expect(row).toContainText(`Ohio: ${second?.name}`)
  await expectAccessible(page)
  await sendCall(
    context,
    saveDeadlineSettings,
    {},
    {
      kinds: [
        {
          kind: 'board_meeting',
          leadDays: before.leadDays,
          responsible: before.responsible?._id ?? null,
          regions: before.regions.map(({ region, responsible }) => ({ region: region._id, responsible: responsible._id })),
        },
      ],
    },
  )
})

test('the emails about deadlines are chosen on the account page', { tag: '@all' }, async ({ page }) => {
  await visit(page, '/account')
  const summary = page.getByRole('switch', { name: /^Weekly summary/ })
  await expect(summary).toBeChecked()
  await summary.click()
  await expect(summary).not.toBeChecked()
  await page.reload()
  await expect(summary).not.toBeChecked()
  await expect(page.getByRole('switch', { name: /^Reminders/ })).toBeChecked()
  await summary.click()
  await expect(summary).toBeChecked()
})

test('someone who leaves has their deadlines assigned to another person', { tag: '@all' }, async ({ page, context }) => {
  const site = await newSite(context)
  const people = (await sendCall(context, listPeople)).filter(({ leftAt, locations }) => leftAt === null && locations.length === 1)
  const [leaver, successor] = people.filter(({ name }) => people.filter((one) => one.name.includes(name)).length === 1).slice(-2)
  const body = { title: 'Renew', date: '2030-06-30', kind: 'lease', site: site._id, responsible: leaver?._id ?? '' } as const
  await sendCall(context, createDeadline, {}, body)
  const { deadlines } = await sendCall(context, readDeparture, { id: leaver?._id ?? '' })
  await visit(page, `/staff/${leaver?.slug}`)
  await page.getByRole('button', { name: 'Mark as No Longer Employed…', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(deadlines.deadlines === 1 ? '1 deadline' : `${deadlines.deadlines} deadlines`)).toBeVisible()
  await expect(dialog.getByText('No one will be responsible', { exact: true })).toBeVisible()
  await dialog.getByLabel('New responsible person', { exact: true }).fill(successor?.name ?? '')
  await dialog.getByRole('button', { name: `Select ${successor?.name}`, exact: true }).click()
  await expect(dialog.getByText('No one will be responsible', { exact: true })).toBeHidden()
  await dialog.getByRole('button', { name: 'Mark as No Longer Employed', exact: true }).click()
  await page.getByRole('button', { name: 'Undo…', exact: true }).click()
  await expect(page.getByText(`Deadlines that ${successor?.name} was given`)).toBeVisible()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Mark as No Longer Employed…', exact: true })).toBeVisible()
})
