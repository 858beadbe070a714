import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { createCookieClient } from '../support/cookie-client.ts'
import { getFreePort } from '../support/free-port.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { getAuthHeaders, type ProviderSession, exchangeTicket } from '../support/provider-sign-in.ts'
import { type RunningProgram, startProgram } from '../support/server-process.ts'

// The server as a program with its private database and a real mail server: acknowledged mails are sent, whichever process is killed.

const REQUESTS = 50
let folder: string
let environment: Record<string, string>
const started: RunningProgram[] = []
let mails: MailServer | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-mail-'))
  await chmod(folder, 0o711)
  environment = {
    PORT: String(await getFreePort()),
    DATA_DIR: join(folder, 'data'),
    SAMPLE: 'none',
    SERVE: 'app,locations',
    SMTP_URL: `smtp://127.0.0.1:${await getFreePort()}`,
    CHANGE_REQUESTS_TO: 'changes@network.test',
  }
})
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
  await mails?.stop()
  await rm(folder, { recursive: true, force: true })
})

const start = async (): Promise<RunningProgram> => {
  const program = startProgram(process.execPath, ['src/main.server.ts'], environment)
  started.push(program)
  await program.waitForLine(/^Ready: /m)
  return program
}

const signIn = async (publicUrl: string): Promise<ProviderSession> => {
  const browser = createCookieClient(publicUrl)
  const { url } = await browser.follow('/auth/azure')
  const form = new URLSearchParams({ login: 'staff@sample.test' })
  const landing = await browser.follow(url, { method: 'POST', body: form, headers: { origin: publicUrl } })
  return exchangeTicket(browser, landing.url.searchParams.get('auth') ?? '')
}

test('50 requests sent while the mail server is down and the program is killed with -9 become 50 mails, each with one Message-ID', async () => {
  const publicUrl = `http://127.0.0.1:${environment['PORT']}`
  const first = await start()
  const me = await signIn(publicUrl)
  const answers: { mail: string }[] = []
  for (let at = 0; at < REQUESTS; at++) {
    const response = await fetch(`${publicUrl}/locations-api/site_send_change`, {
      method: 'POST',
      headers: { ...getAuthHeaders(me), 'content-type': 'application/json' },
      body: JSON.stringify({ location: `Site ${at}`, correctText: `Change number ${at}.` }),
    })
    expect(response.status).toBe(200)
    answers.push((await response.json()) as { mail: string })
  }
  expect(new Set(answers.map(({ mail }) => mail))).toEqual(new Set(['waiting']))
  first.child.kill('SIGKILL')
  await first.ended

  const server = await startMailServer({}, Number(new URL(environment['SMTP_URL'] ?? '').port))
  mails = server
  // The server is killed again halfway: a mail that was delivered but not yet marked as sent is sent again, as the same mail.
  const second = await start()
  await server.waitForMails(REQUESTS / 2)
  second.child.kill('SIGKILL')
  await second.ended
  await start()
  const isWhole = () => new Set(server.received.map(({ messageId }) => messageId)).size === REQUESTS
  for (const until = Date.now() + 60_000; !isWhole() && Date.now() < until;) await new Promise((resolve) => setTimeout(resolve, 100))

  const byId = Map.groupBy(server.received, ({ messageId }) => messageId)
  expect(byId.size).toBe(REQUESTS)
  const numberOf = (text: string) => /Change number (\d+)\./.exec(text)?.[1]
  for (const repeats of byId.values()) expect(new Set(repeats.map(({ text }) => numberOf(text))).size).toBe(1)
  expect(new Set(server.received.map(({ text }) => numberOf(text))).size).toBe(REQUESTS)
})
