import { join } from 'node:path'

import pg from 'pg'
import { describe, expect, test } from 'vitest'

import { startMail } from '../../src/app/app.server.ts'
import { createDailyBackup } from '../../src/backup/daily.server.ts'
import { restore } from '../../src/backup/restore.server.ts'
import { sendSupportRequest } from '../../src/features/changing/requests/contract.ts'
import { searchStaff } from '../../src/records/hr/contract.ts'
import { startApp } from '../support/app.ts'
import { createCookieClient } from '../support/cookie-client.ts'
import { startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { CLIENT, createProviderUser, startOidcProvider } from '../support/oidc-provider.ts'
import { findPackagedPostgres, findSystemPostgres, startOtherPostgres } from '../support/other-postgres.ts'
import { getSessionStatus, getTicket, signIn } from '../support/provider-sign-in.ts'

// The procedures in docs/operators/deploying.md ("Rotate secrets"), each with one server that already has the new secret and one that still has the
// old one. The `homeroom` commands for SECRET_KEY, METRICS_TOKEN and the database's password run line by line in test/commands/deploying.test.ts.

const NEW_SECRET = 'the-second-client-secret'

test('rotating OIDC_CLIENT_SECRET fails no sign-in, and afterward the old secret is refused', async () => {
  const provider = await startOidcProvider()
  const first = await startAppWithDatabase(provider.environment)
  const second = await startAppWithDatabase({ ...provider.environment, OIDC_CLIENT_SECRET: NEW_SECRET }, first)
  try {
    const signInAt = async ({ url }: typeof first) => {
      provider.currentUser = createProviderUser()
      return signIn(createCookieClient(url))
    }
    provider.clientSecrets = [CLIENT.secret, NEW_SECRET]
    for (const server of [first, second]) expect(await getSessionStatus(await signInAt(server))).toBe(200)
    provider.clientSecrets = [NEW_SECRET]
    expect(await getSessionStatus(await signInAt(second))).toBe(200)
    provider.currentUser = createProviderUser()
    expect(await getTicket(createCookieClient(first.url))).not.toMatch(/^[\w-]{20,}$/)
  } finally {
    await second.stop()
    await first.stop()
    await provider.close()
  }
})

test('rotating the password of SMTP_URL loses no mail and sends none twice', async () => {
  const mails = await startMailServer({ passwords: ['old-password', 'new-password'] })
  const urlWith = (password: string) => mails.url.replace('//', `//homeroom:${password}@`)
  const limits = { firstWaitMs: 50, maxWaitMs: 200, giveUpAfterMs: 60_000, maxRefusals: 3 }
  const environment = { SMTP_URL: urlWith('old-password'), SUPPORT_REQUESTS_TO: 'help@network.test' }
  const first = await startApp(environment, limits)
  startMail(first.context)
  try {
    const requestMail = async (app: typeof first) =>
      (await app.as(10).send(sendSupportRequest, { body: { request: 'The printer is on fire' } })).mail
    expect(await requestMail(first)).toBe('mailed')
    const second = await first.startSecond({ smtpUrl: urlWith('new-password') })
    startMail(second.context)
    expect(await requestMail(second)).toBe('mailed')
    // The old password is disabled too early: mails wait until the first server has the new one.
    mails.behavior.passwords = ['new-password']
    expect(await requestMail(second)).toBe('mailed')
    for (let attempt = 0; attempt < 3; attempt++) expect(await requestMail(first)).not.toBe('mailed')
    await first.context.mail.stop()
    startMail((await first.startSecond({ smtpUrl: urlWith('new-password') })).context)
    await mails.waitForMails(6)
    const unsent = () => second.context.db.selectFrom('mail').select('problem').where('sentAt', 'is', null).execute()
    await expect.poll(unsent, { timeout: 20_000 }).toEqual([])
    expect(new Set(mails.received.map(({ messageId }) => messageId)).size).toBe(6)
    expect(mails.received).toHaveLength(6)
  } finally {
    await first.stop()
    await mails.stop()
  }
})

const otherPostgres = findSystemPostgres() ?? findPackagedPostgres()

describe.runIf(otherPostgres)('rotating the user of HR_URL', () => {
  test('fails no search, and afterward the old user is refused', async () => {
    const hr = await startOtherPostgres(otherPostgres ?? { version: 0, bin: '' })
    const administrator = new pg.Client(hr.url)
    await administrator.connect()
    const createReader = async (name: string, password: string): Promise<string> => {
      await administrator.query(`create role ${name} login password '${password}'; grant select on hr_person to ${name}`)
      return hr.url.replace('homeroom:homeroom@', `${name}:${password}@`)
    }
    try {
      await administrator.query(`create table hr_person as select '41' as "PersonID", 'Ana' as "FirstName", 'Ruiz' as "LastName",
        'ana@network.test' as "EmailAddress", 'ana@hr.test' as "Hris_EmailAddress", null as "Title", null as "Department", null as "Company", null as "Region"`)
      const first = await startApp({ HR_URL: await createReader('homeroom_a', 'old-password') })
      const search = async (app: typeof first) => (await app.as(6).trySend(searchStaff, { params: { query: 'ana ruiz' } })).statusCode
      expect(await search(first)).toBe(200)
      const second = await first.startSecond({ hrUrl: await createReader('homeroom_b', 'new-password') })
      expect([await search(first), await search(second)]).toEqual([200, 200])
      await administrator.query(
        `alter role homeroom_a nologin; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'homeroom_a'`,
      )
      expect(await search(second)).toBe(200)
      await expect.poll(() => search(first)).toBe(503)
    } finally {
      await administrator.end()
      await hr.stop()
    }
  })
})

test('after rotating BACKUP_PASSPHRASE the next backup uses the new one, and earlier ones are restored with the old one', async () => {
  const [oldPassphrase, newPassphrase] = ['hT7/0Vb1qWk2+Zx9LmP4sRyEuC8jNaFd', 'Qm3+Zr8/LxT0vKp5sWnB1yHcD6gJuEa2']
  const app = await startApp()
  const { db, configuration } = app.context
  await app.make.site({ displayName: 'Lodi Resource Center' })
  const schedule = { ...configuration, backupDir: join(configuration.dataDir, 'backups'), backupKeep: 2 }
  const backUp = async (day: number, backupPassphrase: string) =>
    (await createDailyBackup(db, { ...schedule, backupPassphrase }, new Date(Date.UTC(2030, 0, day, 20)))) ?? ''
  const files = [await backUp(1, oldPassphrase), await backUp(2, newPassphrase)]
  for (const [at, passphrase] of [oldPassphrase, newPassphrase].entries()) {
    const empty = await startApp()
    const other = at === 0 ? newPassphrase : oldPassphrase
    const open = async () => ({ db: empty.context.db, stop: async () => {} })
    await expect(restore(open, files[at] ?? '', other)).rejects.toThrow('BACKUP_PASSPHRASE is not the one')
    await restore(open, files[at] ?? '', passphrase)
    const sites = await empty.context.db.selectFrom('site').select('displayName').execute()
    expect(sites).toEqual([{ displayName: 'Lodi Resource Center' }])
  }
})
