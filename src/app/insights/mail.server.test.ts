import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'

import type { Insight } from './contract.ts'
import { buildMonthlyMail } from './mail.server.ts'

const vacancies: Insight = {
  name: 'vacancies',
  group: 'Staffing',
  label: 'Vacant positions',
  drawn: 'Vacant positions at the end of each day',
  chart: 'lines',
  choices: [],
  title: 'Principals: 46 of 266 positions vacant, 9 more than in August',
  link: '/coverage?role=Principal&empty=1',
  by: 'role',
  unit: 'positions',
  from: '2025-11-01',
  to: '2026-11-01',
  series: [
    {
      key: 'Principal',
      label: 'Principal & <Head>',
      points: [
        { on: '2025-11-01', value: 31 },
        { on: '2026-05-01', value: 36 },
        { on: '2026-11-01', value: 46 },
      ],
    },
  ],
  compared: {
    from: '2024-11-01',
    to: '2025-10-31',
    series: [{ key: 'Principal', label: 'Principal & <Head>', points: [{ on: '2025-10-31', value: 31 }] }],
  },
  records: 46,
  begins: '2023-11-01',
}
const leases: Insight = {
  ...vacancies,
  name: 'lease-map',
  chart: 'map',
  title: '14 leases end within 12 months',
  compared: null,
  records: null,
}

const build = () =>
  buildMonthlyMail(
    [
      { insight: vacancies, filter: { region: 'ohio', by: 'role' } },
      { insight: leases, filter: {} },
    ],
    { recipient: 'dana@example.org', publicUrl: 'https://homeroom.example', today: '2026-12-01' },
  )

test('the monthly email says each finding, shows its picture with its values in words, and links to page and list', async () => {
  const mail = await build()
  expect(mail.subject).toBe('Insights for November 2026: Principals: 46 of 266 positions vacant, 9 more than in August')
  expect(mail.html).toContain('href="https://homeroom.example/insights?region=ohio&amp;by.vacancies=role#vacancies"')
  expect(mail.html).toContain('href="https://homeroom.example/coverage?role=Principal&amp;empty=1"')
  expect(mail.html).toMatch(/alt="Vacant positions at the end of each day\. Principal &amp; &lt;Head&gt;: 46 positions \(\+15\)"/)
  // A map has no picture in a mail, but its values.
  expect(mail.html?.match(/<img /g)).toHaveLength(1)
  expect(mail.body).toContain('14 leases end within 12 months')
  expect(mail.body).toContain('- Principal & <Head>: 46 positions (+15)')
  expect(mail.body).toContain('Change or end this email (https://homeroom.example/insights?email=choose)')
})

test('its pictures are parts of the message, twice as wide as they are shown', async () => {
  const { html = '', body, subject } = await build()
  const png = Buffer.from(/base64,([^"]+)"/.exec(html)?.[1] ?? '', 'base64')
  expect([png.readUInt32BE(16), png.subarray(1, 4).toString()]).toEqual([2 * 536, 'PNG'])
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: 'a@example.org',
    to: 'b@example.org',
    subject,
    text: body,
    html,
    attachDataUrls: true,
  })
  const sent = (message as Buffer).toString()
  expect(sent).toContain('Content-Type: image/png')
  expect(sent).toContain('Content-ID: <')
  expect(sent).not.toContain('data:image')
})
