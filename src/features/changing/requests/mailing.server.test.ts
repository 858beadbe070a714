import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { startApp as startAnyApp, type TestApp } from '../../../../test/support/app.ts'
import { getFreePort } from '../../../../test/support/free-port.ts'
import { type MailServer, type MailServerBehavior, startMailServer } from '../../../../test/support/mail-server.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { startMail } from '../../../app/app.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { MailQueue } from '../../../platform/server/mail/queue.ts'
import type { RetryPolicy } from '../../../platform/server/mail/store.ts'
import { saveSettings } from '../../../records/settings/contract.ts'
import { answerRequest, retryRequestMail, readRequest, sendChangeRequest, sendSupportRequest } from './contract.ts'

const QUICK: RetryPolicy = { firstWaitMs: 100, maxWaitMs: 400, giveUpAfterMs: 60_000, maxRefusals: 3 }
const TO = {
  CHANGE_REQUESTS_TO: 'changes@network.test',
  SUPPORT_REQUESTS_TO: 'help@network.test',
  MAIL_FROM: 'Homeroom <homeroom@network.test>',
}

const apps: TestApp[] = []
const startApp = async (...options: Parameters<typeof startAnyApp>): Promise<TestApp> => {
  const app = await startAnyApp(...options)
  apps.push(app)
  return app
}
const servers: MailServer[] = []
afterEach(async () => {
  // Each holds connections to the one database server while it runs.
  for (const app of apps.splice(0)) await app.stop()
  for (const server of servers.splice(0)) await server.stop()
})
const mailServer = async (behavior: MailServerBehavior = {}, port?: number): Promise<MailServer> => {
  const server = await startMailServer(behavior, port)
  servers.push(server)
  return server
}

const help = { body: { request: 'The printer is on fire' } }
const mailsOf = (context: AppContext) => context.db.selectFrom('mail').selectAll().orderBy('createdAt').execute()
const until = (condition: () => Promise<boolean>): Promise<void> => waitUntil('the condition is met', condition)
const isSent = (context: AppContext) => async () => (await mailsOf(context)).every(({ sentAt }) => sentAt !== null)

const startSendingApp = async (smtp: string, more: Record<string, string> = {}, retryPolicy = QUICK): Promise<TestApp> => {
  const app = await startApp({ SMTP_URL: smtp, ...TO, ...more }, retryPolicy)
  startMail(app.context)
  return app
}

/** Responses of this app wait for a mail to be sent for longer than usual: a busy machine may stall for seconds. */
const waitLongerForMails = ({ context: { mail } }: TestApp): void => {
  const waitForState = mail.waitForState.bind(mail)
  vi.spyOn(mail, 'waitForState').mockImplementation((id) => waitForState(id, 30_000))
}

