import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { listRegions } from '../../records/regions/contract.ts'

const TOKEN = 'k3Vt-operators-own-token-91'
let net: TestApp
beforeAll(async () => {
  net = await startApp({ METRICS_TOKEN: TOKEN })
})

const metrics = async (): Promise<string> => {
  const { statusCode, body } = await net.anonymous.request('GET', '/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(statusCode).toBe(200)
  return body
}
const figure = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

test('metrics are accessible only with the metrics token, not with a session', async () => {
  expect((await net.anonymous.request('GET', '/metrics')).statusCode).toBe(401)
  expect((await net.anonymous.request('GET', '/metrics', { headers: { authorization: 'Bearer something-else' } })).statusCode).toBe(404)
  expect((await net.as(1).request('GET', '/metrics')).statusCode).toBe(404)
})

test('metrics count requests by call and status, under a limited number of names', async () => {
  await net.as(10).send(listRegions)
  for (const path of ['/nowhere/7', '/nowhere/8', '/locations-api/charterview/abc', '/assets/x.js'])
    await net.anonymous.request('GET', path)
  const text = await metrics()
  const counted = 'http_request_duration_seconds_count'
  expect(figure(text, `${counted}{method="GET",call="${listRegions.path}",status="200"}`)).toBe(1)
  expect(figure(text, `${counted}{method="GET",call="/locations-api/charterview/:id",status="401"}`)).toBe(1)
  expect(text).not.toMatch(/nowhere|abc|x\.js/)
})

test('metrics include database, mails, sessions, lists, backups, disk and version', async () => {
  const { db } = net.context
  const text = await metrics()
  expect(figure(text, 'homeroom_database_up')).toBe(1)
  expect(figure(text, 'homeroom_database_connections{state="most"}')).toBe(6)
  expect(figure(text, 'homeroom_database_waiting')).toBe(0)
  expect(figure(text, 'homeroom_database_errors_total{kind="request"}')).toBe(0)
  expect(figure(text, 'homeroom_mails{state="waiting"}')).toBe(0)
  expect(figure(text, 'homeroom_sessions_active')).toBeGreaterThan(0)
  expect(figure(text, 'homeroom_list_builds_total')).toBeGreaterThan(0)
  expect(figure(text, 'homeroom_backup_age_seconds')).toBeUndefined()
  expect(text).toMatch(/^homeroom_disk_free_bytes\{folder="DATA_DIR\+BACKUP_DIR"\} \d{6,}/m)
  expect(text).toMatch(/^homeroom_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)

  await sql`insert into mail (recipients, subject, body, "createdAt", "messageId", kind)
    values ('{a@b.test}', 'Hello', '.', now() - interval '1 hour', '<1@b.test>', 'request')`.execute(db)
  const later = await metrics()
  expect(figure(later, 'homeroom_mails{state="waiting"}')).toBe(1)
  expect(figure(later, 'homeroom_mail_oldest_waiting_seconds')).toBeGreaterThanOrEqual(3600)
})

test('docs/operators/operating.md describes every metric of Homeroom', async () => {
  const page = await readFile('docs/operators/operating.md', 'utf8')
  const named = [...page.matchAll(/^\| `((?:homeroom|http)_\w+)/gm)].map(([, name]) => name).toSorted()
  const there = [...(await metrics()).matchAll(/^# HELP ((?:homeroom|http)_\w+)/gm)].map(([, name]) => name).toSorted()
  expect(named).toEqual(there)
})
