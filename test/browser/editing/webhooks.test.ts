import type { Page } from '@playwright/test'

import { updateSite } from '../../../src/records/sites/contract.ts'
import { startWebhookEndpoint, type WebhookEndpoint } from '../../support/webhook-endpoint.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { newSite, sendCall } from '../records.ts'

test.use({ level: 1 })

let endpoint: WebhookEndpoint
test.beforeEach(async () => {
  endpoint = await startWebhookEndpoint()
})
test.afterEach(() => endpoint.stop())

const webhooks = (page: Page) => page.getByRole('list', { name: 'Webhooks', exact: true })
/** The delivery of an event; other tests change sites as well. */
const delivery = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Deliveries', exact: true }).getByRole('listitem').filter({ hasText: text })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a webhook is added, tested, notified of a change, paused and removed', async ({ page, context }) => {
  const site = await newSite(context)
  await page.goto('/')
  await page.locator('#menu').getByRole('button', { name: 'Management', exact: true }).click()
  await page.locator('#menu').getByRole('link', { name: 'Webhooks', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks', exact: true })).toBeVisible()

  await press(page, 'Add Webhook')
  const window = page.getByRole('dialog', { name: 'Add a Webhook', exact: true })
  await window.getByRole('button', { name: 'Add Webhook', exact: true }).click()
  await expect(window.getByText('Choose at least one event', { exact: true })).toBeVisible()
  await expect(window.getByLabel('Web address')).toBeFocused()
  await expectAccessible(page)
  await window.getByLabel('Web address').fill(endpoint.url)
  await window.getByLabel('Sites: changed', { exact: true }).check()
  await window.getByRole('button', { name: 'Add Webhook', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'The Secret of Your Webhook', exact: true })
  await expect(shown.getByLabel('Secret', { exact: true })).toHaveValue(/^whsec_/)
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Add Webhook', exact: true })).toBeFocused()
  await expect(webhooks(page).getByRole('listitem').filter({ hasText: endpoint.url })).toContainText(
    'Sites (changed)Nothing delivered yetActive',
  )
  await expectAccessible(page)

  await webhooks(page).getByRole('link', { name: endpoint.url, exact: true }).click()
  await press(page, 'Send Test Event')
  await expect(delivery(page, 'webhook.test')).toContainText('Delivered')

  endpoint.answer = () => 500
  await sendCall(context, updateSite, { id: site._id }, { finance_id: '4711' })
  const ourDelivery = delivery(page, `${site.displayName}: finance_id`)
  await expect(ourDelivery).toContainText('Answered 500')
  await ourDelivery.getByRole('button', { name: 'site.changed', exact: true }).click()
  await expect(ourDelivery.locator('pre')).toContainText(`"_id": "${site._id}"`)
  await expectAccessible(page)
  endpoint.answer = () => 200
  await ourDelivery.getByRole('button', { name: 'Try Now', exact: true }).click()
  await expect(ourDelivery).toContainText('Delivered')

  await press(page, 'Pause')
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send Test Event', exact: true })).toBeDisabled()
  await press(page, 'Remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Webhook', exact: true }).click()
  await expect(page).toHaveURL(/\/webhooks$/)
  await expect(page.getByText(endpoint.url, { exact: true })).toHaveCount(0)
})

test('a channel of Slack is added with its warning about charter affairs, and gets a test message and a change', async ({
  page,
  context,
}) => {
  const site = await newSite(context)
  await sendCall(context, updateSite, { id: site._id }, { finance_id: '4710' })
  await page.goto('/webhooks')
  await press(page, 'Add Webhook')
  const window = page.getByRole('dialog', { name: 'Add a Webhook', exact: true })
  await window.getByLabel('Send to', { exact: true }).selectOption('Slack')
  await window.getByLabel('Name', { exact: true }).fill('#front-office')
  await window.getByLabel('Web address').fill(endpoint.url)
  await window.getByLabel('Sites: changed', { exact: true }).check()
  const affairs = window.getByLabel('Show charter affairs in this channel', { exact: true })
  await expect(affairs).toHaveAccessibleDescription(/^Everyone in the channel can read/)
  await affairs.check()
  const preview = window.getByRole('list', { name: 'Messages in Slack', exact: true })
  // The last change of a site may be another test's.
  await expect(preview.getByRole('listitem')).toHaveText([/^Sites \(changed\).+Open in Homeroom$/])
  await expectAccessible(page)
  // Another address is another channel.
  await window.getByLabel('Web address').fill(`${endpoint.url}/other`)
  await expect(affairs).not.toBeChecked()
  await window.getByRole('button', { name: 'Add Webhook', exact: true }).click()

  await expect(page.getByRole('heading', { level: 1, name: '#front-office', exact: true })).toBeVisible()
  await expect(page.getByText(endpoint.url)).toHaveCount(0)
  await press(page, 'Send a Test Message')
  await expect(delivery(page, 'webhook.test')).toContainText('Delivered')
  await sendCall(context, updateSite, { id: site._id }, { finance_id: '4712' })
  await expect(delivery(page, site.displayName)).toContainText('Delivered')
  // Other tests change sites meanwhile, so that ours need not be the last message.
  const messages = endpoint.received.map((request) => request.text)
  expect(messages).toContainEqual(expect.stringContaining('"text":"4712"'))
  await expectAccessible(page)
})