describe('the mail of a request', () => {
  test('goes to the recipients with the sender and the reply address', async () => {
    const smtp = await mailServer()
    const app = await startSendingApp(smtp.url)
    waitLongerForMails(app)
    const site = await app.make.site({ displayName: 'Lodi Resource Center' })
    const me = app.as(10)
    const { name, azureID } = await me.who()
    const { _id, mail } = await me.send(sendChangeRequest, {
      body: { location: 'x', site: site.slug, correctText: 'The phone is\n(209) 555-0100 now.' },
    })
    expect(mail).toBe('mailed')
    expect(smtp.received).toHaveLength(1)
    const [arrived] = smtp.received
    expect(arrived).toMatchObject({ from: 'homeroom@network.test', to: ['changes@network.test'] })
    expect(arrived?.text).toContain('Subject: Change request: Lodi Resource Center')
    expect(arrived?.text.replaceAll('\r\n ', ' ')).toMatch(new RegExp(`^Reply-To: .*${azureID}`, 'm'))
    expect(arrived?.text).toMatch(/^Content-Type: text\/plain/m)
    const read = arrived?.text.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? ''
    for (const part of [
      `${name} <${azureID}> requested a change.`,
      `/location/${site.slug}`,
      'The phone is\r\n(209) 555-0100 now.',
      `/requests?request=${_id}`,
    ])
      expect(read).toContain(part)
    const [row] = await mailsOf(app.context)
    expect(arrived?.messageId).toBe(`<${row?._id}@127.0.0.1>`)
    expect(row).toMatchObject({ sentAs: 'mail', tries: 1, accepted: ['changes@network.test'], problem: null })
  })

  test('contains no injected headers, recipients or control characters', async () => {
    const smtp = await mailServer()
    const app = await startSendingApp(smtp.url)
    const name = 'Eve Bcc: victim@elsewhere.test Body, "x" <y@z.test>, victim@elsewhere.test'
    const request = 'Hello\r\n.\r\nMAIL FROM:<a@b>\r\nBcc: victim@elsewhere.test'
    const broken = { request, name: 'Eve\r\nBcc: victim@elsewhere.test', email: 'eve@x.test\r\nCc: victim@elsewhere.test' }
    expect((await app.anonymous.trySend(sendSupportRequest, { body: broken })).statusCode).toBe(422)
    for (const body of [
      { request, name, email: 'eve@x.test' },
      { request: 'Hello', name, email: 'eve@x.test' },
    ])
      await app.anonymous.send(sendSupportRequest, { body })
    expect(smtp.received.map(({ to }) => to)).toEqual([['help@network.test'], ['help@network.test']])
    for (const { text } of smtp.received) {
      const [head = ''] = text.split('\r\n\r\n')
      expect(head).not.toMatch(/^(bcc|cc):/im)
      expect(head.match(/^To: /gim)).toHaveLength(1)
      expect(text.replaceAll('=\r\n', '')).toContain('not signed in')
    }
    expect(smtp.received[1]?.text).toMatch(/^Reply-To: [\s\S]*<eve@x\.test>\r\n/m)
  })

  test('with the answer goes to the sender, and to no one if there is no address', async () => {
    const smtp = await mailServer()
    const app = await startSendingApp(smtp.url)
    const me = app.as(10)
    const { azureID } = await me.who()
    const sent = await me.send(sendSupportRequest, help)
    await app.as(6).send(answerRequest, { params: { id: sent._id }, body: { state: 'declined', word: 'Please call the fire brigade' } })
    await smtp.waitForMails(2)
    expect(smtp.received[1]?.to).toEqual([azureID])
    expect(smtp.received[1]?.text).toMatch(/Subject: Declined: IS support request[\s\S]*Please call the fire brigade/)
    // An imported request, or one sent before an address was required.
    const { _id } = await app.context.db
      .insertInto('request')
      .values({ kind: 'support', text: 'Hello', email: 'not an address' })
      .returning('_id')
      .executeTakeFirstOrThrow()
    const answered = await app.as(6).send(answerRequest, { params: { id: _id }, body: { state: 'done' } })
    expect([answered.state, answered.answerMail]).toEqual(['done', null])
  })

  test('contains no text of a sender without a session', async () => {
    const smtp = await mailServer()
    const app = await startSendingApp(smtp.url)
    const body = { request: 'Claim your prize at prize.example', name: 'Prize Office prize.example', email: 'victim@elsewhere.test' }
    const { _id } = await app.anonymous.send(sendSupportRequest, { body })
    for (const [at, answer] of ([{ state: 'done' }, { state: 'declined', word: 'Please ask at the office' }] as const).entries()) {
      await app.as(6).send(answerRequest, { params: { id: _id }, body: answer })
      await smtp.waitForMails(2 + at)
      const mail = smtp.received.at(-1)
      expect(mail?.to).toEqual(['victim@elsewhere.test'])
      const plain = (mail?.text ?? '').replaceAll('=\r\n', '')
      expect(plain).not.toMatch(/prize/i)
      expect(plain).toContain('sent without signing in')
    }
    expect(smtp.received.at(-1)?.text).toContain('Please ask at the office')
  })

  test('goes to an unverified address only a few times per day', async () => {
    const app = await startSendingApp((await mailServer()).url)
    const six = app.as(6)
    const answersTo = async (email: string, account: string | null = null): Promise<boolean> => {
      const { _id } = await app.context.db
        .insertInto('request')
        .values({ kind: 'support', text: 'Hello', name: 'Eve', email, account })
        .returning('_id')
        .executeTakeFirstOrThrow()
      const { answerMail } = await six.send(answerRequest, { params: { id: _id }, body: { state: 'done' } })
      return answerMail !== null
    }
    const toSavedRequest: boolean[] = []
    for (const email of ['victim@x.test', 'Victim@X.test', 'victim+a@x.test', 'victim@x.test', 'VICTIM+b@x.test'])
      toSavedRequest.push(await answersTo(email))
    expect(toSavedRequest).toEqual([true, true, true, false, false])
    expect(await answersTo('victim2@x.test')).toBe(true)
    // A signed-in sender has a verified address.
    const { account } = await six.who()
    for (let at = 0; at < 4; at++) expect(await answersTo('victim@x.test', account)).toBe(true)
  })
})

