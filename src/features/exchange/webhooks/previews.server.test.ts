import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { createWebhookTools } from '../../../../test/support/webhooks.ts'
import type { BodyOf } from '../../../contract/call.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { createDeadline } from '../../deadlines/deadlines/contract.ts'
import { previewMessages } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ WEBHOOK_PRIVATE_TARGETS: 'allow' })
})
const { setUp, startSender, stop } = createWebhookTools(() => app)
afterEach(stop)

const preview = (body: BodyOf<typeof previewMessages>, level = 1) => app.as(level).trySend(previewMessages, { body })
const changePhone = (site: string, phone: string) => app.as(6).send(updateSite, { params: { id: site }, body: { address: { phone } } })

test.each(['teams', 'slack'] as const)('a preview has the texts that the channel then gets in %s', async (format) => {
  const channel = await setUp(['site.changed'], { format })
  const site = await app.make.site({ displayName: `Lodi ${format}`, phone: '209-555-0100' })
  startSender()
  await changePhone(site._id, '209-555-0199')
  await channel.waitFor(1)
  const response = await preview({ format, events: ['site.changed'] })
  const [{ about, message }] = response.json<[{ about: string; message: object }]>()
  expect(about).toBe('site.changed')
  expect(message).toMatchObject({
    title: `Lodi ${format}`,
    facts: [{ label: 'Phone', from: '209-555-0100', to: '209-555-0199' }],
    button: { text: 'Open in Homeroom' },
  })
  const received = channel.endpoint.received.at(-1)?.text ?? ''
  const listTexts = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [value].filter((one) => typeof one === 'string')
  for (const text of listTexts(message)) expect(received).toContain(JSON.stringify(text).slice(1, -1))
})

test('the last event of each type is shown, in one message if the channel is quiet, and none where there was none', async () => {
  const sites = [await app.make.site({ displayName: 'Older' }), await app.make.site({ displayName: 'Newer' })]
  for (const { _id } of sites) await changePhone(_id, '209-555-0101')
  const events = ['site.created', 'site.changed', 'region.archived'] as const
  const each = (await preview({ format: 'teams', events: [...events] })).json<{ about: string; message: { title: string } | null }[]>()
  expect(each.map(({ about, message }) => [about, message?.title])).toEqual([
    ['region.archived', undefined],
    ['site.created', 'Newer'],
    ['site.changed', 'Newer'],
  ])
  const quiet = (await preview({ format: 'teams', events: [...events], quiet: true })).json()
  expect(quiet).toMatchObject([
    { about: 'quiet', message: { title: '2 changes', groups: [{ rows: [{ title: 'Newer' }, { title: 'Newer' }] }] } },
  ])
})

test('values and deadlines of charter affairs are in a preview only if the channel may have them', async () => {
  const charter = await app.make.charter({ name: 'Granite' })
  await app.as(5).send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { authorizer: 'Secret authorizer' } } })
  await app.as(5).send(createDeadline, { body: { title: 'Secret date', date: '2020-01-01', kind: 'petition', charter: charter._id } })
  const body: BodyOf<typeof previewMessages> = { format: 'slack', events: ['charter_affair.changed'], summary: true, overdue: true }
  const shown = await Promise.all([false, true].map(async (affairs) => (await preview({ ...body, affairs })).body))
  expect(shown.map((text) => [text.includes('Secret authorizer'), text.includes('Secret date')])).toEqual([
    [false, false],
    [true, true],
  ])
  const about = (await preview({ ...body, affairs: true })).json<{ about: string; message: { title: string } | null }[]>()
  expect(about.map((one) => one.about)).toEqual(['charter_affair.changed', 'summary', 'overdue'])
})

test('a preview needs the level of webhooks, and leaves nothing behind', async () => {
  const count = async () => (await sql`select _id from webhook_delivery`.execute(app.context.db)).rows.length
  const before = await count()
  expect((await preview({ format: 'teams', events: ['site.changed'] }, 2)).statusCode).toBe(403)
  expect((await preview({ format: 'teams', events: ['site.changed'] })).statusCode).toBe(200)
  expect(await count()).toBe(before)
})
