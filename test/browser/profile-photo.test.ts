import sharp from 'sharp'

import { listPeople } from '../../src/records/people/contract.ts'
import { expect, test } from './fixtures.ts'
import { sendCall } from './records.ts'

test.use({ level: 10 })

test('a photo is shown in the top bar and on a person’s page; lists request none', async ({ page, context }) => {
  const photo = await sharp({ create: { width: 208, height: 208, channels: 3, background: '#884422' } })
    .webp()
    .toBuffer()
  const requests: string[] = []
  await page.route('**/api/profile-photo/*', (route) => {
    requests.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '')
    return route.fulfill({ contentType: 'image/webp', body: photo })
  })
  await page.goto('/leadership')
  await expect(page.getByRole('list', { name: 'Leadership', exact: true }).getByRole('link').first()).toBeVisible()
  await expect.poll(() => requests).toEqual(['me'])
  const [person] = await sendCall(context, listPeople)
  await page.goto(`/staff/${person?.slug ?? ''}`)
  const image = page.locator('main img[src*="profile-photo"]')
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(208)
  expect(requests).toEqual(['me', 'me', person?._id])
})

test('the initials are shown until a photo is loaded, and if it fails', { tag: '@all' }, async ({ page, context, pageErrors }) => {
  pageErrors.expect(/profile-photo/)
  let isAnswered = false
  await page.route('**/api/profile-photo/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    isAnswered = true
    await route.abort('connectionreset')
  })
  const [person] = await sendCall(context, listPeople)
  await page.goto(`/staff/${person?.slug ?? ''}`)
  await expect(page.getByRole('heading', { level: 1, name: person?.name ?? '' })).toBeVisible()
  const image = page.locator('main img[src*="profile-photo"]')
  expect(isAnswered).toBe(false)
  // An image that is loading or broken shows nothing: it has no alternative text.
  await expect(image).toHaveAttribute('alt', '')
  await expect(image).toHaveCount(0)
})