describe('of two answers only the last one is sent', () => {
  test.each([
    ['if the first could not be sent', false],
    ['if the second replaced the first while it was being sent', true],
  ])('%s', async (_how, isLocked) => {
    const port = await getFreePort()
    const app = await startSendingApp(`smtp://127.0.0.1:${port}`)
    const { _id } = await app.as(10).send(sendChangeRequest, { body: { location: 'Lodi', correctText: 'Other hours' } })
    const six = app.as(6)
    await six.send(answerRequest, { params: { id: _id }, body: { state: 'declined', word: 'By mistake' } })
    await app.context.db.transaction().execute(async (tx) => {
      if (isLocked) await tx.selectFrom('mail').select('_id').where('kind', '=', 'answer').forUpdate().execute()
      await six.send(answerRequest, { params: { id: _id }, body: { state: 'done' } })
    })
    const smtp = await mailServer({}, port)
    await smtp.waitForMails(2)
    await six.send(retryRequestMail, { params: { id: _id } })
    await until(async () => (await mailsOf(app.context)).every(({ sentAt, failedAt }) => sentAt !== null || failedAt !== null))
    expect(smtp.received.map(({ text }) => /^Subject: (\w+)/m.exec(text)?.[1]).toSorted()).toEqual(['Change', 'Done'])
  })
})

describe('if the mail server', () => {
  test('responds 451, the mail is sent again with the same Message-ID', async () => {
    let refusalsLeft = 2
    const smtp = await mailServer({ rejectRecipient: () => (refusalsLeft-- > 0 ? { code: 451, text: 'Try again later' } : undefined) })
    const app = await startSendingApp(smtp.url)
    const { _id, mail } = await app.as(10).send(sendSupportRequest, help)
    expect(mail).toBe('waiting')
    const record = await app.as(6).send(readRequest, { params: { id: _id } })
    expect(record.mail).toMatchObject({ state: 'waiting', problem: expect.stringContaining('451') })
    await smtp.waitForMails(1)
    await until(isSent(app.context))
    const [row] = await mailsOf(app.context)
    expect([smtp.received.length, smtp.received[0]?.messageId, row?.tries]).toEqual([1, row?.messageId, 3])
  })

  test('responds 550 three times, the mail is marked as failed; an administrator sees the problem and can retry', async () => {
    const smtp = await mailServer({ rejectRecipient: () => ({ code: 550, text: 'No such user here' }) })
    const app = await startSendingApp(smtp.url)
    const me = app.as(10)
    const { _id } = await me.send(sendSupportRequest, help)
    await until(async () => (await mailsOf(app.context))[0]?.failedAt !== null)
    const params = { id: _id }
    const seen = await app.as(6).send(readRequest, { params })
    expect(seen.mail).toMatchObject({
      state: 'failed',
      recipients: ['help@network.test'],
      problem: expect.stringContaining('No such user here'),
    })
    expect((await mailsOf(app.context))[0]?.tries).toBe(3)
    expect((await me.send(readRequest, { params })).mail).toEqual({ state: 'failed', sentAt: null, recipients: [], problem: null })
    smtp.behavior.rejectRecipient = undefined
    waitLongerForMails(app)
    const again = await app.as(6).send(retryRequestMail, { params })
    expect(again.mail).toMatchObject({ state: 'mailed', problem: null })
    expect(smtp.received).toHaveLength(1)
  })

  test('accepts one recipient of two, the mail is sent again only to the other', async () => {
    let isRefused = true
    const smtp = await mailServer({
      rejectRecipient: (address) => (address === 'b@network.test' && isRefused ? { code: 450, text: 'Busy' } : undefined),
    })
    const app = await startSendingApp(smtp.url, { SUPPORT_REQUESTS_TO: 'a@network.test b@network.test' })
    await app.as(10).send(sendSupportRequest, help)
    expect((await mailsOf(app.context))[0]).toMatchObject({
      accepted: ['a@network.test'],
      problem: expect.stringContaining('b@network.test: 450'),
    })
    isRefused = false
    await smtp.waitForMails(2)
    await until(isSent(app.context))
    expect(smtp.received.map(({ to }) => to)).toEqual([['a@network.test'], ['b@network.test']])
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1)
  })

  test('closes the connection after DATA, the mail is sent again with the same Message-ID', async () => {
    const smtp = await mailServer({ disconnectsAfterData: 1 })
    const app = await startSendingApp(smtp.url)
    await app.as(10).send(sendSupportRequest, help)
    await smtp.waitForMails(2)
    await until(isSent(app.context))
    expect(smtp.received).toHaveLength(2)
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1)
  })

  test('does not respond, no response and no other mail is delayed', async () => {
    const smtp = await mailServer({ hangs: true })
    const app = await startSendingApp(`${smtp.url}?greetingTimeout=300`)
    // The mail server answers only after all three requests have their response.
    const answers = await Promise.all([1, 2, 3].map(() => app.as(10).send(sendSupportRequest, help)))
    expect(answers.map(({ mail }) => mail)).toEqual(['waiting', 'waiting', 'waiting'])
    smtp.behavior.hangs = false
    await smtp.waitForMails(3)
    await until(isSent(app.context))
  })

  test('is unreachable, the mail is retried until the limit', async () => {
    const port = await getFreePort()
    const app = await startSendingApp(`smtp://127.0.0.1:${port}`, {}, { ...QUICK, giveUpAfterMs: 1500 })
    const { _id, mail } = await app.as(10).send(sendSupportRequest, help)
    expect(mail).toBe('waiting')
    await until(async () => (await mailsOf(app.context))[0]?.failedAt !== null)
    const record = await app.as(6).send(readRequest, { params: { id: _id } })
    expect(record.mail).toMatchObject({ state: 'failed', problem: 'The mail server cannot be used: nothing is listening there' })
    await mailServer({}, port)
    waitLongerForMails(app)
    expect((await app.as(6).send(retryRequestMail, { params: { id: _id } })).mail?.state).toBe('mailed')
  })
})

describe('two servers on one database', () => {
  test('send each of 30 mails once', async () => {
    const smtp = await mailServer()
    const app = await startApp({ SMTP_URL: smtp.url, ...TO }, QUICK)
    const { db, configuration } = app.context
    const other: AppContext = { ...app.context, mail: new MailQueue({ db, configuration, log: pino({ level: 'silent' }) }, QUICK) }
    for (let at = 0; at < 30; at++) await app.as(10).send(sendSupportRequest, help)
    startMail(app.context)
    startMail(other)
    await smtp.waitForMails(30)
    await until(isSent(app.context))
    await other.mail.stop()
    expect(smtp.received).toHaveLength(30)
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(30)
  })
})

describe('without a mail server', () => {
  test('mails are written to files, each once', async () => {
    const app = await startApp(TO, QUICK)
    startMail(app.context)
    const { mail } = await app.as(10).send(sendSupportRequest, help)
    expect(mail).toBe('written')
    const [row] = await mailsOf(app.context)
    const folder = join(app.context.configuration.dataDir, 'mail')
    expect(await readdir(folder)).toEqual([`${row?._id}.eml`])
    const written = await readFile(join(folder, `${row?._id}.eml`), 'utf8')
    expect(written).toContain(`Message-ID: ${row?.messageId}`)
    expect(written).toContain('The printer is on fire')
    // The state after a crash between writing the file and updating the row.
    await writeFile(join(folder, `${row?._id}.eml`), 'as it was')
    await app.context.db.updateTable('mail').set({ sentAt: null, sentAs: null, accepted: [] }).execute()
    await app.context.mail.stop()
    const { db, configuration, log } = app.context
    const next: AppContext = { ...app.context, mail: new MailQueue({ db, configuration, log }, QUICK) }
    startMail(next)
    await until(isSent(app.context))
    await next.mail.stop()
    expect(await readdir(folder)).toEqual([`${row?._id}.eml`])
    expect(await readFile(join(folder, `${row?._id}.eml`), 'utf8')).toBe('as it was')
  })

  test('a folder that is not writable loses no mail', async () => {
    const app = await startApp(TO, QUICK)
    const folder = join(app.context.configuration.dataDir, 'mail')
    await mkdir(app.context.configuration.dataDir, { recursive: true })
    await writeFile(folder, 'a file where the folder should be')
    startMail(app.context)
    expect((await app.as(10).send(sendSupportRequest, help)).mail).toBe('waiting')
    await rm(folder)
    await until(isSent(app.context))
    expect(await readdir(folder)).toHaveLength(1)
  })
})

describe('without the queue', () => {
  test('a request is saved, and mailed by the next server that starts one', async () => {
    const smtp = await mailServer()
    const app = await startApp({ SMTP_URL: smtp.url, ...TO }, QUICK)
    expect((await app.as(10).send(sendSupportRequest, help)).mail).toBe('waiting')
    expect(smtp.received).toEqual([])
    const other: AppContext = { ...app.context, mail: new MailQueue(app.context, QUICK) }
    startMail(other)
    await smtp.waitForMails(1)
    await app.as(10).send(sendSupportRequest, help)
    other.mail.addressSoon()
    await smtp.waitForMails(2)
    await other.mail.stop()
    expect(smtp.received).toHaveLength(2)
  })
})

describe('the recipients of a request', () => {
  test('are those set for the site’s region; without any, those set for all regions; without any, those of the configuration', async () => {
    const smtp = await mailServer()
    const app = await startSendingApp(smtp.url)
    const [california, ohio] = [await app.make.region(), await app.make.region('Ohio')]
    const [here, there] = [await app.make.site({ region: california._id }), await app.make.site({ region: ohio._id })]
    const me = app.as(10)
    const getters = async () => {
      const before = smtp.received.length
      await me.send(sendChangeRequest, { body: { site: here._id, correctText: 'a' } })
      await me.send(sendChangeRequest, { body: { site: there._id, correctText: 'b' } })
      await me.send(sendChangeRequest, { body: { location: 'Nowhere', correctText: 'c' } })
      await me.send(sendSupportRequest, help)
      await smtp.waitForMails(before + 4)
      return smtp.received.slice(before).map(({ to }) => to.join(' '))
    }
    const set = (body: object) => app.as(5).send(saveSettings, { body })
    expect(await getters()).toEqual(['changes@network.test', 'changes@network.test', 'changes@network.test', 'help@network.test'])
    await set({ changeRequestsTo: [{ region: ohio._id, emails: ['a@ohio.test', 'b@ohio.test'] }] })
    expect(await getters()).toEqual(['changes@network.test', 'a@ohio.test b@ohio.test', 'changes@network.test', 'help@network.test'])
    await set({
      changeRequestsTo: [
        { region: ohio._id, emails: ['a@ohio.test'] },
        { region: null, emails: ['all@network.test'] },
      ],
      supportRequestsTo: ['is@network.test'],
    })
    expect(await getters()).toEqual(['all@network.test', 'a@ohio.test', 'all@network.test', 'is@network.test'])
    await set({ changeRequestsTo: [], supportRequestsTo: [] })
    expect(await getters()).toEqual(['changes@network.test', 'changes@network.test', 'changes@network.test', 'help@network.test'])
  })

  test('may be missing: the request is saved, and sent as soon as recipients are set', async () => {
    const smtp = await mailServer()
    const app = await startApp({ SMTP_URL: smtp.url }, QUICK)
    startMail(app.context)
    const { _id, mail } = await app.as(10).send(sendSupportRequest, help)
    expect(mail).toBe('unaddressed')
    expect((await app.as(6).send(readRequest, { params: { id: _id } })).mail?.state).toBe('unaddressed')
    await app.as(5).send(saveSettings, { body: { supportRequestsTo: ['help@network.test'] } })
    await smtp.waitForMails(1)
    expect(smtp.received[0]?.to).toEqual(['help@network.test'])
  })
})
